"""Turns: whole while they fit, with who speaks and when."""

import json
import time
from typing import Any

import pytest
from hypothesis import given

from chunking import Chunk, ChunkingConfig, Document, Text, chunk_document, read_text
from chunking.errors import DocumentError, NotReadableError
from chunking.turns import looks_like_transcript, read_turns
from tests.chunking.cut import uncovered
from tests.generators import texts

MILL = (
    "WEBVTT\n\n1\n00:00:01.000 --> 00:00:03.000\nWelcome to the tour.\n\n2\n00:00:03.500 --> 00:00:06.000\nThe mill dates from 1820.\n\n"
    "3\n00:00:06.200 --> 00:00:09.000\nIt still grinds flour.\n"
)
BUDGET = (
    "WEBVTT\n\nNOTE a remark\n\nSTYLE\n::cue { color: red }\n\n00:01.000 --> 00:02.000 align:start\n<v Ana>Is the <i>budget</i> ready?</v>\n\n"
    "00:02.100 --> 00:03.000\n<v Ben>Yes, since\nMonday.</v>\n\n00:03.100 --> 00:04.000\n<v Ben>I sent it &amp; left.</v>\n"
)
HARBOUR = (
    "1\n00:00:00,000 --> 00:00:02,000\nso we went down to the\n\n2\n00:00:02,000 --> 00:00:04,000\nold harbour and then we\n\n"
    "3\n00:00:04,000 --> 00:00:06,000\nsaw the boats come in\n\n4\n00:00:06,000 --> 00:00:08,000\none after the other all\n"
)
PLAIN = """Weekly meeting, 3 May

[00:00:05] Ana: Good morning. Did the
order go out?
[00:00:12] Ben: It did: at nine.
[00:01:02] Ana: Fine.
"""


def cut(text: str, uri: str, **settings: Any) -> list[Chunk]:
    config = ChunkingConfig.model_validate(
        {"strategy": "transcript", "tokenizer": "characters", "chunk_size": 200, "min_chunk_size": 0} | settings
    )
    return chunk_document(Document("d", text, uri=uri), config)


def times(chunks: list[Chunk]) -> list[tuple[float | None, float | None]]:
    return [(chunk.time_start, chunk.time_end) for chunk in chunks]


def test_captions_are_packed_at_sentence_ends() -> None:
    chunks = cut(MILL, "a.vtt", chunk_size=50)
    assert [chunk.text for chunk in chunks] == ["Welcome to the tour. The mill dates from 1820.", "It still grinds flour."]
    assert times(chunks) == [(1.0, 6.0), (6.2, 9.0)]


def test_each_speaker_alone() -> None:
    chunks = cut(BUDGET, "a.vtt", transcript={"split_on_speaker": True}, min_chunk_size=50)
    assert [chunk.text for chunk in chunks] == ["Is the budget ready?", "Yes, since Monday. I sent it & left."]
    assert [chunk.speakers for chunk in chunks] == [("Ana",), ("Ben",)]
    assert times(chunks) == [(1.0, 2.0), (2.1, 4.0)]
    (both,) = cut(BUDGET, "a.vtt")
    assert (both.speakers, both.text) == (("Ana", "Ben"), "Is the budget ready?\nYes, since Monday. I sent it & left.")


def test_no_caption_is_cut() -> None:
    chunks = cut(HARBOUR, "a.srt", chunk_size=45)
    assert [chunk.text for chunk in chunks] == [
        "so we went down to the", "old harbour and then we saw the boats come in", "one after the other all",
    ]  # fmt: skip
    assert times(chunks) == [(0, 2), (2, 6), (6, 8)]


def test_windows_keep_turns() -> None:
    turn = ["<v Ana>It began", "<v Ana>at nine", "<v Ben>No, at ten", "<v Ben>or later", "<v Ana>As you say."]
    source = captions(*turn)
    windows = cut(source, "a.vtt", transcript={"window_seconds": 4}, chunk_size=25)
    assert [chunk.text for chunk in windows] == ["It began at nine", "No, at ten or later", "As you say."]
    alone = cut(source, "a.vtt", transcript={"window_seconds": 3, "split_on_speaker": True})
    assert [chunk.text for chunk in alone] == ["It began at nine", "No, at ten", "or later", "As you say."]


