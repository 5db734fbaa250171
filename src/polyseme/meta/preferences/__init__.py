"""What people prefer, and which measures prefer the same (Sakai and Zeng 2019)."""

from polyseme.meta.preferences.agreement import (
    AgreementTable,
    Majority,
    Reliability,
    preference_agreement,
    reliability,
)
from polyseme.meta.preferences.files import read_preferences, read_triplets
from polyseme.meta.preferences.matrix import Preferences, of_answers
from polyseme.meta.preferences.triplets import Choice, Funnel, Shown, Triplet, choose_triplets

__all__ = [
    "AgreementTable",
    "Choice",
    "Funnel",
    "Majority",
    "Preferences",
    "Reliability",
    "Shown",
    "Triplet",
    "choose_triplets",
    "of_answers",
    "preference_agreement",
    "read_preferences",
    "read_triplets",
    "reliability",
]
