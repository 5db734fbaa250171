# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled scanner of TREC judgments: ``topic intent doc grade``.

Like `_run_scan` it reads what is plainly well formed. A judgment that comes again, with the same
grade or another, is for the plain reader.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

from polyseme.collection.formats._fields cimport hash_of, whole_number
from polyseme.collection.formats._lines cimport (
    INTERLEAVED, NO_MEMORY, UNUSUAL, WELL, Field, LineScan, next_fields,
)
from polyseme.collection.formats._names cimport (
    OUT_OF_MEMORY, Names, Numbers, forget, let_go, number_of, put, same,
)

cdef enum:
    #: as in fields.py
    GREATEST_GRADE = 1000000


cdef struct Judgment:
    int document
    int intent
    int64_t grade


cdef struct Topic:
    Names documents
    Judgment* judgment
    Py_ssize_t count
    Py_ssize_t room


cdef struct Named:
    #: a document's identifier and number, for sorting
    const unsigned char* at
    Py_ssize_t size
    int64_t number


cdef int by_name(const void* a, const void* b) noexcept nogil:
    cdef const Named* one = <const Named*>a
    cdef const Named* other = <const Named*>b
    cdef int found = memcmp(one.at, other.at, min(one.size, other.size))
    if found:
        return found
    return (one.size > other.size) - (one.size < other.size)