def test_windows_of_time() -> None:
    chunks = cut(HARBOUR, "a.srt", transcript={"window_seconds": 4})
    assert times(chunks) == [(0, 4), (4, 8)]


@pytest.mark.parametrize(
    "source",
    [
        HARBOUR.replace("\n", "\r\n"), "\ufeff" + HARBOUR, HARBOUR.replace(",000", ".000"), HARBOUR.replace("so we", "{\\an8}<b>so</b> we"),
        HARBOUR + "\n5\nbroken --> cue\nlost\n",
    ],
)  # fmt: skip
def test_captions_as_they_are_found(source: str) -> None:
    assert read_text(Document("d", source, uri="a.srt")).text.startswith("so we went down to the old harbour and then we saw")


def test_captions_out_of_order_and_repeated() -> None:
    source = "00:04.000 --> 00:05.000\ntwo\n\n00:01.000 --> 00:02.000\none\n\n00:02.000 --> 00:03.000\none\n"
    text = read_text(Document("d", source, content_type="text/vtt"))
    assert text.text == "one two"
    assert [(cue.time_start, cue.time_end) for cue in text.layout.cues] == [(1.0, 3.0), (4.0, 5.0)]


def test_names_before_the_words() -> None:
    text = read_text(Document("d", HARBOUR.replace("so we", "ANNA LEE: so we"), uri="a.srt"))
    assert text.layout.cues[0].speaker == "Anna Lee"
    assert text.text.startswith("ANNA LEE: so we went")


def captions(*shown: str, mark: str = ".") -> str:
    """WebVTT, a second each."""
    return "WEBVTT\n\n" + "".join(f"00:0{at}{mark}000 --> 00:0{at + 1}{mark}000\n{words}\n\n" for at, words in enumerate(shown))


def test_names_in_most_captions_are_speakers() -> None:
    source = captions("John Smith: Hello all and", "John Smith: welcome here.", "Ana: Note: it is late", "and dark.", "(A door.)")
    text = read_text(Document("d", source, uri="a.vtt"))
    assert text.text == "John Smith: Hello all and welcome here.\nAna: Note: it is late and dark.\n(A door.)"
    assert [cue.speaker for cue in text.layout.cues] == ["John Smith", "John Smith", "Ana", "Ana", None]


def test_a_name_once_is_no_speaker() -> None:
    text = read_text(Document("d", captions("We saw", "one thing", "Only: this", "and that"), uri="a.vtt"))
    assert {cue.speaker for cue in text.layout.cues} == {None}


def test_captions_that_scroll_are_there_once() -> None:
    source = captions("hi<00:00:00.480><c> you</c>", "hi you\n ", "hi you\nwe <c>talk</c>", "we talk\nabout it", "no", "it")
    text = read_text(Document("d", source, uri="a.vtt"))
    assert text.text == "hi you we talk about it no it"
    assert [(cue.time_start, cue.time_end) for cue in text.layout.cues] == [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6)]


def test_two_voices_in_a_caption() -> None:
    text = read_text(Document("d", captions("<v.loud Ana Lee>Is 3 < 4?</v>\n<v Ben>Yes &lt;!</v>"), uri="a.vtt"))
    assert text.text == "Is 3 < 4?\nYes <!"
    assert [cue.speaker for cue in text.layout.cues] == ["Ana Lee", "Ben"]


@pytest.mark.parametrize(
    "source, uri",
    [
        (captions("one", "two", mark=","), "a.vtt"), (captions("one", "two"), "a.srt"), (captions("one", "two")[8:], "a.vtt"),
        (captions("one", "two")[8:].replace("00:0", "00:00:0"), "a.srt"), (captions("one", "two")[8:], "a.srt"),
        (captions("one", "two").replace("\n\n", "\n"), "a.vtt"), ("\n\n" + captions("one", "two"), "a.vtt"),
        (captions("one", "two").replace(".000", ""), "a.vtt"), (captions("one", "two").replace("-->", "->"), "a.vtt"),
        ("1\n00:00:00,000 --> 00:00:01,000\none\n\n2\n00:00:01,000 --> 00:00:02,000\ntwo\n\n3\n00:00:02,0", "a.srt"),
        ("1\n00:00:00,000 --> 00:00:01,000\none\n\n2\n00:00:01,000 --> 00:00:02,000\ntwo\n\n3\n00:aa --> \n", "a.vtt"),
    ],
)  # fmt: skip
def test_timings_as_they_are_found(source: str, uri: str) -> None:
    text = read_text(Document("d", source, uri=uri))
    assert text.text.split()[:2] == ["one", "two"]
    assert not any(char in text.text for char in "0123456789>")
    assert [(cue.time_start, cue.time_end) for cue in text.layout.cues][:2] == [(0, 1), (1, 2)]


