# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What the compiled scanners share: lines that straddle blocks."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr


cdef class LineScan:
    def __dealloc__(self):
        free(self.kept.block)
        free(self.marks.at)

    def feed(self, const unsigned char[::1] block not None):
        """Read a block. What comes back is 0, or why reading cannot go on."""
        cdef const unsigned char* at
        cdef const unsigned char* end
        cdef int outcome
        if not block.shape[0]:
            return WELL
        at = &block[0]
        end = at + block.shape[0]
        with nogil:
            outcome = self._feed(at, end)
        return outcome

    def finish(self):
        """After the last block: read what was kept, and finish what was begun."""
        cdef int outcome = WELL
        with nogil:
            if self.kept.size:
                if not keep(&self.kept, <const unsigned char*>b"\n", 1):
                    outcome = NO_MEMORY
                else:
                    outcome = self._whole(self.kept.block, self.kept.block + self.kept.size)
                    self.kept.size = 0
            if outcome == WELL:
                outcome = self.last()
        return outcome

    cdef int lines(self, const unsigned char* at, const unsigned char* end) noexcept nogil:
        return UNUSUAL

    cdef bint mark(self, const unsigned char* at, const unsigned char* end) noexcept nogil:
        """Begin to take the fields of lines; false where there is no memory for it."""
        if self.marks.at == NULL:
            self.marks.at = <int32_t*>malloc(WINDOW * sizeof(int32_t))
        self.marks.line = self.marks.base = self.marks.stop = at
        self.marks.end = end
        self.marks.count = self.marks.next = 0
        return self.marks.at != NULL

    cdef int last(self) noexcept nogil:
        return WELL

    cdef int _feed(self, const unsigned char* at, const unsigned char* end) noexcept nogil:
        cdef const unsigned char* cut
        cdef int outcome
        if self.kept.size:
            cut = <const unsigned char*>memchr(at, c'\n', end - at)
            if not keep(&self.kept, at, (cut + 1 if cut else end) - at):
                return NO_MEMORY
            if cut == NULL:
                return UNUSUAL if self.kept.size > LONGEST_LINE else WELL
            outcome = self._whole(self.kept.block, self.kept.block + self.kept.size)
            if outcome != WELL:
                return outcome
            self.kept.size = 0
            at = cut + 1
        cut = end
        while cut > at and (cut - 1)[0] != c'\n':
            cut -= 1
        if end > cut and not keep(&self.kept, cut, end - cut):
            return NO_MEMORY
        return self._whole(at, cut)

    cdef int _whole(self, const unsigned char* at, const unsigned char* end) noexcept nogil:
        if at == end:
            return WELL
        # A byte-order mark; those of other encodings than UTF-8 are no text at all.
        if not self.begun and end - at >= 3 and at[0] == 0xEF and at[1] == 0xBB and at[2] == 0xBF:
            return UNUSUAL
        self.begun = True
        return self.lines(at, end)
