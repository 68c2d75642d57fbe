"""What is compared with its neighbours: sentences, lines, parts; and which of them say what comes next."""

import pytest
from hypothesis import given

from chunking import Document, load_tokenizer, read_text
from chunking.fitting import Fit, Gauge
from chunking.units import Unit, find_units, leading_units
from tests.generators import texts


def units_of(text: str, size: int = 400, tokenizer: str = "characters") -> list[Unit]:
    return find_units(text, Fit(text, Gauge(load_tokenizer(tokenizer), text), size), "en")


def words_of(text: str, size: int = 400) -> list[str]:
    return [text[unit.start : unit.end] for unit in units_of(text, size)]


def leads_of(text: str) -> list[str]:
    units = units_of(text)
    return [text[unit.start : unit.end] for unit, leads in zip(units, leading_units(text, units), strict=True) if leads]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("One here. Two there!  Three?", ["One here.", "Two there!", "Three?"]),
        ("- milk\n- eggs (six)\n- bread", ["- milk", "- eggs (six)", "- bread"]),
        ("The fog came in,\nThe boats stayed out,\nAnd nobody spoke.", ["The fog came in,", "The boats stayed out,", "And nobody spoke."]),
        ("09:00 start\n09:01 retry (2)\n09:02 it failed.\n09:03 stop", ["09:00 start", "09:01 retry (2)", "09:02 it failed.", "09:03 stop"]),
        ("A sentence that goes on\nover lines until\nOsei ends it. Next.", ["A sentence that goes on\nover lines until\nOsei ends it.", "Next."]),
        ("The states are\n`open`,\n‘shut’ and\n(rarely) ajar.", ["The states are\n`open`,\n‘shut’ and\n(rarely) ajar."]),
        ("one\rtwo\r\nthree", ["one", "two", "three"]),
        ("Fees\n----\n\nNone. ***\n", ["Fees\n----", "None. ***"]),
        ("雨が降った。道が\n濡れた！", ["雨が降った。", "道が\n濡れた！"]),
    ],
)  # fmt: skip
def test_units(text: str, units: list[str]) -> None:
    assert words_of(text) == units


def test_a_sentence_over_size_is_compared_in_parts() -> None:
    text = "Short one. " + "then it went on and on " * 20
    units = units_of(text, size=160)
    assert [unit.goes_on for unit in units] == [False, False] + [True] * (len(units) - 2)
    assert all(unit.end - unit.start <= 20 for unit in units[1:])


def test_titles_and_colons_lead() -> None:
    text = "Boats\n=====\n\nHire\n\nWe rent these:\n\n- a kayak\n- a canoe\n\nAsk at the pier. It is open."
    assert leads_of(text) == ["Boats\n=====", "Hire", "We rent these:"]


def test_a_list_with_blank_lines_leads_nowhere() -> None:
    assert leads_of("one\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsix") == []


@given(text=texts())
def test_units_are_trimmed_in_order_and_lose_nothing(text: str) -> None:
    text = read_text(Document("d", text)).text
    units = units_of(text, 40)
    places = {place for unit in units for place in range(unit.start, unit.end)}
    assert {place for place, char in enumerate(text) if not char.isspace()} <= places
    assert sum(unit.end - unit.start for unit in units) == len(places)
    assert all(not text[unit.end - 1].isspace() for unit in units)
    assert len(leading_units(text, units)) == len(units)
