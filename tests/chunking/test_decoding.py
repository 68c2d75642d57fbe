"""Bytes to text: the kind that they show, and their encoding."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking.errors import NotTextError
from chunking.reading.decoding import decode, kind_of
from chunking.reading.kinds import CSV, DOCX, HTML, JSON_LINES, MARKDOWN, PDF, PLAIN, SRT, VTT


@pytest.mark.parametrize(
    "data, encoding, text",
    [
        (b"", "utf-8", ""),
        ("é\r\n".encode(), "utf-8", "é\r\n"),
        ("\ufeffé".encode(), "utf-8", "é"),
        ("\ufeffé".encode(), "latin-1", "é"),
        ("é🙂".encode("utf-16"), "utf-8", "é🙂"),
        (b"\xfe\xff" + "é".encode("utf-16-be"), "utf-8", "é"),
        (b"caf\xe9", "latin-1", "café"),
        (b"\x1b[1m\f\v\t" * 9, "utf-8", "\x1b[1m\f\v\t" * 9),
        (b"x" * 2000 + b"\x01", "utf-8", "x" * 2000 + "\x01"),
    ],
)
def test_bytes_that_are_text(data: bytes, encoding: str, text: str) -> None:
    assert decode(data, encoding)[0] == text


@pytest.mark.parametrize(
    "data, message",
    [
        (b"caf\xe9 noir", "not utf-8 text: byte 0xe9 at 3; if it is text, set ingest.encoding"),
        (b"caf\xe9", "byte 0xe9 at 3"),
        ("\ufeffab".encode() + b"\xff", "byte 0xff at 5"),
        (b"\xff\xfea\0b", "not utf-16 text: byte 0x62 at 4"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 9, "byte 0x89 at 0"),
        (b"MZ\0\0\x01\x02", "not text: 4 control codes in 6 characters"),
        (b"x" * 999 + b"\0", None),
        (b"x" * 998 + b"\0", "not text: 1 control codes in 999 characters"),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_the_place(data: bytes, message: str | None) -> None:
    if message is None:
        assert decode(data, "utf-8") == (data.decode(), "utf-8")
        return
    with pytest.raises(NotTextError, match=message):
        decode(data, "utf-8")


LANGUAGES = {
    "cp1252": "Les élèves étaient très contents après l'été. Où êtes-vous allés cet été? Ça va très bien.",
    "cp1250": "Zażółć gęślą jaźń. Wszyscy pracownicy są zobowiązani do przestrzegania zasad, które obowiązują w firmie.",
    "cp1251": "Привет, как дела? Это просто текст на русском языке.",
    "koi8_r": "Привет, как дела? Это просто текст на русском языке.",
    "cp932": "東京都に住んでいます。雨が降っています。" * 9,
    "euc_jp": "東京都に住んでいます。雨が降っています。" * 9,
    "gb18030": "我们公司的员工手册说明了所有的规定。请仔细阅读。" * 9,
    "cp1253": "Όλοι οι εργαζόμενοι πρέπει να διαβάσουν τους κανόνες.",
}


@pytest.mark.parametrize("encoding", LANGUAGES)
def test_an_encoding_is_guessed_where_the_text_reads_as_a_language(encoding: str) -> None:
    assert decode(LANGUAGES[encoding].encode(encoding), "auto") == (LANGUAGES[encoding], encoding)


@pytest.mark.parametrize("data", [b"caf\xe9", b"caf\xe9 noir", b"\x89PNG\r\n\x1a\n" + b"\0" * 9, bytes(range(128, 256)) * 9])
def test_what_cannot_be_told_is_refused(data: bytes) -> None:
    with pytest.raises(NotTextError, match=r"not utf-8 text|not text"):
        decode(data, "auto")


def test_a_page_says_its_encoding() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><p>\u0141\xf3d\u017a</p>'
    assert decode(page.encode("iso-8859-2"), "auto") == (page, "iso8859-2")


def test_many_comments_are_no_trouble() -> None:
    assert kind_of(b"<!-- a --> " * 5_000 + b"<p>", None, "") == PLAIN
    assert kind_of(b"<!-- a --> " * 500 + b"<!doctype html>", None, "") == HTML


@given(data=st.binary(max_size=200))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text, encoding = decode(data, "auto")
    except NotTextError:
        return
    assert isinstance(text, str)
    assert encoding


def docx() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data, uri, kind",
    [
        (b"%PDF-1.7\n", "report", PDF),
        (b"junk\n%PDF-1.4\n", "a.txt", PDF),
        (b"no pdf at all", "a.pdf", PLAIN),
        (b"<html><p>Saved under a wrong name", "a.pdf", HTML),
        (b"\x00\x01\xff\xfe", "a.pdf", PDF),
        (docx(), "letter.bin", DOCX),
        (docx()[:30], "letter.docx", DOCX),
        (b"PK\x03\x04 and then?", "a.zip", "application/zip"),
        (b"\xef\xbb\xbf<!-- saved --><!DOCTYPE HTML><p>", "page", HTML),
        (b'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', "page", HTML),
        (b"WEBVTT\n\n00:01.000 --> 00:02.000\nHi.", "clip.txt", VTT),
        (b"WEBVTTX", "clip.txt", PLAIN),
        (b"1\r\n00:00:01,000 --> 00:00:02,000\r\nHi.", "", SRT),
        (b"<p>Markdown may begin with markup", "a.md", MARKDOWN),
        (b"a,b\n1,2\n", "a.csv", CSV),
        (b'{"a": 1}\n{"b": 2}\n', "", JSON_LINES),
        (b'{"a": 1}', "", PLAIN),
        (b"plain words", "", PLAIN),
    ],
)
def test_the_kind_is_what_the_bytes_show_else_the_name(data: bytes, uri: str, kind: str) -> None:
    assert kind_of(data, None, uri) == kind
