# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What fields of a line hold, for the compiled scanners: kinds of bytes, hashes, UTF-8, numbers.

Every function here says no where it is not sure; the plain reader then reads the file instead.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy


cdef extern from *:
    """
    #include <float.h>
    #include <stdint.h>

    /* 0: part of a name or a number; the rest as in the enumeration below */
    static const unsigned char polyseme_kind[256] = {
        3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3,
        4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
        4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
        4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
        4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};

    static const double polyseme_power[23] = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

    /* 5^0 to 5^27: the powers that 64 bits can hold */
    static const uint64_t polyseme_fives[28] = {
        1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u, 48828125u,
        244140625u, 1220703125u, 6103515625u, 30517578125u, 152587890625u, 762939453125u,
        3814697265625u, 19073486328125u, 95367431640625u, 476837158203125u, 2384185791015625u,
        11920928955078125u, 59604644775390625u, 298023223876953125u, 1490116119384765625u,
        7450580596923828125u};

    /* digits * 10^exponent, rounded as by exact arithmetic; 0 where this way cannot tell */
    static int polyseme_decimal(uint64_t digits, int exponent, double *value) {
    #if FLT_EVAL_METHOD == 0
        if (digits <= ((uint64_t)1 << 53) && exponent >= -22 && exponent <= 22) {
            /* both are exact as doubles, so one operation rounds once */
            *value = exponent < 0 ? (double)digits / polyseme_power[-exponent]
                                  : (double)digits * polyseme_power[exponent];
            return 1;
        }
    #if defined(__SIZEOF_INT128__)
        if (digits && exponent < 0 && exponent >= -27) {
            /* digits / (5^k 2^k): 64 or 63 bits of the quotient by 5^k, and whether there is more */
            uint64_t divisor = polyseme_fives[-exponent], quotient, kept, half;
            int k = -exponent, up = __builtin_clzll(divisor), shift, more, drop;
            unsigned __int128 dividend;
            divisor <<= up;
            shift = up - __builtin_clzll(digits);
            dividend = (unsigned __int128)(digits << __builtin_clzll(digits)) << 63;
            quotient = (uint64_t)(dividend / divisor);
            more = (unsigned __int128)quotient * divisor != dividend;
            /* the value is quotient * 2^(shift - 63 - k), and quotient has 63 or 64 bits */
            drop = quotient >> 63 ? 11 : 10;
            kept = quotient >> drop;
            half = (uint64_t)1 << (drop - 1);
            quotient &= ((uint64_t)1 << drop) - 1;
            if (quotient > half || (quotient == half && (more || (kept & 1)))) kept++;
            {
                /* far from the ends of a double's range: scaling by powers of two is exact */
                int power = shift - 63 - k + drop;
                double scaled = (double)kept;
                while (power < 0) {
                    int step = power < -60 ? 60 : -power;
                    scaled /= (double)((uint64_t)1 << step);
                    power += step;
                }
                while (power > 0) {
                    int step = power > 60 ? 60 : power;
                    scaled *= (double)((uint64_t)1 << step);
                    power -= step;
                }
                *value = scaled;
            }
            return 1;
        }
    #endif
    #endif
        return 0;
    }
    """
    const unsigned char* KIND "polyseme_kind"
    bint decimal_exactly "polyseme_decimal"(uint64_t, int, double*) noexcept nogil


cdef enum:
    BLANK = 1
    LINE_FEED = 2
    CONTROL = 3
    #: a byte of a letter beyond ASCII
    HIGH = 4


cdef inline uint64_t hash_of(const unsigned char* name, Py_ssize_t size) noexcept nogil:
    """A hash all of whose bits are mixed. Whoever finds two equal ones compares the names."""
    cdef uint64_t mixed = <uint64_t>size * <uint64_t>0x9E3779B97F4A7C15
    cdef uint64_t word = 0
    cdef const unsigned char* end = name + size
    while end - name >= 8:
        memcpy(&word, name, 8)
        mixed = (mixed ^ word) * <uint64_t>0xD6E8FEB86659FD93
        mixed ^= mixed >> 32
        name += 8
    if end > name:
        if size >= 8:
            memcpy(&word, end - 8, 8)  # some letters twice
        else:
            word = 0
            while end > name:
                end -= 1
                word = word << 8 | end[0]
        mixed = (mixed ^ word) * <uint64_t>0xD6E8FEB86659FD93
        mixed ^= mixed >> 32
    mixed *= <uint64_t>0xC2B2AE3D27D4EB4F
    return mixed ^ mixed >> 29


