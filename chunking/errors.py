"""The project's errors. Each message is one line for the person who must act: where, what was found, what to do."""

from collections.abc import Iterable
from difflib import get_close_matches


class SparkchunkError(Exception):
    """Base of all errors that a person can mend; the command line prints the message and exits with 2."""


class ConfigError(SparkchunkError):
    """A setting is wrong: raised on the driver before anything is read or written."""


class InputError(SparkchunkError):
    """A source, table or location is not what the job needs: raised before anything is written."""


class RunError(SparkchunkError):
    """A run ended with work that someone must look at; what was good is committed."""

    def __init__(self, message: str, report: object = None) -> None:
        super().__init__(message)
        self.report = report


class DocumentError(SparkchunkError):
    """One document can't be read, chunked or embedded: it is quarantined alone, with this message.

    ``transient`` marks causes outside the document (memory, an endpoint): such a document is tried again.
    """

    transient = False


class NotTextError(DocumentError):
    """The bytes of a document aren't text, or no reader exists for its kind."""


class NotReadableError(DocumentError):
    """A file of a kind that has a reader is damaged, encrypted, or holds no text."""


class MissingLibraryError(DocumentError):
    """What reads a document of this kind isn't installed here; it is tried again, since it may be by then."""

    transient = True


class TooLargeError(DocumentError):
    """A single code point, or a stored chunk, is larger than what fits."""


class EmbeddingError(DocumentError):
    """A document has no token to pool, or the model gave a vector that isn't finite or has no direction.

    ``index`` says which of the document's vectors, when it is one.
    """

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class NoDirectionError(EmbeddingError):
    """A text has no token in the embedder's vocabulary, or a vector of zeros: it is like no other text."""


class OutOfMemoryError(DocumentError):
    """A document didn't fit into the memory of the device."""

    transient = True


def nearest(name: str, known: Iterable[str]) -> str:
    """``, did you mean 'x'?`` for the known name nearest to ``name``, else nothing."""
    matches = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f", did you mean {matches[0]!r}?" if matches else ""
