"""Predict tides from harmonic constituents.

Heights are metres above mean sea level, times are hours since the start of the
year, phases are degrees.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Constituent:
    """One periodic part of the tide."""

    name: str
    amplitude: float  # metres
    period: float  # hours
    phase: float  # degrees


HARBOUR = [
    Constituent("M2", 1.62, 12.4206, 118.0),
    Constituent("S2", 0.55, 12.0000, 161.5),
    Constituent("N2", 0.31, 12.6583, 97.2),
    Constituent("K1", 0.08, 23.9345, 12.8),
    Constituent("O1", 0.06, 25.8193, 331.0),
]


def ht(constituent, hours):
    """Return the height that one constituent adds at a time."""
    angle = 2 * math.pi * hours / constituent.period - math.radians(constituent.phase)
    return constituent.amplitude * math.cos(angle)


def total(constituents, hours):
    """Return the predicted height at a time."""
    return sum(ht(constituent, hours) for constituent in constituents)


def strongest(constituents, hours):
    """Return the constituent that moves the water most at a time."""
    return max(constituents, key=lambda one: abs(ht(one, hours)))


def high_water(constituents, start, end, step=0.1):
    """Return the time of the highest water between two times."""
    best = start
    hours = start
    while hours <= end:
        if total(constituents, hours) > total(constituents, best):
            best = hours
        hours += step
    return best


def profile(constituents, hours):
    """Return what each constituent adds at a time, by name."""
    return {one.name: round(ht(one, hours), 3) for one in constituents}
