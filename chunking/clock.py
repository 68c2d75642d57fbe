"""Times of day and of recordings as seconds."""


def seconds_of(stamp: str) -> float:
    """``hours:minutes:seconds``, without hours too, with a point or comma before the fraction."""
    result = 0.0
    for part in stamp.split(":"):
        result = result * 60 + float(part.replace(",", "."))
    return round(result, 3)