def test_a_head_alone_is_empty() -> None:
    assert read_text(Document("d", "WEBVTT - a talk\nLanguage: en\n", uri="a.vtt")).text == ""


def test_what_has_no_cues_is_refused() -> None:
    with pytest.raises(NotReadableError, match="text/vtt: no cue can be read"):
        read_text(Document("d", "WEBVTT\n\njust words\n", uri="a.vtt"))
    assert read_text(Document("d", "", uri="a.srt")).text == ""


def test_turns_of_a_plain_text() -> None:
    cues = read_turns(PLAIN)
    assert [(cue.speaker, cue.time_start, cue.time_end) for cue in cues] == [("Ana", 5, 12), ("Ben", 12, 62), ("Ana", 62, None)]
    assert [PLAIN[cue.start : cue.end] for cue in cues][1] == "[00:00:12] Ben: It did: at nine."
    chunks = cut(PLAIN, "a.txt", chunk_size=60)
    assert [(chunk.speakers, chunk.time_start) for chunk in chunks] == [((), None), (("Ana",), 5), (("Ben", "Ana"), 12)]


def test_a_title_goes_with_the_first_turns() -> None:
    text = "The meeting of May\n\n" + "\n".join(f"{name}: one two three four five six seven." for name in ("Ann", "Bob") * 4)
    chunks = cut(text, "a.txt", chunk_size=120)
    assert chunks[0].text.startswith("The meeting of May\n\nAnn: one")
    assert chunks[0].speakers == ("Ann", "Bob")
    alone = cut(text, "a.txt", chunk_size=120, transcript={"split_on_speaker": True})
    assert alone[0].text == "The meeting of May"


@pytest.mark.parametrize(
    "line",
    ["{}: ", "**{}**: ", "[00:01:02] {}: ", "00:01:02 {}: ", "({}) ", "{} (00:01): ", "{} [00:01:02]\n", "{}  00:01:02\n",
     "[2026-05-03 10:12] <{}> ", "<{}> ", "12/05/24, 10:12 - {}: ", "3.5.2026, 9:05 {}: ", "00:01:02 {}\n", "\u200e[3/5/26, 9:05 PM] {}: ",
     "2026-05-03T10:00:00Z {}: ", "10:12:33 From {} to Everyone: ", "{}\uff1a", "{} (1:02:03)\n"],
)  # fmt: skip
def test_forms_of_turns(line: str) -> None:
    text = "\n".join(line.format(name) + "some words" for name in ("Ana", "Ben", "Ana", "Ben"))
    found = [cue.speaker for cue in read_turns(text)]
    assert found == ([] if line == "({}) " else ["Ana", "Ben", "Ana", "Ben"])


@pytest.mark.parametrize(
    "text",
    ["Note: this\nis it.\nNote: that\n", "http://a.b\nhttp://c.d\n", "Only: once\n", "10:30 is late\n11:30 too\n", "10:30 Lunch\n11:30 Dinner\n",
     "Ana: 1\n", "error: a\nerror: b\n", "2026-05-03 10:11:12 status lib:amd64\n", "2026-05-03 10:11:12 INFO: on\n2026-05-03 10:11:13 INFO: off\n", "99:99 Ana: x\n"],
)  # fmt: skip
def test_what_is_no_turn(text: str) -> None:
    assert read_turns(text) == ()


def test_a_long_turn_repeats_its_speaker() -> None:
    text = "Ana: One two three four. Five six seven eight.\nBen: Nine.\nAna: Ten.\nBen: No.\n"
    first, second, *_ = cut(text, "a.txt", chunk_size=30)
    assert (first.text, first.header) == ("Ana: One two three four.", "")
    assert (second.text, second.embed_text, second.speakers) == (
        "Five six seven eight.",
        "Ana:\n\nFive six seven eight.",
        ("Ana",),
    )


