"""What was found, as people and programs read it.

Here are formats for terminals, documents and programs; in ``figures`` pictures, in ``papers``
tables as papers set them, in ``page`` the report on runs.
"""
