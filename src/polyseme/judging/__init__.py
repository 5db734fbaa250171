"""Asking people: preference studies, grading and votes on intents, by a small web server.

A study is one SQLite file or one PostgreSQL database. From the ground up:

* ``schema``, ``migrations``, ``database``: the tables, and connections to them;
* ``tasks``: what is asked in each kind of study, and which answers there are;
* ``drawing``, ``assignment``, ``tokens``, ``recording``: which side, which order, who may answer
  what, who asks, and the append-only record of what was answered: plain functions of a connection
  that run inside one transaction of the writer;
* ``writer``, ``store``: one thread with one connection that commits before anybody is told;
* ``sources``, ``making``, ``migrating``: a study out of files, and an older one brought up to date;
* ``answered``, ``watching``, ``exporting``: what was said, what to look at, and what others read;
* ``archive``, ``answers_file``, ``checking``: a study kept, moved, added to, and looked over;
* ``views``, ``shown``, ``dashboard``: what pages show, as frozen values;
* ``protocol``: what the script in the browser and the server say to each other;
* ``protecting``, ``routes``, ``app``: the ASGI application;
* ``documents``, ``pages``, ``templates``, ``static``, ``messages``: what judges see.
"""
