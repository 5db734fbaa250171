# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Compiled kernels. `polyseme.plain_kernels` has the same functions in NumPy, and
`polyseme.kernels` chooses between the two and checks the arguments, which these do not.

Both round alike: every segment is worked through in order, one operation at a time.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

import numpy as np


cdef extern from *:
    """
    #if defined(__GNUC__)
    #define polyseme_fetch(place) __builtin_prefetch(place)
    #else
    #define polyseme_fetch(place) ((void)0)
    #endif
    """
    void fetch "polyseme_fetch"(const void*) noexcept nogil


cdef extern from *:
    """
    #include <stdlib.h>
    #if defined(__GLIBC__)
    #include <malloc.h>
    static void polyseme_keep_memory(void) {
        mallopt(M_ARENA_MAX, 1);
        mallopt(M_MMAP_THRESHOLD, 32 << 20);
        mallopt(M_TRIM_THRESHOLD, 64 << 20);
    }
    #else
    static void polyseme_keep_memory(void) {}
    #endif
    """
    void keep "polyseme_keep_memory"() noexcept


def keep_memory():
    """Have the C library, where it is GNU's, hand out again what was freed, to any thread.

    Left to itself it gives arrays back to the system, which clears every page that comes anew.
    """
    keep()


cdef struct Ranked:
    double gain
    int64_t member


cdef enum:
    #: what is no longer is sorted by putting each in its place among those before it
    FEW = 12
    #: how many hits ahead what they lead to is asked for, and then what that leads to
    AHEAD = 24


cdef void by_gain(Ranked* held, Ranked* spare, Py_ssize_t size) noexcept nogil:
    """The largest gain first; equal ones keep their order."""
    cdef Py_ssize_t low = 0, middle, high, left, right, at, width = FEW
    cdef Ranked one
    while low < size:
        high = min(low + FEW, size)
        for right in range(low + 1, high):
            one = held[right]
            at = right
            while at > low and held[at - 1].gain < one.gain:
                held[at] = held[at - 1]
                at -= 1
            held[at] = one
        low = high
    while width < size:
        low = 0
        while low + width < size:
            middle, high = low + width, min(low + 2 * width, size)
            if held[middle].gain > held[middle - 1].gain:
                memcpy(spare, held + low, width * sizeof(Ranked))
                left, right, at = 0, middle, low
                while left < width and right < high:
                    if held[right].gain > spare[left].gain:
                        held[at] = held[right]
                        right += 1
                    else:
                        held[at] = spare[left]
                        left += 1
                    at += 1
                memcpy(held + at, spare + left, (width - left) * sizeof(Ranked))
            low = high
        width *= 2


def running_sum(const double[:] values, const int64_t[:] start):
    """Inclusive running sums of the segments values[start[i]:start[i + 1]]."""
    cdef Py_ssize_t segment, at
    cdef double total
    result = np.empty(values.shape[0])
    cdef double[::1] out = result
    with nogil:
        for segment in range(start.shape[0] - 1):
            total = -0.0  # adding to it changes no value, not even the sign of a zero
            for at in range(start[segment], start[segment + 1]):
                total = total + values[at]
                out[at] = total
    return result


def running_product(const double[:] values, const int64_t[:] start):
    """Exclusive running products of the segments values[start[i]:start[i + 1]]."""
    cdef Py_ssize_t segment, at
    cdef double product
    result = np.empty(values.shape[0])
    cdef double[::1] out = result
    with nogil:
        for segment in range(start.shape[0] - 1):
            product = 1.0
            for at in range(start[segment], start[segment + 1]):
                out[at] = product
                product = product * values[at]
    return result


def grouped(const int64_t[:] group, Py_ssize_t number):
    """Where the members of each group are, in their order, and where each group begins."""
    cdef Py_ssize_t at, size = group.shape[0]
    cdef int64_t total = 0, count
    order = np.empty(size, dtype=np.int64)
    start = np.zeros(number + 1, dtype=np.int64)
    following = np.empty(number + 1, dtype=np.int64)
    cdef int64_t[::1] places = order, begin = start, free = following
    with nogil:
        for at in range(size):
            begin[group[at]] += 1
        for at in range(number + 1):
            count = begin[at]
            begin[at] = total
            free[at] = total
            total += count
        for at in range(size):
            places[free[group[at]]] = at
            free[group[at]] += 1
    return order, start


