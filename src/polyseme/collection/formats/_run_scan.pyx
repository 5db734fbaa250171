# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled scanner of TREC runs: ``topic Q0 doc rank score tag``.

It reads what is plainly well formed and says so when something is not. `scanning` feeds it, and
hands whatever it will not read to the plain reader.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.float cimport FLT_MAX
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

import numpy as np

from polyseme.collection.formats._fields cimport (
    hash_of, looks_decimal, quick_decimal, whole_number,
)
from polyseme.collection.formats._lines cimport (
    INTERLEAVED, NO_MEMORY, UNUSUAL, WELL, Field, LineScan, next_fields,
)
from polyseme.collection.formats._names cimport (
    OUT_OF_MEMORY, Known, Names, Numbers, compared, expect, find, forget, let_go,
    number_of, put, same,
)

cdef enum:
    BY_FILE = 0
    BY_SCORE = 1
    BY_RANK = 2
    #: as in fields.py
    GREATEST_RANK = 1000000000

ORDERS = {"file": BY_FILE, "score": BY_SCORE, "rank": BY_RANK}


cdef struct Place:
    double score
    int64_t rank
    #: the judged row of the document, or -1
    int64_t row


cdef struct List:
    #: one topic's documents, in the order of the file
    Names documents
    Place* place
    Py_ssize_t room
    #: index into the judged topics, or -1
    int64_t judged
    #: the file's order is the one that is wanted
    bint in_order


cdef class JudgedNames:
    """What the judgments name: topics, and for each its documents; with where to look for them."""

    cdef object held
    cdef Known topics, documents

    def __init__(self, topics, documents):
        self.held = [known_names(&self.topics, topics), known_names(&self.documents, documents)]


cdef known_names(Known* known, given):
    """Point to arrays that someone must hold on to."""
    cdef const unsigned char[::1] block = given[0]
    cdef const int64_t[::1] start = given[1]
    cdef const int64_t[::1] group = given[2]
    cdef const uint64_t[::1] slot = given[3]
    cdef const int64_t[::1] first = given[4]
    known.block, known.start, known.group = &block[0], &start[0], &group[0]
    known.slot, known.first = &slot[0], &first[0]
    return block, start, group, slot, first


