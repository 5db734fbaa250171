# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Compiled functions for many random trials. `polyseme.plain_trials` has the same in NumPy, and
`polyseme.trials` chooses between the two and checks the arguments, which these do not.
"""

from libc.math cimport pow
from libc.stdint cimport int64_t

import numpy as np


cdef void _flush(
    const double* total, const double* scale, double* out, Py_ssize_t intents, Py_ssize_t variants,
    Py_ssize_t stride, bint product, double floor, double root
) noexcept nogil:
    """One mean over intents at one cutoff."""
    cdef Py_ssize_t intent, at
    cdef double share
    for at in range(variants):
        out[at] = 1.0 if product else 0.0
    for intent in range(intents):
        if not product:
            for at in range(variants):
                out[at] += total[intent * variants + at] * scale[intent * stride + at]
        elif root == 1.0:
            for at in range(variants):
                share = total[intent * variants + at] * scale[intent * stride + at]
                out[at] *= share if share > floor else floor
        else:
            for at in range(variants):
                share = total[intent * variants + at] * scale[intent * stride + at]
                out[at] *= pow(share if share > floor else floor, root)


def novelty_means(
    const int64_t[:, ::1] ranked,
    const double[:, ::1] gains,
    const double[:, ::1] powers,
    const double[:, ::1] discounts,
    const int64_t[::1] cutoffs,
    const double[:, :, ::1] scale,
    Py_ssize_t product,
    double floor,
    double root,
):
    """Lists x means x (cutoffs, alphas, discounts); see `polyseme.trials`."""
    cdef Py_ssize_t lists = ranked.shape[0], depth = ranked.shape[1], intents = gains.shape[1]
    cdef Py_ssize_t alphas = powers.shape[0], kinds = discounts.shape[0]
    cdef Py_ssize_t means = scale.shape[0], cuts = cutoffs.shape[0]
    cdef Py_ssize_t variants = alphas * kinds, stride = cuts * variants
    cdef Py_ssize_t place, rank, intent, alpha, kind, mean, done, at
    cdef int64_t document, before
    cdef double gain, worth
    result = np.zeros((lists, means, stride))
    held = np.zeros(max(intents * variants, 1))
    counted = np.zeros(max(intents, 1), dtype=np.int64)
    if not (lists and means and stride and intents):
        if product >= 0:
            result[:, product] = 1.0
        return result
    cdef double[:, :, ::1] out = result
    cdef double[::1] total = held
    cdef int64_t[::1] seen = counted
    with nogil:
        for place in range(lists):
            for at in range(intents * variants):
                total[at] = 0.0
            for intent in range(intents):
                seen[intent] = 0
            done = 0
            for rank in range(depth + 1):
                while done < cuts and (rank == cutoffs[done] or rank == depth):
                    for mean in range(means):
                        _flush(
                            &total[0], &scale[mean, 0, done * variants],
                            &out[place, mean, done * variants], intents, variants, stride,
                            mean == product, floor, root,
                        )
                    done += 1
                if rank == depth or done == cuts:
                    break
                document = ranked[place, rank]
                if document < 0:
                    continue
                for intent in range(intents):
                    gain = gains[document, intent]
                    if gain <= 0.0:
                        continue
                    before = seen[intent]
                    seen[intent] = before + 1
                    at = intent * variants
                    for alpha in range(alphas):
                        worth = gain * powers[alpha, before]
                        for kind in range(kinds):
                            total[at] += worth * discounts[kind, rank]
                            at += 1
    return result
