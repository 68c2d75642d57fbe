"""The chunk job on real Delta tables: only what changed is worked on, and every document is accounted for."""

import pytest
from pyspark.sql import SparkSession

from chunking.errors import InputError, RunError
from jobs import chunk_documents
from jobs.common.command import Options
from tests.spark.conftest import Lake

SAME = "Same line.\n\nSame line.\n\nSame line."


def test_every_document_is_accounted_for(lake: Lake) -> None:
    """Null, empty and blank texts are counted as empty, not as failed and not as chunked."""
    lake.put({"n": None, "e": "", "w": " \n ", "ok": "fine"})

    report = chunk_documents.run(lake.spark, lake.config())

    assert {key: report.counts[key] for key in ("documents_in", "chunked", "empty", "quarantined", "unchanged")} == {
        "documents_in": 4, "chunked": 1, "empty": 3, "quarantined": 0, "unchanged": 0,
    }  # fmt: skip
    assert [(row["doc_id"], row["text"], row["start"], row["end"]) for row in lake.rows("chunks")] == [("ok", "fine", 0, 4)]


def test_only_changed_documents_are_touched(lake: Lake) -> None:
    """Running twice commits nothing; a changed document loses the chunks it no longer has; a kept one stays when gone."""
    lake.put({"a": SAME, "b": "One.\n\nTwo.", "gone": "here"})
    first = chunk_documents.run(lake.spark, lake.config())
    assert lake.texts("a") == ["Same line."] * 3
    before = lake.versions()

    again = chunk_documents.run(lake.spark, lake.config())
    assert again.counts["unchanged"] == 3
    assert again.counts["chunks"] == 0
    assert lake.versions() == before
    assert lake.read("runs").count() == 2

    kept = {row["chunk_id"]: row["run_id"] for row in lake.read("chunks").where("doc_id = 'b'").collect()}
    lake.put({"b": "One.\n\nTwo.", "a": "New line.", "c": "three"}, partitions=3)
    third = chunk_documents.run(lake.spark, lake.config())
    assert (third.counts["chunked"], third.counts["unchanged"]) == (2, 1)
    assert lake.texts("a") == ["New line."]
    assert lake.texts("c") == ["three"]
    assert lake.texts("gone") == ["here"]
    assert {row["chunk_id"]: row["run_id"] for row in lake.read("chunks").where("doc_id = 'b'").collect()} == kept
    assert set(kept.values()) == {first.run_id}

    deleted = chunk_documents.run(lake.spark, lake.config(documents={"missing": "delete"}))
    assert deleted.counts["deleted"] == 1
    assert lake.texts("gone") == []


def test_an_empty_source_never_empties_the_table(lake: Lake) -> None:
    """Unless it is forced to."""
    lake.put({"a": "one"})
    config = lake.config(documents={"missing": "delete"})
    chunk_documents.run(lake.spark, config)
    lake.put({})

    with pytest.raises(InputError, match="came back empty"):
        chunk_documents.run(lake.spark, config)
    assert lake.texts("a") == ["one"]

    chunk_documents.run(lake.spark, config, Options(force=True))
    assert lake.texts("a") == []


def test_partitions_order_and_slices_change_nothing(lake: Lake, other_lake: Lake) -> None:
    """The same chunks whatever way the work is cut up, each slice in a commit of its own."""
    texts = {f"d{i:02}": f"Line {i} is short.\n\nThen comes {i * i}." for i in range(20)}
    lake.put(texts)
    chunk_documents.run(lake.spark, lake.config())
    other_lake.put(dict(reversed(texts.items())), partitions=7)

    report = chunk_documents.run(lake.spark, other_lake.config(output={"slice_tokens": 40}))

    assert report.counts["chunk_slices"] > 2
    assert other_lake.rows("chunks") == lake.rows("chunks")


def test_settings_make_versions(lake: Lake) -> None:
    """Another size is another version; no read of one returns rows of the other, and what each means is stored."""
    lake.put({"a": SAME})
    ten = chunk_documents.run(lake.spark, lake.config())
    twenty = chunk_documents.run(lake.spark, lake.config(chunking={"chunk_size": 20}))

    assert ten.chunk_version != twenty.chunk_version
    counts = {row["chunk_version"]: row["count"] for row in lake.read("chunks").groupBy("chunk_version").count().collect()}
    assert counts == {ten.chunk_version: 3, twenty.chunk_version: 3}
    versions = {row["version"]: row for row in lake.read("versions").collect()}
    assert '"chunk_size":20' in versions[twenty.chunk_version]["config"]
    assert versions[ten.chunk_version]["status"] == "ready"


