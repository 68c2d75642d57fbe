"""Reservations of boats: who has which boat, from when to when."""

from dataclasses import dataclass
from datetime import datetime, timedelta

COLLECT_WITHIN = timedelta(minutes=45)
ADVANCE_SHARE = {"canoe": 0.80, "kayak": 0.80, "tent": 0.95}


class NotFree(Exception):
    """The boat is taken in that time."""


@dataclass(frozen=True)
class Reservation:
    """One boat, one customer, one span of time."""

    boat: str
    customer: str
    start: datetime
    end: datetime

    def overlaps(self, other: "Reservation") -> bool:
        """Whether both want the same boat at the same time; touching is fine."""
        return self.boat == other.boat and self.start < other.end and other.start < self.end


class Calendar:
    """All reservations of one shop."""

    def __init__(self, boats: dict[str, str]) -> None:
        self.boats = boats
        self.reservations: list[Reservation] = []

    def reserve(self, wanted: Reservation) -> None:
        """Enter a reservation.

        Raises:
            NotFree: the boat is taken, or too many of its kind are reserved in advance.
        """
        if any(wanted.overlaps(other) for other in self.reservations):
            raise NotFree(wanted.boat)
        kind = self.boats[wanted.boat]
        of_kind = [boat for boat, other in self.boats.items() if other == kind]
        taken = {r.boat for r in self.reservations if r.start < wanted.end and wanted.start < r.end}
        if len(taken & set(of_kind)) + 1 > ADVANCE_SHARE[kind] * len(of_kind):
            raise NotFree(f"{kind}: the rest is for people who come without a reservation")
        self.reservations.append(wanted)

    # run every five minutes by the writer
    def free_uncollected(self, now: datetime, collected: set[str]) -> list[Reservation]:
        """Drop what nobody came for in time, and return it."""
        late = [r for r in self.reservations if r.boat not in collected and now - r.start > COLLECT_WITHIN]
        self.reservations = [r for r in self.reservations if r not in late]
        return late
