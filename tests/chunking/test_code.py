"""Source code by its syntax tree: what has a name stays whole, led by its comments, and says where it stands."""

from typing import Any

import pytest
from pydantic import ValidationError

from chunking import Chunk, ChunkingConfig, Document, chunk_document
from chunking.grammars import GRAMMARS
from tests.chunking.cut import uncovered

LOAD_AND_BOX = "@cache\n@retry(3)\ndef load(path):\n    return open(path).read()\n\n\nclass Box:\n    @property\n    def size(self):\n        return 1\n"
TANK = "class Tank:\n    def fill(self, litres):\n        self.level += litres\n\n    def drain(self):\n        self.level = 0\n"


def cut_code(text: str, language: str | None = "python", size: int = 90, **settings: Any) -> list[Chunk]:
    config = ChunkingConfig.model_validate(
        {"strategy": "code", "tokenizer": "characters", "chunk_size": size, "min_chunk_size": 0, "code": {"language": language}}
        | settings
    )
    return chunk_document(Document("d", text, uri="lib/box.txt"), config)


def test_decorators_stay_with_what_they_describe() -> None:
    chunks = cut_code(LOAD_AND_BOX)
    assert [chunk.text for chunk in chunks] == LOAD_AND_BOX.rstrip().split("\n\n\n")
    assert [chunk.symbol for chunk in chunks] == ["load", "Box"]
    small = cut_code(LOAD_AND_BOX, size=60)
    assert [text for text in (chunk.text for chunk in small) if "@property" in text and "def size" in text]


def test_a_method_keeps_its_indentation_and_says_its_class() -> None:
    fill, drain = cut_code(TANK, size=75, header="section")
    assert drain.text == "    def drain(self):\n        self.level = 0"
    assert (drain.symbol, drain.section_path, drain.header) == ("Tank.drain", ("Tank", "drain"), "Tank > drain")
    assert fill.text.startswith("class Tank:\n    def fill")
    assert (fill.symbol, fill.metadata["symbols"]) == ("Tank", "Tank, Tank.fill")


def test_the_file_stands_for_the_title() -> None:
    assert cut_code(TANK, header="title_and_section")[0].header == "lib/box.txt > Tank"


def test_a_statement_over_size_is_cut_between_words() -> None:
    text = f"TABLE = [{', '.join(str(number) for number in range(100, 180))}]\n"
    chunks = cut_code(text, tokenizer="tiktoken:cl100k_base", size=50)
    assert all(chunk.token_count <= 50 for chunk in chunks)
    assert not uncovered(text, chunks)
    edges = [text[chunk.end - 1 : chunk.end + 1] for chunk in chunks[:-1]]
    assert all(not (edge[0].isdigit() and edge[1].isdigit()) for edge in edges)


def test_a_function_over_size_is_cut_between_statements() -> None:
    body = "".join(f"    value_{i} = call(\n        {i},\n    )\n" for i in range(6))
    chunks = cut_code(f"def long(\n    x,\n):\n{body}", size=80)
    assert len(chunks) > 2
    assert all(chunk.text.count("call(") == chunk.text.count("    )") for chunk in chunks)
    assert all(chunk.symbol == "long" for chunk in chunks)


def test_what_is_wrapped_is_cut_inside() -> None:
    body = "".join(f"  if (x > {i}) {{\n    call({i});\n  }}\n" for i in range(4))
    chunks = cut_code(f"export function f(x) {{\n{body}}}\n", "javascript", size=70)
    assert all(chunk.text.count("if (") == chunk.text.count(");\n  }") for chunk in chunks)
    assert chunks[0].text.startswith("export function f(x) {\n  if")


def test_small_neighbours_share_a_chunk() -> None:
    text = "".join(f"def f{i}():\n    return {i}\n\n\n" for i in range(6))
    chunks = cut_code(text, size=70)
    assert [chunk.metadata["symbols"] for chunk in chunks] == ["f0, f1", "f2, f3", "f4, f5"]