cdef class JudgmentScan(LineScan):
    """One reading of a file. ``interleaved`` keeps all topics until the end."""

    cdef bint interleaved
    cdef Names topics, intents
    cdef Topic* held
    cdef Py_ssize_t held_room, current
    cdef Named* sorted
    cdef int64_t* begin
    cdef Py_ssize_t sort_room
    # for each topic how many documents; for each document its letters' end and how many judgments;
    # for each judgment the intent (by when it was met) and the grade
    cdef Numbers documents, ends, judgments, intent, grade
    cdef unsigned char* letters
    cdef Py_ssize_t letter_count, letter_room

    def __cinit__(self, bint interleaved):
        self.interleaved = interleaved
        self.current = -1

    def __dealloc__(self):
        cdef Py_ssize_t n
        for n in range(self.held_room):
            let_go(&self.held[n].documents)
            free(self.held[n].judgment)
        free(self.held)
        let_go(&self.topics)
        let_go(&self.intents)
        free(self.sorted)
        free(self.begin)
        free(self.documents.at)
        free(self.ends.at)
        free(self.judgments.at)
        free(self.intent.at)
        free(self.grade.at)
        free(self.letters)

    # ---- reading ---------------------------------------------------------------------------------

    cdef int lines(self, const unsigned char* at, const unsigned char* end) noexcept nogil:
        cdef Field[4] fields
        cdef int count, outcome
        if not self.mark(at, end):
            return NO_MEMORY
        while self.marks.line < end:
            count = next_fields(&self.marks, fields, 4)
            if count == 0:
                continue
            outcome = UNUSUAL if count < 0 else self._line(fields)
            if outcome != WELL:
                return outcome
        return WELL

    cdef int last(self) noexcept nogil:
        cdef int outcome = WELL
        cdef Py_ssize_t n
        if self.current < 0:
            return UNUSUAL  # not one record
        if not self.interleaved:
            return self._finish_topic(&self.held[0])
        for n in range(self.topics.count):
            outcome = self._finish_topic(&self.held[n])
            if outcome != WELL:
                break
        return outcome

    cdef inline int _line(self, Field* fields) noexcept nogil:
        cdef Py_ssize_t size = fields[0].end - fields[0].at
        cdef int64_t topic, intent, document, grade
        cdef Topic* found
        cdef Judgment* grown
        cdef bint new
        cdef int outcome
        if (
            self.current < 0
            or size != self.topics.start[self.current + 1] - self.topics.start[self.current]
            or not same(fields[0].at, self.topics.block + self.topics.start[self.current], size)
        ):
            outcome = self._change_topic(fields[0].at, size)
            if outcome != WELL:
                return outcome
        if not whole_number(fields[3].at, fields[3].end, GREATEST_GRADE, &grade):
            return UNUSUAL
        found = &self.held[self.current if self.interleaved else 0]
        intent = numbered(&self.intents, &fields[1], &new)
        document = numbered(&found.documents, &fields[2], &new)
        if intent == OUT_OF_MEMORY or document == OUT_OF_MEMORY:
            return NO_MEMORY
        if found.count == found.room:
            # More judgments than there are documents and intents: some come again.
            if found.count > found.documents.count * self.intents.count:
                return UNUSUAL
            grown = <Judgment*>realloc(found.judgment, (2 * found.room + 64) * sizeof(Judgment))
            if grown == NULL:
                return NO_MEMORY
            found.judgment, found.room = grown, 2 * found.room + 64
        found.judgment[found.count] = Judgment(<int>document, <int>intent, grade)
        found.count += 1
        return WELL

    cdef int _change_topic(self, const unsigned char* name, Py_ssize_t size) noexcept nogil:
        cdef bint new
        cdef Topic* grown
        cdef int outcome
        cdef Py_ssize_t room, left = self.current
        self.current = <Py_ssize_t>number_of(&self.topics, name, size, hash_of(name, size), &new)
        if self.current == OUT_OF_MEMORY:
            return NO_MEMORY
        if not new:
            return WELL if self.interleaved else INTERLEAVED
        if not self.interleaved and left >= 0:
            outcome = self._finish_topic(&self.held[0])
            if outcome != WELL:
                return outcome
        room = self.current + 1 if self.interleaved else 1
        if room > self.held_room:
            room = room if room == 1 else 2 * room
            grown = <Topic*>realloc(self.held, room * sizeof(Topic))
            if grown == NULL:
                return NO_MEMORY
            memset(grown + self.held_room, 0, (room - self.held_room) * sizeof(Topic))
            self.held, self.held_room = grown, room
        return WELL

    # ---- a topic that is complete ----------------------------------------------------------------

    cdef int _finish_topic(self, Topic* found) noexcept nogil:
        """Its documents in order, and each one's judgments; and room for another topic."""
        cdef Py_ssize_t count = found.documents.count
        cdef Py_ssize_t n, line
        cdef int64_t begin, number
        if count + 2 > self.sort_room and not self._more_to_sort(2 * count + 2):
            return NO_MEMORY
        for n in range(count):
            begin = found.documents.start[n]
            self.sorted[n] = Named(
                found.documents.block + begin,
                <Py_ssize_t>(found.documents.start[n + 1] - begin),
                n,
            )
        qsort(self.sorted, count, sizeof(Named), by_name)
        # begin[d]: where the judgments of document d go, behind those of the documents before it
        memset(self.begin, 0, (count + 1) * sizeof(int64_t))
        for line in range(found.count):
            self.begin[found.judgment[line].document] += 1
        begin = self.intent.count
        for n in range(count):
            number = self.sorted[n].number
            if not self._put_letters(&self.sorted[n]) or not put(
                &self.judgments, self.begin[number]
            ):
                return NO_MEMORY
            begin += self.begin[number]
            self.begin[number] = begin - self.begin[number]
        for line in range(found.count):
            if not put(&self.intent, 0) or not put(&self.grade, 0):
                return NO_MEMORY
        for line in range(found.count):
            number = found.judgment[line].document
            self.intent.at[self.begin[number]] = found.judgment[line].intent
            self.grade.at[self.begin[number]] = found.judgment[line].grade
            self.begin[number] += 1
        forget(&found.documents)
        found.count = 0
        return WELL if put(&self.documents, count) else NO_MEMORY

    cdef bint _more_to_sort(self, Py_ssize_t room) noexcept nogil:
        cdef void* grown = realloc(self.sorted, room * sizeof(Named))
        if grown == NULL:
            return False
        self.sorted = <Named*>grown
        grown = realloc(self.begin, room * sizeof(int64_t))
        if grown == NULL:
            return False
        self.begin, self.sort_room = <int64_t*>grown, room
        return True

    cdef bint _put_letters(self, Named* name) noexcept nogil:
        cdef void* grown
        cdef Py_ssize_t room
        if self.letter_count + name.size > self.letter_room:
            room = 2 * (self.letter_count + name.size) + 1024
            grown = realloc(self.letters, room)
            if grown == NULL:
                return False
            self.letters, self.letter_room = <unsigned char*>grown, room
        memcpy(self.letters + self.letter_count, name.at, name.size)
        self.letter_count += name.size
        return put(&self.ends, self.letter_count)

    # ---- what was found --------------------------------------------------------------------------

    def names_of_topics(self):
        """Every topic, in the order in which they were met."""
        return as_names(&self.topics)

    def names_of_intents(self):
        """Every intent of any topic, in the order in which they were met."""
        return as_names(&self.intents)

    def arranged(self, const int64_t[::1] topic_order, const int64_t[::1] intent_place):
        """The arrays of a Judged, its intents by their places in the natural order of all.

        None where a judgment comes again.
        """
        cdef Py_ssize_t topics = self.topics.count, documents = self.ends.count
        cdef Py_ssize_t lines = self.intent.count, intents = self.intents.count
        cdef Py_ssize_t n, t, d, line, other, size, held, document = 0, at = 0
        cdef int64_t begin, letter, place
        document_start = np.zeros(topics + 1, dtype=np.int64)
        letters = PyBytes_FromStringAndSize(NULL, self.letter_count)
        letter_start = np.zeros(documents + 1, dtype=np.int64)
        line_start = np.zeros(documents + 1, dtype=np.int64)
        line_intent = np.zeros(lines, dtype=np.int64)
        line_grade = np.zeros(lines, dtype=np.int64)
        intent_start = np.zeros(topics + 1, dtype=np.int64)
        present = np.zeros(intents + 1, dtype=np.uint8)
        here = np.zeros(intents + 1, dtype=np.int64)
        first = np.zeros((2, topics + 1), dtype=np.int64)
        cdef int64_t[::1] to_document = document_start, to_letter = letter_start
        cdef int64_t[::1] to_line = line_start, to_intent = intent_start
        cdef int64_t[::1] out_intent = line_intent, out_grade = line_grade, number = here
        cdef int64_t[:, ::1] before = first
        cdef unsigned char[::1] seen = present
        cdef char* block = PyBytes_AS_STRING(letters)
        cdef Numbers kept
        cdef bint again = False, short = False
        memset(&kept, 0, sizeof(Numbers))
        with nogil:
            # where each topic's documents and judgments are, in the order in which they were met
            for t in range(topics):
                before[0, t + 1] = before[0, t] + self.documents.at[t]
                before[1, t + 1] = before[1, t]
                for d in range(before[0, t], before[0, t + 1]):
                    before[1, t + 1] += self.judgments.at[d]
            for n in range(topics):
                t = <Py_ssize_t>topic_order[n]
                line = <Py_ssize_t>before[1, t]
                # the topic's intents, in order
                held = kept.count
                while line < before[1, t + 1] and not short:
                    place = intent_place[self.intent.at[line]]
                    if not seen[place]:
                        seen[place] = 1
                        short |= not put_sorted(&kept, held, place)
                    line += 1
                for other in range(held, kept.count):
                    number[kept.at[other]] = other
                    seen[kept.at[other]] = 0
                to_intent[n + 1] = kept.count
                line = <Py_ssize_t>before[1, t]
                for d in range(before[0, t], before[0, t + 1]):
                    letter = self.ends.at[d - 1] if d else 0
                    size = <Py_ssize_t>(self.ends.at[d] - letter)
                    memcpy(block + to_letter[document], self.letters + letter, size)
                    to_letter[document + 1] = to_letter[document] + size
                    begin = at
                    while at < begin + self.judgments.at[d]:
                        place = number[intent_place[self.intent.at[line]]]
                        other = at
                        while other > begin and out_intent[other - 1] > place:
                            out_intent[other] = out_intent[other - 1]
                            out_grade[other] = out_grade[other - 1]
                            other -= 1
                        again |= other > begin and out_intent[other - 1] == place
                        out_intent[other] = place
                        out_grade[other] = self.grade.at[line]
                        line += 1
                        at += 1
                    document += 1
                    to_line[document] = at
                to_document[n + 1] = document
        places = as_array(&kept)
        free(kept.at)
        if short:
            raise MemoryError
        if again:
            return None
        return (
            document_start, letters, letter_start, intent_start, places,
            line_start, line_intent, line_grade,
        )


