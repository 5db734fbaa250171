# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Compiled functions for many random trials. `polyseme.plain_trials` has the same in NumPy, and
`polyseme.trials` chooses between the two and checks the arguments, which these do not.
"""

from libc.math cimport pow
from libc.stdint cimport int64_t, uint64_t

import numpy as np


cdef extern from *:
    """
    /* The rest of the module is compiled with -O2, for which GCC vectorises next to nothing. */
    #if defined(__GNUC__) && !defined(__clang__)
    #define POLYSEME_VECTORISED __attribute__((optimize("O3")))
    #else
    #define POLYSEME_VECTORISED
    #endif
    #if defined(_MSC_VER)
    #define POLYSEME_ALONE __restrict
    #else
    #define POLYSEME_ALONE __restrict__
    #endif

    POLYSEME_VECTORISED static void polyseme_add(
        double *POLYSEME_ALONE to, const double *POLYSEME_ALONE what, Py_ssize_t count
    ) {
        for (Py_ssize_t at = 0; at < count; at++) to[at] += what[at];
    }

    POLYSEME_VECTORISED static void polyseme_add_product(
        double *POLYSEME_ALONE to, const double *POLYSEME_ALONE a, const double *POLYSEME_ALONE b,
        Py_ssize_t count
    ) {
        for (Py_ssize_t at = 0; at < count; at++) to[at] += a[at] * b[at];
    }

    POLYSEME_VECTORISED static void polyseme_multiply_raised(
        double *POLYSEME_ALONE to, const double *POLYSEME_ALONE a, const double *POLYSEME_ALONE b,
        double floor, Py_ssize_t count
    ) {
        for (Py_ssize_t at = 0; at < count; at++) {
            double share = a[at] * b[at];
            to[at] *= share > floor ? share : floor;
        }
    }

    POLYSEME_VECTORISED static void polyseme_widen(
        double *POLYSEME_ALONE low, double *POLYSEME_ALONE high,
        const double *POLYSEME_ALONE what, Py_ssize_t count
    ) {
        for (Py_ssize_t at = 0; at < count; at++) {
            low[at] = what[at] < low[at] ? what[at] : low[at];
            high[at] = what[at] > high[at] ? what[at] : high[at];
        }
    }
    """
    void polyseme_add(double* to, const double* what, Py_ssize_t count) noexcept nogil
    void polyseme_add_product(
        double* to, const double* a, const double* b, Py_ssize_t count
    ) noexcept nogil
    void polyseme_multiply_raised(
        double* to, const double* a, const double* b, double floor, Py_ssize_t count
    ) noexcept nogil
    void polyseme_widen(
        double* low, double* high, const double* what, Py_ssize_t count
    ) noexcept nogil


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
            polyseme_add_product(out, total + intent * variants, scale + intent * stride, variants)
        elif root == 1.0:
            polyseme_multiply_raised(
                out, total + intent * variants, scale + intent * stride, floor, variants
            )
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


#: trials whose sums stay near while a topic's scores are there
cdef enum:
    TILE = 4

#: SplitMix64's step, the golden ratio
cdef uint64_t STEP = <uint64_t>0x9E3779B97F4A7C15U


cdef inline uint64_t _mixed(uint64_t z) noexcept nogil:
    """SplitMix64's output (Steele, Lea and Flood 2014)."""
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9U
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EBU
    return z ^ (z >> 31)


def permuted_ranges(
    const double[:, :, ::1] by_topic, uint64_t key, Py_ssize_t first, Py_ssize_t trials
):
    """Of each trial and measure the largest total less the smallest; see `polyseme.trials`."""
    cdef Py_ssize_t topics = by_topic.shape[0], runs = by_topic.shape[1]
    cdef Py_ssize_t measures = by_topic.shape[2], row = runs * measures
    cdef Py_ssize_t base, trial, topic, run, other, at
    cdef uint64_t luck, counter
    cdef int64_t moved
    result = np.zeros((trials, measures))
    if not (trials and runs and measures):
        return result
    sums = np.empty((TILE, row))
    lowest = np.empty(measures)
    places = np.empty(runs, dtype=np.int64)
    cdef double[:, ::1] out = result, total = sums
    cdef double[::1] low = lowest
    cdef int64_t[::1] order = places
    with nogil:
        base = 0
        while base < trials:
            for trial in range(min(TILE, trials - base)):
                for at in range(row):
                    total[trial, at] = 0.0
            for topic in range(topics):
                for trial in range(min(TILE, trials - base)):
                    for run in range(runs):
                        order[run] = run
                    counter = <uint64_t>((first + base + trial) * topics + topic)
                    counter = counter * <uint64_t>runs + 1
                    for run in range(runs - 1, -1, -1):
                        luck = _mixed(key + (counter + <uint64_t>run) * STEP) >> 32
                        other = <Py_ssize_t>((luck * <uint64_t>(run + 1)) >> 32)
                        moved = order[other]
                        order[other] = order[run]
                        polyseme_add(
                            &total[trial, run * measures], &by_topic[topic, moved, 0], measures
                        )
            for trial in range(min(TILE, trials - base)):
                for at in range(measures):
                    low[at] = total[trial, at]
                    out[base + trial, at] = total[trial, at]
                for run in range(1, runs):
                    polyseme_widen(
                        &low[0], &out[base + trial, 0], &total[trial, run * measures], measures
                    )
                for at in range(measures):
                    out[base + trial, at] = out[base + trial, at] - low[at]
            base += TILE
    return result
