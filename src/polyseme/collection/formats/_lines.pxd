# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Whole lines out of blocks of bytes, and their fields; for the compiled scanners."""

from libc.stdlib cimport realloc
from libc.string cimport memchr, memcpy

from polyseme.collection.formats._fields cimport BLANK, HIGH, KIND, LINE_FEED, is_utf8

cdef enum Outcome:
    #: all is well so far
    WELL = 0
    #: something that only the plain reader knows what to do about
    UNUSUAL = 1
    #: a topic comes back after another: lists must be kept until the end
    INTERLEAVED = 2
    NO_MEMORY = 3


cdef enum:
    LONGEST_LINE = 1 << 20


cdef struct Field:
    const unsigned char* at
    const unsigned char* end


cdef struct Kept:
    #: the beginning of a line whose end is in the next block
    unsigned char* block
    Py_ssize_t size
    Py_ssize_t room


cdef inline bint keep(Kept* kept, const unsigned char* at, Py_ssize_t size) noexcept nogil:
    cdef void* grown
    if kept.size + size > kept.room:
        grown = realloc(kept.block, 2 * (kept.size + size) + 256)
        if grown == NULL:
            return False
        kept.block = <unsigned char*>grown
        kept.room = 2 * (kept.size + size) + 256
    memcpy(kept.block + kept.size, at, size)
    kept.size += size
    return True


cdef inline int fields_of(
    const unsigned char** place, const unsigned char* end, Field* fields, int wanted
) noexcept nogil:
    """The fields of the line at ``place``, which moves on to the next line.

    How many there are: 0 for a blank line or a comment, -1 where the plain reader should look.
    ``end`` is behind a line feed.
    """
    cdef const unsigned char* at = place[0]
    cdef const unsigned char* line = at
    cdef unsigned char kind
    cdef bint high = False
    cdef int count = 0
    while True:
        while KIND[at[0]] == BLANK:
            at += 1
        kind = KIND[at[0]]
        if kind == LINE_FEED:
            break
        if at[0] == c'\r' and at[1] == c'\n':
            at += 1
            break
        if not count and at[0] == c'#':
            at = <const unsigned char*>memchr(at, c'\n', end - at)
            if memchr(line, 0, at - line) != NULL:
                return -1
            high = True
            break
        if count == wanted:
            return -1
        fields[count].at = at
        while True:
            while KIND[at[0]] == 0:
                at += 1
            if KIND[at[0]] != HIGH:
                break
            high = True
            at += 1
        if at == fields[count].at:
            return -1  # a control character
        fields[count].end = at
        count += 1
    if at - line > LONGEST_LINE or (count and count != wanted):
        return -1
    if high and not is_utf8(line, at):
        return -1
    place[0] = at + 1
    return count


cdef class LineScan:
    """One reading of a file, block by block; what its lines mean is for those that inherit it."""

    cdef Kept kept
    cdef bint begun

    cdef int lines(self, const unsigned char* at, const unsigned char* end) noexcept nogil
    cdef int last(self) noexcept nogil
    cdef int _feed(self, const unsigned char* at, const unsigned char* end) noexcept nogil
    cdef int _whole(self, const unsigned char* at, const unsigned char* end) noexcept nogil
