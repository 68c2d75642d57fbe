"""Which language a source text is in, and what its grammar calls the things that have names."""

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from chunking.errors import MissingLibraryError


@dataclass(frozen=True, slots=True)
class Grammar:
    """A tree-sitter grammar.

    Args:
        module: the package that carries it.
        names: node types that define something with a name.
        function: what gives the grammar in the package.
    """

    module: str
    names: frozenset[str]
    function: str = "language"


def _grammar(module: str, names: str, function: str = "language") -> Grammar:
    return Grammar(f"tree_sitter_{module}", frozenset(names.split()), function)


_SCRIPT = "class_declaration class function_declaration generator_function_declaration method_definition variable_declarator"
_TYPED = (
    f"{_SCRIPT} interface_declaration type_alias_declaration enum_declaration abstract_class_declaration internal_module module "
    "function_signature method_signature abstract_method_signature"
)
_C = "function_definition struct_specifier enum_specifier union_specifier"
GRAMMARS = {
    "bash": _grammar("bash", "function_definition"),
    "c": _grammar("c", _C),
    "cpp": _grammar("cpp", f"{_C} class_specifier namespace_definition concept_definition"),
    "csharp": _grammar(
        "c_sharp",
        "class_declaration struct_declaration interface_declaration record_declaration enum_declaration method_declaration "
        "constructor_declaration property_declaration delegate_declaration namespace_declaration "
        "file_scoped_namespace_declaration",
    ),
    "go": _grammar("go", "function_declaration method_declaration type_spec"),
    "java": _grammar(
        "java",
        "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration "
        "method_declaration constructor_declaration compact_constructor_declaration",
    ),
    "javascript": _grammar("javascript", _SCRIPT),
    "python": _grammar("python", "class_definition function_definition"),
    "ruby": _grammar("ruby", "class module method singleton_method"),
    "rust": _grammar(
        "rust", "function_item function_signature_item struct_item enum_item union_item trait_item impl_item mod_item macro_definition"
    ),
    "scala": _grammar(
        "scala", "class_definition object_definition trait_definition function_definition function_declaration enum_definition"
    ),
    "sql": _grammar(
        "sql",
        "create_table create_view create_materialized_view create_function create_procedure create_index create_trigger create_type",
    ),
    "tsx": _grammar("typescript", _TYPED, "language_tsx"),
    "typescript": _grammar("typescript", _TYPED, "language_typescript"),
}  # fmt: skip
_BY_CONTENT_TYPE = {
    "text/x-python": "python", "text/x-java": "java", "text/javascript": "javascript", "application/javascript": "javascript",
    "text/x-typescript": "typescript", "text/x-tsx": "tsx", "text/x-go": "go", "text/x-rust": "rust", "text/x-c": "c",
    "text/x-c++": "cpp", "text/x-csharp": "csharp", "text/x-ruby": "ruby", "text/x-scala": "scala", "text/x-sql": "sql",
    "application/sql": "sql", "text/x-sh": "bash", "application/x-sh": "bash",
}  # fmt: skip


def language_of(content_type: str) -> str | None:
    """The language of a media type, if there is a grammar for it."""
    return _BY_CONTENT_TYPE.get(content_type)


@lru_cache(maxsize=len(GRAMMARS))
def load_parser(language: str) -> Any:
    """The parser of a language.

    Raises:
        MissingLibraryError: its grammar isn't installed.
    """
    grammar = GRAMMARS[language]
    try:
        from tree_sitter import Language, Parser

        module = import_module(grammar.module)
    except ImportError as error:
        raise MissingLibraryError(f"strategy code needs {grammar.module}: pip install 'sparkchunk[documents]'") from error
    return Parser(Language(getattr(module, grammar.function)()))
