# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Lines that begin with a topic: whether topics are in order, and lines divided by topic.

Nothing else of a line is looked at here: whoever reads the lines judges them. The same is written
down plainly in `topic_lines`.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcmp

from polyseme.collection.formats._lines cimport (
    NO_MEMORY, WELL, Field, Kept, LineScan, keep,
)
from polyseme.collection.formats._names cimport Numbers, put

cdef enum:
    FNV_START = 0xcbf29ce484222325
    FNV_PRIME = 0x100000001b3


cdef inline bint topic_of(
    const unsigned char** place, const unsigned char* end, Field* topic
) noexcept nogil:
    """The first field of the line at ``place``, which moves on; false for blanks and comments."""
    cdef const unsigned char* at = place[0]
    cdef const unsigned char* feed = <const unsigned char*>memchr(at, c'\n', end - at)
    place[0] = feed + 1
    while at[0] == c' ' or at[0] == c'\t':
        at += 1
    topic.at = at
    while at[0] != c' ' and at[0] != c'\t' and at[0] != c'\n' and at[0] != c'\r':
        at += 1
    topic.end = at
    return at > topic.at and topic.at[0] != c'#'


cdef inline bint is_same(Kept* held, Field* topic) noexcept nogil:
    cdef Py_ssize_t size = topic.end - topic.at
    return held.size == size and memcmp(held.block, topic.at, size) == 0


cdef inline bint put_topic(Kept* held, Field* topic) noexcept nogil:
    held.size = 0
    return keep(held, topic.at, topic.end - topic.at)


cdef class TopicScan(LineScan):
    """Are topics in order? A mark is kept of the first topic that begins in each stretch."""

    cdef Kept topic, begun_with, letters
    cdef Numbers marks
    cdef int64_t place, every, next_mark, records, topics
    cdef bint ascending, numbered

    def __cinit__(self, int64_t place, int64_t every):
        self.place, self.every, self.next_mark = place, every, place
        self.ascending = self.numbered = True

    def __dealloc__(self):
        free(self.topic.block)
        free(self.begun_with.block)
        free(self.letters.block)
        free(self.marks.at)

    def found(self):
        """First and last topic, records, topics, both orders, and marks: topic and place."""
        cdef Py_ssize_t n
        cdef int64_t low = 0
        marks = []
        for n in range(0, self.marks.count, 2):
            marks.append((
                PyBytes_FromStringAndSize(
                    <char*>self.letters.block + low, self.marks.at[n] - low
                ),
                self.marks.at[n + 1],
            ))
            low = self.marks.at[n]
        return (
            PyBytes_FromStringAndSize(<char*>self.begun_with.block, self.begun_with.size),
            PyBytes_FromStringAndSize(<char*>self.topic.block, self.topic.size),
            self.records,
            self.topics,
            self.ascending,
            self.numbered,
            marks,
        )

    cdef int lines(self, const unsigned char* at, const unsigned char* end) noexcept nogil:
        cdef const unsigned char* line
        cdef Field topic
        cdef Py_ssize_t size
        cdef int order
        while at < end:
            line = at
            if topic_of(&at, end, &topic):
                self.records += 1
                if not is_same(&self.topic, &topic):
                    size = topic.end - topic.at
                    if self.topics:
                        order = memcmp(self.topic.block, topic.at, min(self.topic.size, size))
                        if order > 0 or (order == 0 and self.topic.size > size):
                            self.ascending = False
                        if self.topic.size > size or (self.topic.size == size and order > 0):
                            self.numbered = False
                    elif not put_topic(&self.begun_with, &topic):
                        return NO_MEMORY
                    self.topics += 1
                    if not put_topic(&self.topic, &topic):
                        return NO_MEMORY
                    if self.place >= self.next_mark:
                        self.next_mark = self.place + self.every
                        if not (
                            keep(&self.letters, topic.at, size)
                            and put(&self.marks, self.letters.size)
                            and put(&self.marks, self.place)
                        ):
                            return NO_MEMORY
            self.place += at - line
        return WELL


cdef class TopicSplit(LineScan):
    """Lines in so many buckets, those of one topic in one of them."""

    cdef Kept* buckets
    cdef Kept topic
    cdef Py_ssize_t count, bucket
    cdef readonly int64_t held

    def __cinit__(self, Py_ssize_t count):
        self.count = count
        self.buckets = <Kept*>calloc(count, sizeof(Kept))
        if self.buckets == NULL:
            raise MemoryError

    def __dealloc__(self):
        cdef Py_ssize_t n
        if self.buckets != NULL:
            for n in range(self.count):
                free(self.buckets[n].block)
        free(self.buckets)
        free(self.topic.block)

    def taken(self):
        """What every bucket holds; afterwards it holds nothing."""
        cdef Py_ssize_t n
        found = []
        for n in range(self.count):
            found.append(
                PyBytes_FromStringAndSize(<char*>self.buckets[n].block, self.buckets[n].size)
            )
            free(self.buckets[n].block)
            self.buckets[n].block = NULL
            self.buckets[n].size = self.buckets[n].room = 0
        self.held = 0
        return found

    cdef int lines(self, const unsigned char* at, const unsigned char* end) noexcept nogil:
        cdef const unsigned char* line
        cdef const unsigned char* letter
        cdef Field topic
        cdef uint64_t mixed
        while at < end:
            line = at
            if not topic_of(&at, end, &topic):
                continue
            if self.topic.room == 0 or not is_same(&self.topic, &topic):
                mixed = FNV_START
                letter = topic.at
                while letter < topic.end:
                    mixed = (mixed ^ letter[0]) * <uint64_t>FNV_PRIME
                    letter += 1
                self.bucket = <Py_ssize_t>((mixed ^ (mixed >> 32)) % <uint64_t>self.count)
                if not put_topic(&self.topic, &topic):
                    return NO_MEMORY
            if not keep(&self.buckets[self.bucket], line, at - line):
                return NO_MEMORY
            self.held += at - line
        return WELL
