"""Build chunks and vectors from the documents table: the chunk and embed jobs as one run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunking import build_chunker
from jobs.chunk_documents import chunk, read_checked
from jobs.common.command import Options, run_as_script, run_on_documents
from jobs.common.config import JobConfig
from jobs.common.recording import fail_if_noted, recorded, settings_of
from jobs.common.report import Report
from jobs.common.schemas import CHUNKS, VECTORS, VERSIONS
from jobs.embed_chunks import embed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXAMPLE = "sparkchunk build --config conf/local.yaml --set chunking.chunk_size=256"


def run(spark: "SparkSession", config: JobConfig, options: Options = Options()) -> Report:
    """Bring chunks and vectors of the configured versions to the documents.

    Raises:
        ConfigError, InputError: before anything is written.
        RunError: too many documents were quarantined, or the totals don't add up.
    """
    resolved = config.resolved()
    spec = resolved.need_spec()
    version = build_chunker(resolved.chunking).version
    report = Report("build", chunk_version=version, embed_version=spec.embed_version(version))
    documents = read_checked(spark, config, options, report)
    with recorded(spark, config, report, (CHUNKS, VECTORS, VERSIONS), settings_of(config, resolved)) as lake:
        with report.timed("chunk"):
            chunk(lake, config, resolved, documents, report, options)
        with report.timed("embed"):
            embed(lake, config, spec, documents, report, options)
        fail_if_noted(report)
    return report


def main(argv: Sequence[str] | None = None) -> None:
    """The build command."""
    run_on_documents("build", __doc__, EXAMPLE, run, argv)


if __name__ == "__main__":
    run_as_script(main)
