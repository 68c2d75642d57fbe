"""Texts on which splitters break, for hypothesis."""

from hypothesis import strategies as st

from chunking import Document

ATOMS = (
    " ", "   ", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\t", "\f", "\u00a0", "\u2028", "\u3000", " \u0301", "\n\u0308", "\x1c",
    "word", "the cat sat on the mat", "Hello, world. ", "Dr. Osei paid 3.50 EUR at 9 a.m. sharp. ", "“Really?” she asked. ",
    "x; y: z, and so on. ", "internationalisation", "antidisestablishmentarianism", "supercalifragilistic" * 8, "a" * 130,
    "👩\u200d👩\u200d👧\u200d👦", "👍🏽", "🇩🇪", "🇩🇪🇫🇷🇮🇳", "☕\ufe0f", "❤\ufe0f\u200d🔥", "🙂", "e\u0301", "n\u0303o", "a" + "\u0301" * 9,
    "\u0301", "\u200d", "\u200b", "\ufeff", "\u00ad", "雨が降った。道が濡れた！", "鯨", "你好，世界。", "東京都に住んでいます", "한국어 문장입니다. ",
    "สวัสดีครับ", "นี่คือภาษาไทย", "नमस्ते दुनिया। ", "क्षत्रिय", "שלום עולם. ", "مرحبا بالعالم، ", "\u202eabc\u202c",
    "<|endoftext|>", "<|im_start|>", "[SEP]", "[CLS] [UNK]", "</s>", "##", "\ud83d", "\udc00", "\0", "\ufffd", "ǂǂǂ", "ﷺ", "İstanbul",
    "École de PARIS", "3.14159", "1234567890", "...", "!?", "a|b|c", "https://example.org/a/b?c=d&e=f", "don't we'll I'M",
    "# Title\n\n", "## Section one\n", "### Deeper *one*\n\n", "Title\n=====\n", "- item\n- item two\n", "```\ncode = 1\n# no heading\n```\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n", "> quote\n", "[link](http://x.y)", "---\n", "def f(x):\n    return x\n",
    "class A {\n  m() { return 1; }\n}\n", "@deco\n", "\n1. Term\n", "\n1.1 It ends under clause 2(a).\n", "\n2. Fee\n(a) see Article 1; ", "\n(b) § 3 ", "\n\n1.2 How\nso?\n", "\nSection 1.01 Law. (a) ", "\n1. Law ..... 3\n", "Q: Why so?\n", "A: Because.\n", "\n\nWho?\n", "**Is it?**\n\n", "Why?\tSo.\n", "\n[00:01:02] Ana: yes\n", "\nBen: no. ", "# note\n", "    if x:\n        y = 1\n", "f() {\n\techo 'é'\n}\n", "(((", "}",
)  # fmt: skip

TITLES = (
    "",
    "Guide",
    "  ",
    "A much longer title that takes more room than any embedder leaves " * 3,
    "東京都に住んでいます" * 9,
    "\ud83d odd",
)


def texts(most: int = 40) -> st.SearchStrategy[str]:
    """Any text, made mostly of the pieces that were trouble for somebody; some repeat, since equal chunks are trouble too."""
    atom = st.one_of(st.sampled_from(ATOMS), st.sampled_from(ATOMS), st.text(max_size=6))
    run = st.builds(lambda text, times: text * times, atom, st.sampled_from((1, 1, 1, 1, 2, 5)))
    return st.lists(run, max_size=most).map("".join)


def documents(most: int = 40) -> st.SearchStrategy[Document]:
    """Plain, Markdown and comma-separated documents, with and without a title."""
    return st.builds(
        Document,
        doc_id=st.just("d"),
        text=texts(most),
        title=st.sampled_from(TITLES),
        content_type=st.sampled_from(("text/plain", "text/markdown", "text/csv")),
    )
