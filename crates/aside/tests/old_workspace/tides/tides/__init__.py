"""Tide predictions for a small harbour."""

from .harmonics import HARBOUR, high_water, total

__all__ = ["HARBOUR", "high_water", "total"]