def sums(
    const double[::1] values,
    const double[::1] factors,
    const int64_t[::1] start,
    const double[::1] rank,
    double deepest,
):
    """The sum of each segment's values, each times its factor, as far as ranks are within reach.

    ``factors`` None: each value as it is; ``rank`` None: to the end of the segment.
    """
    cdef Py_ssize_t segment, at, segments = start.shape[0] - 1
    cdef double total
    cdef bint weighed = factors is not None, ranked = rank is not None
    result = np.empty(segments)
    cdef double[::1] out = result
    with nogil:
        for segment in range(segments):
            total = 0.0
            for at in range(start[segment], start[segment + 1]):
                if ranked and rank[at] > deepest:
                    break
                total = total + (values[at] * factors[at] if weighed else values[at])
            out[segment] = total
    return result


def at_depth(
    const double[::1] cumulated,
    const int64_t[::1] start,
    const int64_t[::1] of_segment,
    const int64_t[::1] segment_start,
    const double[::1] rank,
):
    """For each member of a segment the cumulated value of another, so many steps down its list.

    Segment n asks list of_segment[n], whose steps are cumulated[start[of]:start[of + 1]]; below
    its end a list has what it ends with, and above its beginning 0.
    """
    cdef Py_ssize_t segment, at, depth, first, most
    result = np.empty(rank.shape[0])
    cdef double[::1] out = result
    with nogil:
        for segment in range(segment_start.shape[0] - 1):
            first = <Py_ssize_t>start[of_segment[segment]]
            most = <Py_ssize_t>start[of_segment[segment] + 1] - first
            for at in range(segment_start[segment], segment_start[segment + 1]):
                depth = <Py_ssize_t>rank[at]
                if depth > most:
                    depth = most
                out[at] = cumulated[first + depth - 1] if depth > 0 else 0.0
    return result


cdef inline void soon(
    const int64_t[::1] row, Py_ssize_t hit, Py_ssize_t rows,
    const int64_t[::1] pair_start, const int64_t[::1] intent, const double[::1] gain,
) noexcept nogil:
    """The pairs of hits that come soon will be wanted: have them brought near."""
    cdef Py_ssize_t ahead = hit + 2 * AHEAD
    cdef int64_t pair
    if ahead < row.shape[0]:
        fetch(&pair_start[0] + row[ahead])
        ahead = <Py_ssize_t>row[ahead - AHEAD]
        if 0 <= ahead < rows:
            pair = pair_start[ahead]
            fetch(&intent[0] + pair)
            fetch(&gain[0] + pair)


def spread(
    const int64_t[::1] row,
    const int64_t[::1] hit_start,
    const int64_t[::1] base,
    const int64_t[::1] pair_start,
    const int64_t[::1] intent,
    const double[::1] gain,
    Py_ssize_t number,
):
    """Hits by list and intent: where each of ``number`` groups begins, and its hits and gains.

    Hit h of list n is relevant, where its gain is positive, to the intents of the pairs
    pair_start[row[h]]:pair_start[row[h] + 1], and belongs to the group base[n] + intent.
    """
    cdef Py_ssize_t n, hit, pair, group, lists = hit_start.shape[0] - 1
    cdef Py_ssize_t rows = pair_start.shape[0] - 1
    cdef int64_t total = 0, count
    cdef bint outside = False
    start = np.zeros(number + 1, dtype=np.int64)
    following = np.empty(number + 1, dtype=np.int64)
    cdef int64_t[::1] begin = start, free = following
    with nogil:
        for n in range(lists):
            for hit in range(hit_start[n], hit_start[n + 1]):
                if not 0 <= row[hit] < rows:
                    outside = True
                    break
                soon(row, hit, rows, pair_start, intent, gain)
                for pair in range(pair_start[row[hit]], pair_start[row[hit] + 1]):
                    if gain[pair] > 0:
                        group = <Py_ssize_t>(base[n] + intent[pair])
                        if not 0 <= group < number:
                            outside = True
                            break
                        begin[group] += 1
        for group in range(number + 1):
            count = begin[group]
            begin[group] = total
            free[group] = total
            total += count
    if outside:
        raise ValueError("a hit lies outside the judgments")
    member = np.empty(total, dtype=np.int64)
    gained = np.empty(total)
    cdef int64_t[::1] members = member
    cdef double[::1] gains = gained
    with nogil:
        for n in range(lists):
            for hit in range(hit_start[n], hit_start[n + 1]):
                soon(row, hit, rows, pair_start, intent, gain)
                for pair in range(pair_start[row[hit]], pair_start[row[hit] + 1]):
                    if gain[pair] > 0:
                        group = <Py_ssize_t>(base[n] + intent[pair])
                        members[free[group]] = hit
                        gains[free[group]] = gain[pair]
                        free[group] += 1
    return start, member, gained


