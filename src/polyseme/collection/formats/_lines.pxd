# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Whole lines out of blocks of bytes, and their fields; for the compiled scanners."""

from libc.stdint cimport int32_t
from libc.stdlib cimport malloc, realloc
from libc.string cimport memchr, memcpy

from polyseme.collection.formats._fields cimport BLANK, HIGH, KIND, LINE_FEED, is_utf8

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #if defined(__SSE2__) && defined(__GNUC__)
    #include <emmintrin.h>

    /* a bit for each of 64 bytes that is no part of a name in ASCII: all but '!' to '~' */
    static inline uint64_t polyseme_marked(const unsigned char *at) {
        const __m128i least = _mm_set1_epi8(0x21), delete = _mm_set1_epi8(0x7f);
        uint64_t found = 0;
        for (int n = 0; n < 4; n++) {
            /* signed: bytes beyond ASCII are less, too */
            __m128i bytes = _mm_loadu_si128((const __m128i *)(at + 16 * n));
            __m128i odd = _mm_or_si128(_mm_cmplt_epi8(bytes, least), _mm_cmpeq_epi8(bytes, delete));
            found |= (uint64_t)(uint32_t)_mm_movemask_epi8(odd) << (16 * n);
        }
        return found;
    }

    static inline int polyseme_lowest(uint64_t bits) { return __builtin_ctzll(bits); }
    #else
    static inline uint64_t polyseme_marked(const unsigned char *at) {
        uint64_t found = 0;
        for (int n = 0; n < 64; n++) {
            found |= (uint64_t)(at[n] < 0x21 || at[n] > 0x7e) << n;
        }
        return found;
    }

    static inline int polyseme_lowest(uint64_t bits) {
        int n = 0;
        while (!(bits >> n & 1)) n++;
        return n;
    }
    #endif

    /* where such bytes are, counted from `at`; there is room for as many as there are bytes */
    static inline Py_ssize_t polyseme_marks(
        const unsigned char *at, Py_ssize_t size, int32_t *marks
    ) {
        Py_ssize_t from, count = 0;
        for (from = 0; from < size; from += 64) {
            uint64_t bits;
            if (size - from >= 64) {
                bits = polyseme_marked(at + from);
            } else {
                unsigned char rest[64];
                memset(rest, 'x', 64);
                memcpy(rest, at + from, size - from);
                bits = polyseme_marked(rest);
            }
            while (bits) {
                marks[count++] = (int32_t)(from + polyseme_lowest(bits));
                bits &= bits - 1;
            }
        }
        return count;
    }
    """
    Py_ssize_t marks_of "polyseme_marks"(const unsigned char*, Py_ssize_t, int32_t*) noexcept nogil


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
    #: how many bytes are marked at once: little enough to stay near
    WINDOW = 1 << 14


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


cdef struct Marks:
    #: where the next line begins, and where the last one ends
    const unsigned char* line
    const unsigned char* end
    #: the bytes that were marked, and which of them are no part of a name
    const unsigned char* base
    const unsigned char* stop
    int32_t* at
    Py_ssize_t count
    Py_ssize_t next


cdef inline int next_fields(Marks* marks, Field* fields, int wanted) noexcept nogil:
    """The fields of the next line, as :func:`fields_of` gives them.

    A line whose fields are names in ASCII with one space or tab between them is taken apart at its
    marks; any other one byte by byte.
    """
    cdef int n, count
    cdef int32_t* found
    cdef const unsigned char* at
    if marks.next + wanted > marks.count and marks.stop < marks.end:
        marks.base = marks.line
        marks.stop = min(marks.line + WINDOW, marks.end)
        marks.count = marks_of(marks.base, marks.stop - marks.base, marks.at)
        marks.next = 0
    if marks.next + wanted <= marks.count and marks.line[0] != c'#':
        found = marks.at + marks.next
        at = marks.line
        for n in range(wanted):
            fields[n].at = at
            at = marks.base + found[n]
            fields[n].end = at
            if at == fields[n].at or at[0] != (c'\n' if n == wanted - 1 else c' '):
                if n == wanted - 1 or at == fields[n].at or at[0] != c'\t':
                    break
            at += 1
        else:
            marks.line = at
            marks.next += wanted
            return wanted
    count = fields_of(&marks.line, marks.end, fields, wanted)
    while marks.next < marks.count and marks.base + marks.at[marks.next] < marks.line:
        marks.next += 1
    return count


cdef class LineScan:
    """One reading of a file, block by block; what its lines mean is for those that inherit it."""

    cdef Kept kept
    cdef Marks marks
    cdef bint begun

    cdef int lines(self, const unsigned char* at, const unsigned char* end) noexcept nogil
    cdef bint mark(self, const unsigned char* at, const unsigned char* end) noexcept nogil
    cdef int last(self) noexcept nogil
    cdef int _feed(self, const unsigned char* at, const unsigned char* end) noexcept nogil
    cdef int _whole(self, const unsigned char* at, const unsigned char* end) noexcept nogil
