"""How judgments, runs, probabilities and topics stand in files: one module a format.

Each module reads its format record by record, reporting what is wrong through a
:class:`~polyseme.collection.formats.report.Report`, and, where the format can be written, writes
it. Everything that is not particular to one format (opening, decompressing, lines, what a field may
hold) is in ``opening``, ``text`` and ``fields``.
"""