cdef inline bint is_utf8(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """As Python decodes it: the shortest form only, and no surrogates."""
    cdef unsigned char first, low, high
    cdef int more
    while at < end:
        first = at[0]
        at += 1
        if first < 0x80:
            continue
        low, high = 0x80, 0xBF
        if 0xC2 <= first <= 0xDF:
            more = 1
        elif 0xE0 <= first <= 0xEF:
            more = 2
            if first == 0xE0:
                low = 0xA0
            elif first == 0xED:
                high = 0x9F
        elif 0xF0 <= first <= 0xF4:
            more = 3
            if first == 0xF0:
                low = 0x90
            elif first == 0xF4:
                high = 0x8F
        else:
            return False
        if end - at < more or not low <= at[0] <= high:
            return False
        at += 1
        while more > 1:
            if not 0x80 <= at[0] <= 0xBF:
                return False
            at += 1
            more -= 1
    return True


cdef inline bint whole_number(
    const unsigned char* at, const unsigned char* end, int64_t greatest, int64_t* value
) noexcept nogil:
    """A whole number from -greatest to greatest, written with at most 18 digits and zeros."""
    cdef bint negative = False
    cdef const unsigned char* first
    cdef int64_t found = 0
    if at < end and (at[0] == c'-' or at[0] == c'+'):
        negative = at[0] == c'-'
        at += 1
    first = at
    while at < end and c'0' <= at[0] <= c'9':
        if at - first == 18:
            return False
        found = 10 * found + (at[0] - c'0')
        at += 1
    if at == first or found > greatest:
        return False
    if at < end and at[0] == c'.':
        at += 1
        while at < end and at[0] == c'0':
            at += 1
    value[0] = -found if negative else found
    return at == end


cdef inline bint looks_decimal(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Digits with a point, a sign, an exponent: nothing else that float() takes."""
    cdef Py_ssize_t digits = 0
    if at < end and (at[0] == c'-' or at[0] == c'+'):
        at += 1
    while at < end and (c'0' <= at[0] <= c'9'):
        at += 1
        digits += 1
    if at < end and at[0] == c'.':
        at += 1
        while at < end and (c'0' <= at[0] <= c'9'):
            at += 1
            digits += 1
    if not digits:
        return False
    if at < end and (at[0] == c'e' or at[0] == c'E'):
        at += 1
        if at < end and (at[0] == c'-' or at[0] == c'+'):
            at += 1
        if at == end:
            return False
        while at < end and (c'0' <= at[0] <= c'9'):
            at += 1
    return at == end


cdef inline bint quick_decimal(
    const unsigned char* at, const unsigned char* end, double* value
) noexcept nogil:
    """The double nearest to a decimal number, where few digits and a small exponent allow it."""
    cdef bint negative = False
    cdef bint lowered = False
    cdef uint64_t digits = 0
    cdef int exponent = 0
    cdef int written = 0
    cdef int significant = 0
    cdef unsigned char letter
    cdef const unsigned char* first
    if at < end and (at[0] == c'-' or at[0] == c'+'):
        negative = at[0] == c'-'
        at += 1
    first = at
    if end - at <= 18:
        # the common case: no more digits than there is room for, perhaps a point, no exponent
        while at < end and c'0' <= at[0] <= c'9':
            digits = 10 * digits + (at[0] - c'0')
            at += 1
        if at < end and at[0] == c'.' and end - first > 1:
            at += 1
            exponent = <int>(at - end)
            while at < end and c'0' <= at[0] <= c'9':
                digits = 10 * digits + (at[0] - c'0')
                at += 1
        if at == end and at > first:
            if not decimal_exactly(digits, exponent, value):
                return False
            if negative:
                value[0] = -value[0]
            return True
        at, digits, exponent = first, 0, 0
    while at < end and c'0' <= at[0] <= c'9':
        digits = 10 * digits + (at[0] - c'0')
        significant += digits != 0
        written += 1
        at += 1
        if significant > 19:
            return False
    if at < end and at[0] == c'.':
        at += 1
        while at < end and c'0' <= at[0] <= c'9':
            digits = 10 * digits + (at[0] - c'0')
            significant += digits != 0
            written += 1
            exponent -= 1
            at += 1
            if significant > 19 or exponent < -400:
                return False
    if not written:
        return False
    if at < end:
        letter = at[0]
        if letter != c'e' and letter != c'E':
            return False
        at += 1
        if at < end and (at[0] == c'-' or at[0] == c'+'):
            lowered = at[0] == c'-'
            at += 1
        if at == end or end - at > 3:
            return False
        written = 0
        while at < end:
            if not c'0' <= at[0] <= c'9':
                return False
            written = 10 * written + (at[0] - c'0')
            at += 1
        exponent += -written if lowered else written
    if not decimal_exactly(digits, exponent, value):
        return False
    if negative:
        value[0] = -value[0]
    return True
