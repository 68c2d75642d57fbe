"""The ingest job: files and records become documents, what isn't text is quarantined, and reruns touch only changes."""

import pytest

from chunking.errors import ConfigError, InputError
from jobs import ingest_documents
from tests.spark.conftest import Lake


def test_a_folder_of_files(lake: Lake, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Titles, kinds, quarantine, hidden files; then nothing to do; then a change, a deletion and a mended file."""
    source = tmp_path_factory.mktemp("source")
    (source / "guide").mkdir()
    (source / "guide" / "a.md").write_text("# The guide\r\n\r\nText.\r\n", encoding="utf-8", newline="")
    (source / "__init__.py").write_text("x = 1\n", encoding="utf-8")
    (source / "latin.txt").write_bytes("caf\xe9".encode("latin-1"))
    (source / "picture.png").write_bytes(b"\x89PNG\x00\x01")
    (source / ".hidden").write_text("no", encoding="utf-8")
    config = lake.config(ingest={"source": str(source)})

    report = ingest_documents.run(lake.spark, config)

    assert {key: report.counts[key] for key in ("documents_in", "new", "quarantined", "hidden_files_left_out")} == {
        "documents_in": 4, "new": 2, "quarantined": 2, "hidden_files_left_out": 1,
    }  # fmt: skip
    rows = {row["doc_id"]: row for row in lake.rows("documents")}
    assert rows["guide/a.md"]["text"] == "# The guide\r\n\r\nText.\r\n"
    assert (rows["guide/a.md"]["title"], rows["guide/a.md"]["content_type"]) == ("The guide", "text/markdown")
    assert rows["__init__.py"]["content_type"] == "text/x-python"
    assert "0xe9 at 3" in next(row["message"] for row in lake.rows("quarantine") if row["doc_id"] == "latin.txt")

    before = lake.versions()
    assert ingest_documents.run(lake.spark, config).counts["unchanged"] == 2
    assert lake.versions() == before

    (source / "__init__.py").unlink()
    (source / "latin.txt").write_text("café", encoding="utf-8")
    config = lake.config(ingest={"source": str(source)}, documents={"missing": "delete"})
    report = ingest_documents.run(lake.spark, config)
    assert (report.counts["new"], report.counts["deleted"]) == (1, 1)
    assert {row["doc_id"] for row in lake.rows("documents")} == {"guide/a.md", "latin.txt"}
    assert [row["doc_id"] for row in lake.rows("quarantine")] == ["picture.png"]


def test_records(lake: Lake, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Rows of JSON lines and CSV by mapping; a broken line is quarantined, a wrong mapping or a repeated id is refused."""
    source = tmp_path_factory.mktemp("records")
    lines = source / "rows.jsonl"
    lines.write_text('{"id": 1, "body": "one\\ntwo"}\n{"id": 2, "body": \n{"id": 3, "body": "three"}\n', encoding="utf-8")
    records = {"doc_id": "id", "text": "body"}

    report = ingest_documents.run(lake.spark, lake.config(ingest={"source": str(lines), "records": records}))

    assert (report.counts["new"], report.counts["quarantined"]) == (2, 1)
    assert {row["doc_id"]: row["text"] for row in lake.rows("documents")} == {"1": "one\ntwo", "3": "three"}

    table = source / "rows.csv"
    table.write_text('key,body\na,"x, ""y""\nz"\n', encoding="utf-8")
    with pytest.raises(InputError, match="no column 'id' for 'doc_id'"):
        ingest_documents.run(lake.spark, lake.config(ingest={"source": str(table), "records": records}))
    ingest_documents.run(lake.spark, lake.config(ingest={"source": str(table), "records": {"doc_id": "key", "text": "body"}}))
    assert {row["doc_id"]: row["text"] for row in lake.rows("documents")}["a"] == 'x, "y"\nz'

    lines.write_text('{"id": 1, "body": "one"}\n{"id": 1, "body": "other"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="'1' occurs 2 times"):
        ingest_documents.run(lake.spark, lake.config(ingest={"source": str(lines), "records": records}))


def test_a_table(lake: Lake, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Any Delta table by mapping, its metadata included; columns of our own names need none."""
    source = str(tmp_path_factory.mktemp("table") / "articles")
    columns = "id int, body string, title string, content_type string, metadata map<string,string>"
    rows = [(1, "# One", None, "text/markdown", {"team": "docs"}), (2, None, "Two", None, None)]
    lake.spark.createDataFrame(rows, columns).write.format("delta").save(source)
    with pytest.raises(InputError, match=r"no column 'doc_id' for 'doc_id'.* map it by ingest\.records\.doc_id"):
        ingest_documents.run(lake.spark, lake.config(ingest={"source": source}))
    with pytest.raises(InputError, match="no such file, folder or table"):
        ingest_documents.run(lake.spark, lake.config(ingest={"source": "nowhere.articles"}))

    config = lake.config(ingest={"source": source, "records": {"doc_id": "id", "text": "body"}})
    assert ingest_documents.run(lake.spark, config).counts["new"] == 2

    files = str(tmp_path_factory.mktemp("files") / "volume")
    columns = "path string, content binary"
    lake.spark.createDataFrame([("a.md", b"# Bytes"), ("b.txt", b"\xff")], columns).write.format("delta").save(files)
    by_bytes = lake.config(ingest={"source": files, "records": {"doc_id": "path", "uri": "path", "data": "content"}})
    report = ingest_documents.run(lake.spark, by_bytes)
    assert (report.counts["new"], report.counts["quarantined"]) == (1, 1)

    bytes_row, *_ = sorted((row for row in lake.rows("documents")), key=lambda row: row["doc_id"] != "a.md")
    assert (bytes_row["text"], bytes_row["content_type"]) == ("# Bytes", "text/markdown")
    one, two = (row for row in lake.rows("documents") if row["doc_id"] != "a.md")
    assert (one["doc_id"], one["text"], one["title"], one["metadata"]) == ("1", "# One", "One", {"team": "docs"})
    assert (two["doc_id"], two["text"], two["title"], two["content_type"]) == ("2", None, "Two", "text/plain")


def test_sources_that_are_not_there(bare_lake: Lake, tmp_path_factory: pytest.TempPathFactory) -> None:
    """One clear line, and nothing written."""
    empty = tmp_path_factory.mktemp("empty")
    for source, message in ((empty / "nowhere", "no such file or folder"), (empty, "holds no files")):
        with pytest.raises(InputError, match=message):
            ingest_documents.run(bare_lake.spark, bare_lake.config(ingest={"source": str(source)}))
    with pytest.raises(ConfigError, match="needs an 'ingest' block"):
        ingest_documents.run(bare_lake.spark, bare_lake.config())
    assert not bare_lake.folder.exists()