cdef inline int64_t numbered(Names* names, Field* field, bint* new) noexcept nogil:
    cdef Py_ssize_t size = field.end - field.at
    return number_of(names, field.at, size, hash_of(field.at, size), new)


cdef bint put_sorted(Numbers* numbers, Py_ssize_t low, int64_t value) noexcept nogil:
    """A number among those from ``low`` on, which ascend."""
    cdef Py_ssize_t at
    if not put(numbers, value):
        return False
    at = numbers.count - 1
    while at > low and numbers.at[at - 1] > value:
        numbers.at[at] = numbers.at[at - 1]
        at -= 1
    numbers.at[at] = value
    return True


cdef as_names(Names* names):
    cdef Py_ssize_t n
    return [
        PyBytes_FromStringAndSize(
            <const char*>names.block + names.start[n],
            <Py_ssize_t>(names.start[n + 1] - names.start[n]),
        ).decode()
        for n in range(names.count)
    ]


cdef as_array(Numbers* numbers):
    cdef int64_t[::1] out
    result = np.empty(numbers.count, dtype=np.int64)
    if numbers.count:
        out = result
        memcpy(&out[0], numbers.at, numbers.count * sizeof(int64_t))
    return result


def hashed(const unsigned char[::1] block, const int64_t[::1] start, const int64_t[::1] group):
    """Where to look for names in groups: slots, and where those of each group start.

    Group g has the names group[g]:group[g + 1]. A slot holds the upper half of a hash, and a
    name's number in its group plus one; the number of a group's slots is a power of two.
    """
    cdef Py_ssize_t groups = group.shape[0] - 1
    cdef Py_ssize_t g, name, place, slots
    cdef uint64_t mixed
    begin = np.zeros(groups + 1, dtype=np.int64)
    cdef int64_t[::1] first = begin
    with nogil:
        for g in range(groups):
            slots = 4
            while slots < 2 * (group[g + 1] - group[g]):
                slots *= 2
            first[g + 1] = first[g] + slots
    table = np.zeros(begin[groups], dtype=np.uint64)
    cdef uint64_t[::1] slot = table
    with nogil:
        for g in range(groups):
            slots = <Py_ssize_t>(first[g + 1] - first[g])
            for name in range(group[g], group[g + 1]):
                mixed = hash_of(&block[0] + start[name], <Py_ssize_t>(start[name + 1] - start[name]))
                place = <Py_ssize_t>(mixed & <uint64_t>(slots - 1))
                while slot[first[g] + place]:
                    place = (place + 1) & (slots - 1)
                slot[first[g] + place] = (mixed >> 32 << 32) | <uint64_t>(name - group[g] + 1)
    return table, begin
