# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Names that are kept once each, and numbers in a row, both growing; for the compiled scanners."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy, memset


cdef extern from *:
    """
    #if defined(__GNUC__)
    #define polyseme_fetch(place) __builtin_prefetch(place)
    #else
    #define polyseme_fetch(place) ((void)0)
    #endif
    """
    void fetch "polyseme_fetch"(const void*) noexcept nogil


cdef enum:
    OUT_OF_MEMORY = -1
    #: what one access brings into the cache, and the most that is worth asking for at once
    CACHE_LINE = 64
    MOST_FETCHED = 1 << 14


cdef struct Numbers:
    int64_t* at
    Py_ssize_t count
    Py_ssize_t room


cdef struct Names:
    #: the letters of all names; name n is block[start[n]:start[n + 1]]
    unsigned char* block
    Py_ssize_t block_room
    int64_t* start
    uint64_t* hashed
    Py_ssize_t count
    Py_ssize_t room
    #: the upper half of a name's hash, and its number plus one; 0 where there is none
    uint64_t* slot
    Py_ssize_t slots


cdef inline bint same(const unsigned char* a, const unsigned char* b, Py_ssize_t size) noexcept nogil:
    """Whether two names of one size are equal: they are short, and mostly they are."""
    cdef uint64_t one, other
    cdef const unsigned char* end = a + size
    if size < 8:
        while a < end:
            if a[0] != b[0]:
                return False
            a += 1
            b += 1
        return True
    while end - a > 8:
        memcpy(&one, a, 8)
        memcpy(&other, b, 8)
        if one != other:
            return False
        a += 8
        b += 8
    b -= 8 - (end - a)
    memcpy(&one, end - 8, 8)
    memcpy(&other, b, 8)
    return one == other


cdef inline void copy(unsigned char* into, const unsigned char* name, Py_ssize_t size) noexcept nogil:
    """A name's letters, eight at a time: it is short."""
    cdef uint64_t word
    cdef const unsigned char* end = name + size
    if size < 8 or size > 64:
        memcpy(into, name, size)
        return
    memcpy(&word, end - 8, 8)
    memcpy(into + size - 8, &word, 8)
    while end - name > 8:
        memcpy(&word, name, 8)
        memcpy(into, &word, 8)
        name += 8
        into += 8


cdef inline bint put(Numbers* numbers, int64_t value) noexcept nogil:
    """One number more; false where there is no memory for it."""
    cdef Py_ssize_t room
    cdef int64_t* grown
    if numbers.count == numbers.room:
        room = 2 * numbers.room + 64
        grown = <int64_t*>realloc(numbers.at, room * sizeof(int64_t))
        if grown == NULL:
            return False
        numbers.at, numbers.room = grown, room
    numbers.at[numbers.count] = value
    numbers.count += 1
    return True


cdef inline void let_go(Names* names) noexcept nogil:
    free(names.block)
    free(names.start)
    free(names.hashed)
    free(names.slot)
    memset(names, 0, sizeof(Names))


cdef inline void forget(Names* names) noexcept nogil:
    """No names, and the room kept."""
    cdef Py_ssize_t n, place
    if 8 * names.count < names.slots:
        # Every run of slots in use begins where one of its names would have liked to be.
        for n in range(names.count):
            place = <Py_ssize_t>(names.hashed[n] & <uint64_t>(names.slots - 1))
            while names.slot[place]:
                names.slot[place] = 0
                place = (place + 1) & (names.slots - 1)
    else:
        memset(names.slot, 0, names.slots * sizeof(uint64_t))
    names.count = 0


cdef inline bint more_slots(Names* names) noexcept nogil:
    cdef Py_ssize_t slots = 4 * names.slots if names.slots else 256
    cdef Py_ssize_t n, place
    cdef uint64_t* grown = <uint64_t*>realloc(names.slot, slots * sizeof(uint64_t))
    if grown == NULL:
        return False
    memset(grown, 0, slots * sizeof(uint64_t))
    for n in range(names.count):
        place = <Py_ssize_t>(names.hashed[n] & <uint64_t>(slots - 1))
        while grown[place]:
            place = (place + 1) & (slots - 1)
        grown[place] = (names.hashed[n] >> 32 << 32) | <uint64_t>(n + 1)
    names.slot, names.slots = grown, slots
    return True