cdef class RunScan(LineScan):
    """One reading of a file, block by block.

    Where names are judged, what is kept of a list is its hits; otherwise its first documents, as
    many as ``depth`` says (-1: all).
    """

    cdef JudgedNames judged
    cdef int order
    cdef bint single_precision, unique_ranks, interleaved, joins
    cdef Py_ssize_t depth
    cdef bytes held_tag
    cdef const char* tag
    cdef Py_ssize_t tag_size
    cdef Names topics
    cdef List* lists
    cdef Py_ssize_t list_room, current
    cdef int64_t* places
    cdef int64_t* spare
    cdef Py_ssize_t place_room
    # what is found: for each list its topic, length and number of hits; for each hit rank and row
    cdef Numbers topic, length, hits, rank, row
    cdef Py_ssize_t disagreeing
    # or, with a depth, documents one after another
    cdef unsigned char* letters
    cdef Py_ssize_t letter_count, letter_room
    cdef Numbers ends

    def __cinit__(
        self,
        str order,
        bint single_precision,
        bint unique_ranks,
        bytes tag,
        bint interleaved,
        JudgedNames judged=None,
        Py_ssize_t depth=-1,
    ):
        self.order = ORDERS[order]
        self.single_precision, self.unique_ranks = single_precision, unique_ranks
        self.interleaved = interleaved
        self.held_tag = tag
        if tag is not None:
            self.tag, self.tag_size = PyBytes_AS_STRING(tag), PyBytes_GET_SIZE(tag)
        self.judged = judged
        self.joins = judged is not None
        self.depth = depth
        self.current = -1

    def __dealloc__(self):
        cdef Py_ssize_t n
        for n in range(self.list_room):
            let_go(&self.lists[n].documents)
            free(self.lists[n].place)
        free(self.lists)
        let_go(&self.topics)
        free(self.places)
        free(self.spare)
        free(self.letters)
        free(self.topic.at)
        free(self.length.at)
        free(self.hits.at)
        free(self.rank.at)
        free(self.row.at)
        free(self.ends.at)

    # ---- reading ---------------------------------------------------------------------------------

    cdef int lines(self, const unsigned char* at, const unsigned char* end) noexcept nogil:
        cdef Field[6] fields
        cdef int count, outcome
        if not self.mark(at, end):
            return NO_MEMORY
        while self.marks.line < end:
            count = next_fields(&self.marks, fields, 6)
            if count == 0:
                continue
            outcome = UNUSUAL if count < 0 else self._line(fields)
            if outcome != WELL:
                return outcome
        return WELL

    cdef int last(self) noexcept nogil:
        cdef int outcome = WELL
        cdef Py_ssize_t n
        if self.current < 0:
            return UNUSUAL  # not one record
        if not self.interleaved:
            return self._finish_list(&self.lists[0])
        for n in range(self.topics.count):
            outcome = self._finish_list(&self.lists[n])
            if outcome != WELL:
                break
        return outcome

    cdef inline int _line(self, Field* fields) noexcept nogil:
        cdef Py_ssize_t size = fields[0].end - fields[0].at
        cdef List* found
        cdef Place* place
        cdef Place* before
        cdef int64_t known, rank
        cdef double score
        cdef uint64_t mixed
        cdef bint new
        cdef int outcome
        if self.current < 0 or size != self._topic_size() or not same(
            fields[0].at, self.topics.block + self.topics.start[self.current], size
        ):
            outcome = self._change_topic(fields[0].at, size)
            if outcome != WELL:
                return outcome
        found = &self.lists[self.current if self.interleaved else 0]
        if not whole_number(fields[3].at, fields[3].end, GREATEST_RANK, &rank):
            return UNUSUAL
        if not quick_decimal(fields[4].at, fields[4].end, &score):
            if not looks_decimal(fields[4].at, fields[4].end):
                return UNUSUAL
            score = slow_decimal(fields[4].at, fields[4].end)
            if score - score != 0:
                return UNUSUAL
        if self.single_precision:
            if not -FLT_MAX <= score <= FLT_MAX:
                return UNUSUAL
            score = <float>score
        if self.tag != NULL and not self._is_tag(&fields[5]):
            return UNUSUAL
        size = fields[2].end - fields[2].at
        mixed = hash_of(fields[2].at, size)
        known = number_of(&found.documents, fields[2].at, size, mixed, &new)
        if known == OUT_OF_MEMORY:
            return NO_MEMORY
        if not new:
            return UNUSUAL
        if known == found.room and not more_places(found):
            return NO_MEMORY
        place = &found.place[known]
        place.score, place.rank, place.row = score, rank, -1
        if found.judged >= 0:
            place.row = find(&self.judged.documents, found.judged, fields[2].at, size, mixed)
        if known:
            before = place - 1
            if self.order == BY_SCORE:
                if not score < before.score:
                    found.in_order = False
            elif self.order == BY_RANK and rank < before.rank:
                found.in_order = False
        return WELL

    cdef inline Py_ssize_t _topic_size(self) noexcept nogil:
        return <Py_ssize_t>(
            self.topics.start[self.current + 1] - self.topics.start[self.current]
        )

    cdef bint _is_tag(self, Field* field) noexcept nogil:
        cdef Py_ssize_t size = field.end - field.at
        return size == self.tag_size and same(field.at, <const unsigned char*>self.tag, size)

    cdef int _change_topic(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        cdef uint64_t mixed = hash_of(name, size)
        cdef bint new
        cdef List* found
        cdef int outcome
        cdef Py_ssize_t room, left = self.current
        self.current = <Py_ssize_t>number_of(&self.topics, name, size, mixed, &new)
        if self.current == OUT_OF_MEMORY:
            return NO_MEMORY
        if not new:
            return WELL if self.interleaved else INTERLEAVED
        if not self.interleaved and left >= 0:
            outcome = self._finish_list(&self.lists[0])
            if outcome != WELL:
                return outcome
        room = self.current + 1 if self.interleaved else 1
        if room > self.list_room and not self._more_lists(room):
            return NO_MEMORY
        found = &self.lists[room - 1]
        if found.documents.count:
            forget(&found.documents)
        found.judged = find(&self.judged.topics, 0, name, size, mixed) if self.joins else -1
        if found.judged >= 0:
            expect(&self.judged.documents, found.judged)
        found.in_order = True
        return WELL

    cdef bint _more_lists(self, Py_ssize_t room) noexcept nogil:
        cdef List* grown
        room = room if room == 1 else 2 * room
        grown = <List*>realloc(self.lists, room * sizeof(List))
        if grown == NULL:
            return False
        self.lists = grown
        memset(self.lists + self.list_room, 0, (room - self.list_room) * sizeof(List))
        self.list_room = room
        return True

    # ---- a list that is complete -----------------------------------------------------------------

    cdef int _finish_list(self, List* found) noexcept nogil:
        cdef Py_ssize_t count = found.documents.count
        cdef Py_ssize_t n, hits = 0
        cdef int64_t place
        if not self._put_in_order(found):
            return NO_MEMORY
        if self.order != BY_SCORE:
            for n in range(1, count):
                if found.place[self.places[n]].score > found.place[self.places[n - 1]].score:
                    self.disagreeing += 1
                    break
        if self.order == BY_RANK and self.unique_ranks:
            for n in range(1, count):
                if found.place[self.places[n]].rank == found.place[self.places[n - 1]].rank:
                    return UNUSUAL
        if not self.joins:
            return WELL if self._keep_first(found) else NO_MEMORY
        if not put(&self.topic, found.judged) or not put(&self.length, count):
            return NO_MEMORY
        if found.judged >= 0:
            for n in range(count):
                place = self.places[n]
                if found.place[place].row >= 0:
                    hits += 1
                    if not put(&self.rank, n + 1) or not put(&self.row, found.place[place].row):
                        return NO_MEMORY
        return WELL if put(&self.hits, hits) else NO_MEMORY

    cdef bint _put_in_order(self, List* found) noexcept nogil:
        """``places`` becomes the list's order."""
        cdef Py_ssize_t count = found.documents.count
        cdef Py_ssize_t n
        cdef int64_t* grown
        if count > self.place_room:
            grown = <int64_t*>realloc(self.places, 2 * count * sizeof(int64_t))
            if grown == NULL:
                return False
            self.places = grown
            grown = <int64_t*>realloc(self.spare, 2 * count * sizeof(int64_t))
            if grown == NULL:
                return False
            self.spare = grown
            self.place_room = 2 * count
        for n in range(count):
            self.places[n] = n
        if not found.in_order:
            self._sort(found, count)
        return True

    cdef void _sort(self, List* found, Py_ssize_t count) noexcept nogil:
        """Merge what is in order already with what follows; equal ones keep their order."""
        cdef Py_ssize_t low, middle, high, left, right, at, width = 1
        cdef int64_t* places = self.places
        cdef int64_t* spare = self.spare
        while width < count:
            low = 0
            while low + width < count:
                middle = low + width
                high = min(middle + width, count)
                if self._sooner(found, places[middle], places[middle - 1]):
                    memcpy(spare, places + low, (middle - low) * sizeof(int64_t))
                    left, right, at = 0, middle, low
                    while left < middle - low and right < high:
                        if self._sooner(found, places[right], spare[left]):
                            places[at] = places[right]
                            right += 1
                        else:
                            places[at] = spare[left]
                            left += 1
                        at += 1
                    memcpy(places + at, spare + left, (middle - low - left) * sizeof(int64_t))
                low = high
            width *= 2

    cdef inline bint _sooner(self, List* found, int64_t a, int64_t b) noexcept nogil:
        """Whether ``a`` stands before ``b`` whatever the file says."""
        if self.order == BY_RANK:
            return found.place[a].rank < found.place[b].rank
        if found.place[a].score != found.place[b].score:
            return found.place[a].score > found.place[b].score
        return compared(&found.documents, a, b) > 0

    cdef bint _keep_first(self, List* found) noexcept nogil:
        cdef Py_ssize_t count = found.documents.count
        cdef Py_ssize_t n, size, room
        cdef int64_t begin
        cdef void* grown
        if 0 <= self.depth < count:
            count = self.depth
        for n in range(count):
            begin = found.documents.start[self.places[n]]
            size = <Py_ssize_t>(found.documents.start[self.places[n] + 1] - begin)
            if self.letter_count + size > self.letter_room:
                room = 2 * (self.letter_count + size) + 1024
                grown = realloc(self.letters, room)
                if grown == NULL:
                    return False
                self.letters, self.letter_room = <unsigned char*>grown, room
            memcpy(self.letters + self.letter_count, found.documents.block + begin, size)
            self.letter_count += size
            if not put(&self.ends, self.letter_count):
                return False
        return put(&self.length, count)

    # ---- what was found --------------------------------------------------------------------------

    def names_of_topics(self):
        """Every topic of the run, in the order in which they were met."""
        cdef Py_ssize_t n
        return [
            PyBytes_FromStringAndSize(
                <const char*>self.topics.block + self.topics.start[n],
                <Py_ssize_t>(self.topics.start[n + 1] - self.topics.start[n]),
            ).decode()
            for n in range(self.topics.count)
        ]

    def found(self):
        """For each topic its judged index (or -1), length and hits; ranks and rows; disagreeing."""
        return (
            as_array(&self.topic), as_array(&self.length), as_array(&self.hits),
            as_array(&self.rank), as_array(&self.row), self.disagreeing,
        )

    def scores(self):
        """The scores of the list that is being read, as they were understood."""
        cdef Py_ssize_t n
        if not self.list_room:
            return []
        return [self.lists[0].place[n].score for n in range(self.lists[0].documents.count)]

    def first_documents(self):
        """For each topic how many documents; their letters, and where each ends."""
        letters = PyBytes_FromStringAndSize(<const char*>self.letters, self.letter_count)
        return as_array(&self.length), letters, as_array(&self.ends)


cdef bint more_places(List* found) noexcept nogil:
    cdef Py_ssize_t room = 2 * found.room + 64
    cdef Place* grown = <Place*>realloc(found.place, room * sizeof(Place))
    if grown == NULL:
        return False
    found.place, found.room = grown, room
    return True


cdef double slow_decimal(const unsigned char* at, const unsigned char* end) noexcept with gil:
    """What float() makes of it; infinite where that is too great."""
    return float(PyBytes_FromStringAndSize(<const char*>at, end - at))


cdef as_array(Numbers* numbers):
    cdef int64_t[::1] out
    result = np.empty(numbers.count, dtype=np.int64)
    if numbers.count:
        out = result
        memcpy(&out[0], numbers.at, numbers.count * sizeof(int64_t))
    return result
