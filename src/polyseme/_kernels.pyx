# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Compiled kernels. `polyseme.plain_kernels` has the same functions in NumPy, and
`polyseme.kernels` chooses between the two and checks the arguments, which these do not.

Both round alike: every segment is worked through in order, one operation at a time.
"""

from libc.stdint cimport int64_t

import numpy as np


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