def ranked(const int64_t[::1] group, Py_ssize_t number, const double[::1] gain):
    """Members by group, in each the largest gain first, the later member first among equals."""
    cdef Py_ssize_t at, n, size
    order, start = grouped(group, number)
    cdef int64_t[::1] places = order, begin = start
    cdef Ranked* held
    cdef Py_ssize_t most = 0
    for n in range(number):
        most = max(most, begin[n + 1] - begin[n])
    held = <Ranked*>malloc((2 * most + 1) * sizeof(Ranked))
    if held == NULL:
        raise MemoryError
    with nogil:
        for n in range(number):
            size = <Py_ssize_t>(begin[n + 1] - begin[n])
            for at in range(size):
                # the later first: so it stays where gains are equal
                held[at].member = places[begin[n + 1] - 1 - at]
                held[at].gain = gain[held[at].member]
            by_gain(held, held + most, size)
            for at in range(size):
                places[begin[n] + at] = held[at].member
        free(held)
    return order, start


cdef struct Pattern:
    #: a document of the pattern, for its values
    int64_t row
    #: the document that comes next, the last of them by identifier first; -1 where there is none
    int64_t head
    double worth


cdef struct Greedy:
    Pattern* pattern
    Py_ssize_t count
    int64_t* slot
    Py_ssize_t slots
    #: of each document of the topic, the one before it in its pattern
    int64_t* before
    double* state


cdef inline uint64_t pattern_hash(
    const int64_t[::1] intent, const double[::1] value, int64_t low, int64_t high
) noexcept nogil:
    cdef uint64_t mixed = 0x9E3779B97F4A7C15U, word
    cdef int64_t pair
    for pair in range(low, high):
        if value[pair] > 0:
            memcpy(&word, &value[pair], 8)
            mixed = (mixed ^ word ^ <uint64_t>intent[pair] << 1) * <uint64_t>0xD6E8FEB86659FD93U
            mixed ^= mixed >> 32
    return mixed


cdef inline bint alike(
    const int64_t[::1] intent, const double[::1] value,
    int64_t a, int64_t a_end, int64_t b, int64_t b_end,
) noexcept nogil:
    """Whether two documents have equal values for all intents."""
    while True:
        while a < a_end and not value[a] > 0:
            a += 1
        while b < b_end and not value[b] > 0:
            b += 1
        if a == a_end or b == b_end:
            return a == a_end and b == b_end
        if intent[a] != intent[b] or value[a] != value[b]:
            return False
        a += 1
        b += 1


cdef void find_patterns(
    Greedy* held, const int64_t[::1] pair_start, const int64_t[::1] intent,
    const double[::1] value, int64_t first, int64_t last,
) noexcept nogil:
    """The patterns of a topic's documents."""
    cdef int64_t row, low, high, known
    cdef Py_ssize_t place
    held.count = 0
    for place in range(held.slots):
        held.slot[place] = -1
    for row in range(first, last):
        low, high = pair_start[row], pair_start[row + 1]
        if low == high:
            continue
        place = <Py_ssize_t>(pattern_hash(intent, value, low, high) & <uint64_t>(held.slots - 1))
        while held.slot[place] >= 0:
            known = held.pattern[held.slot[place]].row
            if alike(intent, value, low, high, pair_start[known], pair_start[known + 1]):
                break
            place = (place + 1) & (held.slots - 1)
        if held.slot[place] < 0:
            held.slot[place] = held.count
            held.pattern[held.count].row = row
            held.pattern[held.count].head = -1
            held.count += 1
        held.before[row - first] = held.pattern[held.slot[place]].head
        held.pattern[held.slot[place]].head = row