cdef inline bint more_room(Names* names, Py_ssize_t size) noexcept nogil:
    """Room for one more name of so many letters."""
    cdef Py_ssize_t room, held
    cdef void* grown
    if names.count + 1 >= names.room:
        room = 2 * names.room + 64
        grown = realloc(names.start, (room + 1) * sizeof(int64_t))
        if grown == NULL:
            return False
        names.start = <int64_t*>grown
        grown = realloc(names.hashed, room * sizeof(uint64_t))
        if grown == NULL:
            return False
        names.hashed = <uint64_t*>grown
        names.room = room
    if not names.count:
        names.start[0] = 0
    held = <Py_ssize_t>names.start[names.count]
    if held + size > names.block_room:
        room = 2 * (held + size) + 1024
        grown = realloc(names.block, room)
        if grown == NULL:
            return False
        names.block = <unsigned char*>grown
        names.block_room = room
    return 2 * (names.count + 1) <= names.slots or more_slots(names)


cdef inline int64_t number_of(
    Names* names, const unsigned char* name, Py_ssize_t size, uint64_t hashed, bint* new
) noexcept nogil:
    """The name's number, a new one where it was not known; or OUT_OF_MEMORY."""
    cdef Py_ssize_t known, place = 0
    cdef uint64_t mark = hashed >> 32
    new[0] = False
    if names.slots:
        place = <Py_ssize_t>(hashed & <uint64_t>(names.slots - 1))
        while names.slot[place]:
            if names.slot[place] >> 32 == mark:
                known = <Py_ssize_t>(names.slot[place] & 0xFFFFFFFFU) - 1
                if names.start[known + 1] - names.start[known] == size and same(
                    names.block + names.start[known], name, size
                ):
                    return known
            place = (place + 1) & (names.slots - 1)
    if (
        2 * (names.count + 1) > names.slots
        or names.count + 1 >= names.room
        or names.start[names.count] + size > names.block_room
    ):
        if names.count >= 0x7FFFFFFF or not more_room(names, size):
            return OUT_OF_MEMORY
        place = <Py_ssize_t>(hashed & <uint64_t>(names.slots - 1))
        while names.slot[place]:
            place = (place + 1) & (names.slots - 1)
    elif not names.count:
        names.start[0] = 0
    new[0] = True
    known = names.count
    names.slot[place] = (mark << 32) | <uint64_t>(known + 1)
    copy(names.block + names.start[known], name, size)
    names.start[known + 1] = names.start[known] + size
    names.hashed[known] = hashed
    names.count = known + 1
    return known


cdef inline int compared(Names* names, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """The order of two names by their bytes, which is the order of their letters."""
    cdef Py_ssize_t size_a = <Py_ssize_t>(names.start[a + 1] - names.start[a])
    cdef Py_ssize_t size_b = <Py_ssize_t>(names.start[b + 1] - names.start[b])
    cdef int found = memcmp(
        names.block + names.start[a], names.block + names.start[b], min(size_a, size_b)
    )
    if found:
        return found
    return (size_a > size_b) - (size_a < size_b)


cdef struct Known:
    #: names in groups that were given, and where to look for them (see judgment_scan.hashed)
    const unsigned char* block
    const int64_t* start
    const int64_t* group
    const uint64_t* slot
    const int64_t* first


cdef inline int64_t find(
    Known* known, int64_t group, const unsigned char* name, Py_ssize_t size, uint64_t hashed
) noexcept nogil:
    """The number, among all, of a name of a group; or -1."""
    cdef const uint64_t* slot = known.slot + known.first[group]
    cdef uint64_t mask = <uint64_t>(known.first[group + 1] - known.first[group] - 1)
    cdef uint64_t place = hashed & mask
    cdef int64_t found
    while slot[place]:
        if slot[place] >> 32 == hashed >> 32:
            found = known.group[group] + <int64_t>(slot[place] & 0xFFFFFFFFU) - 1
            if known.start[found + 1] - known.start[found] == size and same(
                known.block + known.start[found], name, size
            ):
                return found
        place = (place + 1) & mask
    return -1


cdef inline void expect(Known* known, int64_t group) noexcept nogil:
    """The names of a group will soon be looked for: have them brought near."""
    cdef int64_t low = known.group[group]
    cdef int64_t high = known.group[group + 1]
    bring(known.slot + known.first[group], known.slot + known.first[group + 1])
    bring(known.start + low, known.start + high)
    bring(known.block + known.start[low], known.block + known.start[high])


cdef inline void bring(const void* low, const void* high) noexcept nogil:
    cdef const char* at = <const char*>low
    cdef const char* end = at + min(<const char*>high - at, MOST_FETCHED)
    while at < end:
        fetch(at)
        at += CACHE_LINE