@pytest.mark.parametrize(
    "stamps, expected",
    [
        (["00:59", "01:02"], [59, 62]), (["11:59 PM", "1:05 PM"], [86340, 47100]), (["12:30 AM", "9:00 am"], [1800, 32400]),
        (["2026-05-03 10:00", "2026-05-04 00:01"], [1777802400, 1777852860]),
        (["2026-05-03T10:00:00+02:00", "2026-05-03T10:00:00Z"], [1777795200, 1777802400]),
        (["31/12/25, 10:00", "1/1/26, 10:00"], [1767175200, 1767261600]), (["12/31/25, 10:00", "1/1/26, 10:00"], [1767175200, 1767261600]),
        (["3/5/26, 9:00 AM", "3/6/26, 9:00 AM"], [1772701200, 1772787600]), (["3.5.2026, 9:00", "3.5.2026, 9:01"], [1777798800, 1777798860]),
        (["99/99/99, 10:00", "3/5/26, 10:00"], [36000, 36000]),
    ],
)  # fmt: skip
def test_times_of_turns(stamps: list[str], expected: list[float]) -> None:
    text = "".join(f"[{stamp}] Ana: words\n" for stamp in stamps)
    assert [cue.time_start for cue in read_turns(text)] == expected


@pytest.mark.parametrize(
    "source, uri",
    [
        ("\n".join(json.dumps({"user": "Ana", "text": words, "ts": 5}) for words in ("One two three. Four five six.", "Seven.")), "a.jsonl"),
        (captions("Ana: One two", "three. Four", "five six.", "Ana: Seven."), "a.vtt"),
    ],
)  # fmt: skip
def test_a_long_message_repeats_its_speaker(source: str, uri: str) -> None:
    first, second, *rest = cut(source, uri, chunk_size=20)
    assert (first.text, first.header) == ("Ana: One two three." if uri == "a.jsonl" else "Ana: One two", "")
    assert (second.header, second.speakers) == ("Ana:", ("Ana",))
    assert all(chunk.header == ("" if chunk.text.startswith("Ana:") else "Ana:") for chunk in rest)


def rows(*rows: Any) -> str:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)


@pytest.mark.parametrize(
    "source, expected",
    [
        (rows({"from": {"user": {"displayName": "Ana"}}, "body": {"contentType": "html", "content": "<p>Hi &amp; <b>bye</b></p>"},
               "createdDateTime": "2026-05-03T10:00:00Z"}), "Ana: Hi & bye"),
        (rows({"role": "user", "content": [{"type": "text", "text": "Hi"}]}, {"role": "assistant", "content": "Yo"}), "user: Hi\nassistant: Yo"),
        (rows({"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"}]}), "user: Hi\nassistant: Yo"),
        (rows({"user": "U1", "user_profile": {"real_name": "Ana"}, "text": "x", "ts": "1.5"}, {"user": "U1", "text": "", "ts": "2"},
              {"user": "U1", "text": "y", "ts": 3}), "Ana: x\nU1: y"),
        (rows({"user": "a", "text": "x", "ts": 1}, {"text": "b joined", "ts": 2}, {"user": "b", "text": "y", "ts": 3}), "a: x\nb joined\nb: y"),
        (rows({"sender": "a", "text": "x"}, {"sender": "b\nc", "text": "y\r\nz"}, '{"sender": "a", "te'), "a: x\nb c: y\nz\n" + '{"sender": "a", "te'),
        ("\ufeff" + rows({"user": 7, "text": "x", "ts": 1}, {"user": 8, "text": "y", "ts": 2}).replace("\n", "\r\n"), "7: x\n8: y"),
    ],
)  # fmt: skip
def test_forms_of_messages(source: str, expected: str) -> None:
    assert read_text(Document("d", source, uri="a.jsonl")).text == expected