def greedy(
    const int64_t[::1] document_start,
    const int64_t[::1] pair_start,
    const int64_t[::1] intent_start,
    const int64_t[::1] intent,
    const double[::1] value,
    double left,
    Py_ssize_t depth,
):
    """For each topic its relevant documents, at each step the one that adds most.

    What a document adds is the sum of its values, each times ``left`` for every document before it
    with a value for that intent. Ties go to the later row. ``depth`` documents, or all if that is
    negative. How many there are of each topic, and the rows.
    """
    cdef Py_ssize_t topics = document_start.shape[0] - 1, t, n, best, most = 0, widest = 0
    cdef Py_ssize_t relevant, wanted, step, at = 0, room = 0
    cdef int64_t first, row, pair, local
    cdef double worth
    cdef Greedy held
    # then nothing is ever worth more than before, and what was worth too little need not be asked
    cdef bint falling = 0 <= left <= 1
    for t in range(topics):
        relevant = 0
        for row in range(document_start[t], document_start[t + 1]):
            relevant += pair_start[row + 1] > pair_start[row]
        most = max(most, document_start[t + 1] - document_start[t])
        widest = max(widest, intent_start[t + 1] - intent_start[t])
        room += relevant if depth < 0 else min(relevant, depth)
    number = np.zeros(topics, dtype=np.int64)
    rows = np.empty(room, dtype=np.int64)
    cdef int64_t[::1] numbers = number, chosen = rows
    held.slots = 16
    while held.slots < 2 * most:
        held.slots *= 2
    held.pattern = <Pattern*>malloc((most + 1) * sizeof(Pattern))
    held.slot = <int64_t*>malloc(held.slots * sizeof(int64_t))
    held.before = <int64_t*>malloc((most + 1) * sizeof(int64_t))
    held.state = <double*>malloc((widest + 1) * sizeof(double))
    try:
        if not (held.pattern and held.slot and held.before and held.state):
            raise MemoryError
        with nogil:
            for t in range(topics):
                first = document_start[t]
                held.slots = 16
                while held.slots < 2 * (document_start[t + 1] - first):
                    held.slots *= 2
                find_patterns(&held, pair_start, intent, value, first, document_start[t + 1])
                for n in range(intent_start[t + 1] - intent_start[t]):
                    held.state[n] = 1.0
                step = 0
                while step != depth:
                    best = -1
                    for n in range(held.count):
                        if held.pattern[n].head < 0:
                            continue
                        if falling and step and best >= 0 and (
                            held.pattern[n].worth < held.pattern[best].worth
                        ):
                            continue
                        worth = 0.0
                        row = held.pattern[n].row
                        for pair in range(pair_start[row], pair_start[row + 1]):
                            local = intent[pair] - intent_start[t]
                            worth = worth + value[pair] * held.state[local]
                        held.pattern[n].worth = worth
                        if best < 0 or worth > held.pattern[best].worth or (
                            worth == held.pattern[best].worth
                            and held.pattern[n].head > held.pattern[best].head
                        ):
                            best = n
                    if best < 0:
                        break
                    row = held.pattern[best].head
                    held.pattern[best].head = held.before[row - first]
                    chosen[at] = row
                    at += 1
                    step += 1
                    for pair in range(pair_start[row], pair_start[row + 1]):
                        if value[pair] > 0:
                            held.state[intent[pair] - intent_start[t]] *= left
                numbers[t] = step
    finally:
        free(held.pattern)
        free(held.slot)
        free(held.before)
        free(held.state)
    return number, rows
