"""Our columns from those of any table, by the mapping in the configuration."""

from typing import TYPE_CHECKING

from chunking.errors import InputError, nearest
from jobs.common.config import Columns
from jobs.common.schemas import LAYOUT
from jobs.common.tables import quoted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

CONTENT = tuple(name for name in Columns.model_fields if name != "doc_id")
TYPES = {"data": "binary", "layout": LAYOUT, "metadata": "map<string,string>"}
NUMBERS = ("int", "bigint", "smallint", "tinyint", "double", "float", "decimal", "date", "boolean")


def mapped(table_df: "DataFrame", names: Columns, place: str, setting: str, implied: bool = True) -> list["Column"]:
    """``doc_id`` and the content columns, to select from ``table_df``; optional ones that it lacks are null.

    Args:
        place: what an error names the table by.
        setting: the configuration's key of the mapping.
        implied: a column of our own name needs no mapping.

    Raises:
        InputError: a column that isn't there or is of another type.
    """
    from pyspark.sql import functions as F

    kinds, mapping = dict(table_df.dtypes), names.mapping()
    required = {"doc_id", *(() if "data" in mapping else ("text",))}
    columns = []
    for ours in ("doc_id", *CONTENT, *(("data",) if "data" in mapping else ())):
        theirs = mapping.get(ours, ours)
        if theirs in kinds and (implied or ours in mapping):
            columns.append(_typed(ours, theirs, kinds[theirs], place))
        elif ours in mapping or ours in required:
            hint = nearest(theirs, kinds) or f"; its columns: {', '.join(kinds)}"
            raise InputError(f"{place}: no column {theirs!r} for {ours!r}{hint}; map it by {setting}.{ours}")
        else:
            columns.append(F.lit(None).cast(TYPES.get(ours, "string")).alias(ours))
    return columns


def _typed(ours: str, theirs: str, kind: str, place: str) -> "Column":
    """Numbers may stand for strings, but not for a text: that is a wrong mapping."""
    from pyspark.sql import functions as F

    wanted = TYPES.get(ours, "string")
    is_number = kind.split("(", maxsplit=1)[0] in NUMBERS
    if kind != wanted and not (is_number and wanted == "string" and ours != "text"):
        raise InputError(f"{place}: column {theirs!r} is {kind}, but {ours!r} is {wanted}")
    return F.col(quoted(theirs)).cast(wanted).alias(ours)