@pytest.mark.parametrize(
    "source",
    [
        rows({"id": 1, "body": "x"}, {"id": 2}), rows({"name": "Widget", "body": "Fine."}, {"name": "Gadget", "body": "Good."}),
        rows(*({"author": "Ana", "title": f"T{at}", "text": "Long.", "date": "2026-05-03"} for at in range(9))),
        rows(*({"name": "root", "level": "INFO", "message": "on", "time": at} for at in range(9))),
        rows(*({"user": "Ana", "text": "a note", "ts": at} for at in range(9))), rows([1], "x", 3), "\ufeff" + rows({"id": 1}, {"id": 2}),
    ],
)  # fmt: skip
def test_other_json_lines_stay_as_they_are(source: str) -> None:
    text = read_text(Document("d", source, uri="a.jsonl"))
    assert (text.text, text.content_type, text.layout.cues) == (source, "application/jsonl", ())


@pytest.mark.parametrize(
    "when, expected",
    [
        ("2026-05-03 10:00:00", 1777802400), ("2026-05-03T12:00:00+02:00", 1777802400), (1777802400123, 1777802400.123),
        (1777802400123456, 1777802400.123456), ("1:02:03", 3723), ("nan", None), ("inf", None), (10**400, None), (True, None), ("soon", None),
        (None, None), ("9999-12-31T23:59:59-12:00", 253402343999),
    ],
)  # fmt: skip
def test_times_of_messages(when: Any, expected: float | None) -> None:
    source = rows(*({"sender": name, "text": "x", "ts": when} for name in "ab"))
    assert [cue.time_start for cue in read_text(Document("d", source, uri="a.jsonl")).layout.cues] == [expected] * 2


def test_a_chat_export() -> None:
    rows = [
        {"user": "ana", "text": "Is it up?", "ts": "1700000000.5"},
        {"user": {"name": "ben"}, "text": "Since\nnine.", "timestamp": "2026-05-03T10:00:00+00:00"},
    ]
    source = "\n".join(map(json.dumps, rows))
    text = read_text(Document("d", source, uri="a.jsonl"))
    assert text.text == "ana: Is it up?\nben: Since\nnine."
    assert [(cue.speaker, cue.time_start) for cue in text.layout.cues] == [("ana", 1700000000.5), ("ben", 1777802400.0)]
    other = '{"id": 1, "body": "x"}\n{"id": 2}\n'
    assert read_text(Document("d", other, uri="a.jsonl")).text == other


def test_what_looks_like_a_transcript() -> None:
    assert (
        looks_like_transcript(Text("\n".join(f"{'AB'[i % 2]}na: words {i}." for i in range(8)), "text/plain"))
        == "8 turns of 2 speakers"
    )
    assert looks_like_transcript(Text(PLAIN * 2, "text/plain")) == "6 turns with times"
    assert looks_like_transcript(read_text(Document("d", MILL, uri="a.vtt"))) == "3 cues"
    fields = "Files: *\nCopyright: 2009 Ann\nLicense: GPL\n\n" * 4
    assert looks_like_transcript(Text(fields, "text/plain")) is None
    for text in ("Name: x\nAge: 3\nName: y\nAge: 4\nplain\n" + "Words.\n" * 20, "# Title\n\nText.\n"):
        assert looks_like_transcript(Text(text, "text/plain")) is None


@given(text=texts(12))
def test_any_text(text: str) -> None:
    for uri in ("a.vtt", "a.srt", "a.jsonl", "a.txt"):
        try:
            read = read_text(Document("d", text, uri=uri)).text
        except DocumentError:
            continue
        assert not uncovered(read, cut(text, uri, chunk_size=30))


@pytest.mark.parametrize(
    "uri, source",
    [
        ("a.vtt", BUDGET),
        ("a.srt", HARBOUR),
        ("a.txt", PLAIN),
        ("a.jsonl", rows(*({"user": name, "text": "x y. z", "ts": 1} for name in "abab"))),
    ],
)
def test_a_file_that_breaks_off(uri: str, source: str) -> None:
    for place in range(50):
        part = source[: len(source) * place // 50]
        try:
            read = read_text(Document("d", part, uri=uri)).text
        except DocumentError:
            continue
        assert not uncovered(read, cut(part, uri, chunk_size=20))


def test_times_are_the_same_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        test_times_of_messages("2026-05-03 10:00:00", 1777802400)
    finally:
        monkeypatch.undo()
        time.tzset()
