"""A folder of every kind of file: read, cut as fits each, and all of it to be found again in the tables."""

from collections import Counter

from chunking import read_text
from jobs import chunk_documents, ingest_documents
from jobs.common.summary import render_report
from tests.data.locate_questions import DOCUMENTS, handbook_document
from tests.spark.conftest import Lake


def test_the_handbook(lake: Lake) -> None:
    """Ingest stores the text and layout that spans refer to; ``auto`` cuts each file as what it is."""
    config = lake.config(
        ingest={"source": str(DOCUMENTS)},
        chunking={"strategy": "auto", "tokenizer": "words", "chunk_size": 80, "min_chunk_size": 8, "parent_chunk_size": 200},
    )
    report = ingest_documents.run(lake.spark, config)
    assert (report.counts["new"], report.counts["quarantined"]) == (40, 0)
    stored = {row["doc_id"]: row for row in lake.rows("documents")}
    assert all(row["text"] == read_text(handbook_document(doc_id)).text for doc_id, row in stored.items())
    assert stored["safety/water-rescue.pdf"]["source_type"] == "application/pdf"
    assert len(stored["safety/water-rescue.pdf"]["layout"]["pages"]) == 2
    assert stored["people/reviews.docx"]["content_type"] == "text/markdown"
    assert stored["minutes/standup.vtt"]["layout"]["cues"][0]["speaker"] == "Mira Okafor"

    report = chunk_documents.run(lake.spark, config)
    chunks = lake.rows("chunks")
    assert all(row["text"] == stored[row["doc_id"]]["text"][row["start"] : row["end"]] for row in chunks)
    assert {row["doc_id"] for row in chunks} == stored.keys()
    taken = Counter({row["doc_id"]: row["strategy"] for row in chunks}.values())
    assert {f"as_{name}": count for name, count in taken.items()} == {
        k: v for k, v in report.counts.items() if k.startswith("as_")
    }
    assert taken["markdown"] > taken["code"] > taken["transcript"] > 2
    assert f"{taken['markdown']} markdown, " in render_report(report, config)
    assert report.counts["parents"] == sum(row["kind"] == "parent" for row in chunks) > 0
    (rescue, *_) = [row for row in chunks if row["doc_id"] == "safety/water-rescue.pdf" and row["page_start"] == 2]
    assert rescue["page_end"] == 2
    assert [row["speakers"] for row in chunks if row["doc_id"] == "minutes/planning.srt" and row["kind"] == "parent"] == [
        ["Mira", "Hanne", "Jonas", "Priya"]
    ]