def test_a_bad_document_is_quarantined_alone(lake: Lake) -> None:
    """Its older rows leave, it is held while nothing changes, tried again on request, and let go once it is mended."""
    config = lake.config(chunking={"tokenizer": "tiktoken:cl100k_base", "chunk_size": 2})
    lake.put({"a": "one", "bad": "two", "z": "three"})
    chunk_documents.run(lake.spark, config)
    lake.put({"a": "one", "bad": "two \N{OGHAM LETTER BEITH}", "z": "three"})

    report = chunk_documents.run(lake.spark, config)

    assert (report.counts["unchanged"], report.counts["quarantined"]) == (2, 1)
    assert lake.texts("bad") == []
    assert lake.texts("z") == ["three"]
    (row,) = lake.rows("quarantine")
    assert (row["stage"], row["doc_id"], row["error_class"]) == ("chunk", "bad", "TooLargeError")
    assert "U+1681" in row["message"]

    before = lake.versions()
    held = chunk_documents.run(lake.spark, config)
    assert (held.counts["quarantined"], lake.versions()) == (1, before)
    retried = chunk_documents.run(lake.spark, config, Options(retry=True))
    assert (retried.counts["quarantined"], lake.versions()) == (1, before)

    with pytest.raises(RunError, match="1 of 3 documents are in quarantine"):
        chunk_documents.run(lake.spark, lake.config(output={"max_quarantined": 0.05}, chunking=config.chunking.model_dump()))
    assert lake.read("runs").where("status = 'failed'").count() == 1

    lake.put({"a": "one", "bad": "mended", "z": "three"})
    chunk_documents.run(lake.spark, config)
    assert "".join(lake.texts("bad")) == "mended"
    assert lake.rows("quarantine") == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("d1", "first"), ("d1", "second"), ("d2", "fine")], "'d1' occurs 2 times"),
        ([(None, "first"), ("d2", "fine")], "1 of 2 rows have no doc_id"),
    ],
)
def test_ids_are_checked_before_anything_is_written(bare_lake: Lake, rows: list[tuple[str | None, str]], message: str) -> None:
    """One clear line, and no table."""
    documents_df = bare_lake.spark.createDataFrame(rows, "doc_id string, text string")
    documents_df.write.format("delta").save(str(bare_lake.folder / "documents"))

    with pytest.raises(InputError, match=message):
        chunk_documents.run(bare_lake.spark, bare_lake.config())
    assert not (bare_lake.folder / "chunks").exists()


def test_rows_equal_in_every_column_are_one_document(lake: Lake) -> None:
    """They are no error, and chunked once."""
    documents_df = lake.spark.createDataFrame([("a", "one"), ("a", "one")], "doc_id string, text string")
    documents_df.write.format("delta").save(str(lake.folder / "documents"))

    assert chunk_documents.run(lake.spark, lake.config()).counts["documents_in"] == 1
    assert lake.texts("a") == ["one"]


def test_any_table_by_column_mapping(lake: Lake, spark: SparkSession) -> None:
    """A missing column is named with what there is; a right mapping works, numbers as ids included."""
    spark.createDataFrame([(7, "body")], "id int, body string").write.format("delta").save(str(lake.folder / "documents"))

    with pytest.raises(InputError, match="no column 'doc_id' for 'doc_id'"):
        chunk_documents.run(spark, lake.config())
    with pytest.raises(InputError, match="no column 'bdy' for 'text', did you mean 'body'"):
        chunk_documents.run(spark, lake.config(documents={"columns": {"doc_id": "id", "text": "bdy"}}))

    chunk_documents.run(spark, lake.config(documents={"columns": {"doc_id": "id", "text": "body"}}))
    assert lake.texts("7") == ["body"]


def test_locations_that_are_not_ours_are_left_alone(bare_lake: Lake, spark: SparkSession) -> None:
    """No documents table, and somebody else's table in the place of ours."""
    with pytest.raises(InputError, match="no such table"):
        chunk_documents.run(spark, bare_lake.config())
    bare_lake.put({"a": "one"})
    spark.createDataFrame([(1,)], "x int").write.format("delta").save(str(bare_lake.folder / "chunks"))

    with pytest.raises(InputError, match="isn't one of ours"):
        chunk_documents.run(spark, bare_lake.config())


def test_tables_are_described(lake: Lake, spark: SparkSession) -> None:
    """Comments, change data feed, deletion vectors, partition."""
    detail = spark.sql(f"DESCRIBE DETAIL delta.`{lake.folder / 'chunks'}`").first()
    assert detail["partitionColumns"] == ["chunk_version"]
    assert detail["properties"]["delta.enableChangeDataFeed"] == "true"
    assert detail["properties"]["delta.enableDeletionVectors"] == "true"
    assert all(field.metadata.get("comment") for field in lake.read("chunks").schema)