SOURCES = {
    "bash": ("# greets\ngreet() {\n  echo hi\n}\n", "greet"),
    "c": ("/* adds */\nstatic int\n*add(int a)\n{\n  return 0;\n}\n", "add"),
    "cpp": ("// a box\ntemplate <class T>\nclass Box : public Base {\n  int n;\n};\n", "Box"),
    "csharp": ("/// A box\n[Serializable]\npublic class Box {\n  int n;\n}\n", "Box"),
    "go": ("// Handle it\nfunc (s *Server[T]) Handle(x int) error {\n\treturn nil\n}\n", "Server.Handle"),
    "java": ("/** A box */\n@Entity\npublic class Box {\n  int n;\n}\n", "Box"),
    "javascript": ("// greets\nexport const greet = async (x) => {\n  return x\n}\n", "greet"),
    "python": ("# greets\n@cache\nasync def greet():\n    return 1\n", "greet"),
    "ruby": ("# A box\nclass Box < Base\n  attr_reader :n\nend\n", "Box"),
    "rust": ("/// A box\n#[derive(Debug)]\npub struct Box {\n    n: i32,\n}\n", "Box"),
    "scala": ("/** A box */\n@deprecated\ncase class Box(n: Int) {\n  def m = n\n}\n", "Box"),
    "sql": ("-- the boxes\nCREATE TABLE store.box (\n  n int\n);\n", "store.box"),
    "tsx": ("// A box\nexport function Box(p: P) {\n  return <b>{p.n}</b>\n}\n", "Box"),
    "typescript": ("/** A box */\n@Injectable()\nexport abstract class Box {\n  n: string;\n}\n", "Box"),
}


@pytest.mark.parametrize("language", GRAMMARS)
def test_every_language_names_and_leads(language: str) -> None:
    """Between two others, a definition with its comment is one chunk, and named."""
    source, name = SOURCES[language]
    other = source.replace("ox", "ag").replace("reet", "rab").replace("dd", "nd").replace("Handle", "Manage")
    text = f"{other}\n{source}\n{other.replace('ag', 'ug').replace('rab', 'rub').replace('nd', 'ld').replace('Man', 'Men')}"
    chunks = cut_code(text, language, size=len(source) + 4)
    (found,) = [chunk for chunk in chunks if chunk.start <= text.index(source) < chunk.end]
    assert (found.text, found.symbol) == (source.strip(), name)


@pytest.mark.parametrize("language", GRAMMARS)
def test_broken_code_of_every_language(language: str) -> None:
    """At any place where it breaks off, and with words of another language, nothing is lost and nothing raises."""
    text = SOURCES[language][0] * 2
    for end in range(0, len(text), 3):
        broken = text[:end] + " ü🙂 ) } end\n" + text[:20]
        chunks = cut_code(broken, language, size=24)
        assert not uncovered(broken, chunks)
        assert all(chunk.text == broken[chunk.start : chunk.end] for chunk in chunks)


def test_an_error_leaves_the_rest_its_structure() -> None:
    chunks = cut_code("def broken(:\n    pass\n\n\n" + TANK, size=75)
    assert [chunk.symbol for chunk in chunks if "drain" in chunk.text] == ["Tank.drain"]


def test_offsets_are_code_points() -> None:
    text = "Größe = '🙂🙂'\r\n\r\n\r\n" + "def größe(x):\r\n    return '東京'\r\n"
    chunks = cut_code(text, size=40)
    assert [(chunk.text, chunk.symbol) for chunk in chunks] == [
        ("Größe = '🙂🙂'", None),
        ("def größe(x):\r\n    return '東京'", "größe"),
    ]


@pytest.mark.parametrize(
    "text", ["(" * 5000, "{" * 5000 + "}" * 5000, "if x:\n" * 3000, "f(" * 2000 + "1" + ")" * 2000, "a+" * 9000 + "a"]
)
def test_deep_nesting(text: str) -> None:
    for language in ("python", "javascript"):
        assert not uncovered(text, cut_code(text, language, size=400))


def test_text_in_no_known_language_is_cut_by_lines() -> None:
    text = "BEGIN\n  one two three\n  four five six\nEND\n\nBEGIN\n  seven\nEND\n"
    chunks = cut_code(text, None, size=45)
    assert [chunk.text for chunk in chunks] == ["BEGIN\n  one two three\n  four five six\nEND", "BEGIN\n  seven\nEND"]
    assert all(chunk.symbol is None and not chunk.metadata for chunk in chunks)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"code\.language 'cobol' has no grammar; known: bash, c, cpp"):
        ChunkingConfig.model_validate({"strategy": "code", "code": {"language": "cobol"}})
