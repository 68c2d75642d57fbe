"""Times of day, of recordings, and dated ones as seconds."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

DAY = 86_400
_EPOCH = date(1970, 1, 1).toordinal()
_DAY_FIRST, _MONTH_FIRST, _YEAR_FIRST = (2, 1, 0), (2, 0, 1), (0, 1, 2)


class Stamp(NamedTuple):
    """A time as it is written: ``1:05``, and maybe ``3/5/26``, ``PM``, ``+02:00``, or known to be a time of day."""

    time: str
    date: str | None = None
    half: str | None = None
    zone: str | None = None
    daily: bool = False


def seconds_of(stamp: str) -> float:
    """``hours:minutes:seconds``, without hours too, with a point or comma before the fraction."""
    result = 0.0
    for part in stamp.split(":"):
        result = result * 60 + float(part.replace(",", "."))
    return round(result, 3)


def moments(stamps: Sequence[Stamp | None]) -> list[float | None]:
    """Seconds since 1970 for dated stamps (as written, where they name no zone), else since midnight or the start.

    Whether ``3/5/26`` is in March or May is told from all of them together: a reading in which every date exists, and
    in which the days come in order.
    """
    days = _days([stamp.date for stamp in stamps if stamp and stamp.date], any(stamp.half for stamp in stamps if stamp))
    return [_moment(stamp, days) if stamp else None for stamp in stamps]


def _moment(stamp: Stamp, days: dict[str, int]) -> float:
    of_day = stamp.half or stamp.date or stamp.daily
    seconds = seconds_of(f"{stamp.time}:0" if of_day and stamp.time.count(":") == 1 else stamp.time)
    if stamp.half:
        seconds = seconds % (DAY / 2) + (DAY / 2 if stamp.half[0] in "Pp" else 0)
    seconds += days.get(stamp.date or "", 0) * DAY
    return seconds - _offset(stamp.zone) if stamp.zone else seconds


def _offset(zone: str) -> float:
    digits = zone[1:].replace(":", "")
    return (int(digits[:2]) * 3600 + int(digits[2:]) * 60) * (-1 if zone[0] == "-" else 1) if digits else 0


def _days(dates: Sequence[str], halves: bool) -> dict[str, int]:
    """Days since 1970; none where no reading fits all."""
    written = list(dict.fromkeys(dates))
    orders = (_YEAR_FIRST, _MONTH_FIRST, _DAY_FIRST) if halves else (_YEAR_FIRST, _DAY_FIRST, _MONTH_FIRST)
    readings = [reading for order in orders if (reading := _read(written, order))]
    if not readings:
        return {}
    best = min(readings, key=lambda days: sum(after < before for before, after in pairwise(days)))
    return dict(zip(written, best, strict=True))


def _read(dates: Sequence[str], order: tuple[int, int, int]) -> list[int] | None:
    """The days in one order of year, month and day; None where a date doesn't exist in it."""
    try:
        return [_day(value, order) for value in dates]
    except ValueError:
        return None


def _day(value: str, order: tuple[int, int, int]) -> int:
    parts = value.replace(".", "-").replace("/", "-").split("-")
    year, month, day = (parts[place] for place in order)
    if (len(year) == 4) != any(len(part) == 4 for part in parts) or (order == _YEAR_FIRST and len(year) != 4):
        raise ValueError(f"{value!r} isn't in that order")
    return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day)).toordinal() - _EPOCH
