"""Numbered clauses of contracts and laws, and the references between them."""

from chunking.clauses.nesting import Clause, find_clauses
from chunking.clauses.references import find_references

__all__ = ["Clause", "find_clauses", "find_references"]
