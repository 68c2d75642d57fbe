"""HTML as Markdown: the page as a reader sees it, its structure kept, nothing of it invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking import Chunk, ChunkingConfig, Document, chunk_document, read_text
from chunking.errors import NotReadableError
from chunking.markdown import inline_text, parse_markdown
from tests.chunking.cut import uncovered
from tests.generators import texts

HTML = "text/html"


def markdown(html: str) -> str:
    return read_text(Document("d", html, content_type=HTML)).text


def cut_page(html: str, **settings: object) -> list[Chunk]:
    config = ChunkingConfig.model_validate(
        {"strategy": "html", "tokenizer": "characters", "chunk_size": 1000, "min_chunk_size": 0} | settings
    )
    return chunk_document(Document("d", html, content_type=HTML), config)


def path_of(chunks: list[Chunk], words: str) -> tuple[str, ...]:
    (found,) = [chunk for chunk in chunks if words in chunk.text]
    return found.section_path


def test_headings_are_the_section_paths() -> None:
    chunks = cut_page("<h1>River</h1><p>Intro.</p><h2>Source</h2><p>It rises in hills.</p><h1>Lake</h1><p>Deep.</p>")
    assert path_of(chunks, "Intro.") == ("River",)
    assert path_of(chunks, "rises") == ("River", "Source")
    assert path_of(chunks, "Deep.") == ("Lake",)
    assert path_of(cut_page("<p>Before.</p><h1>One</h1><p>After.</p>"), "Before.") == ()


@pytest.mark.parametrize(
    "html, text",
    [
        ("<p>The <strong>blue</strong> whale <em>sings</em>.</p>", "The blue whale sings."),
        ("<p>a<b>b</b>c&nbsp;&amp;\n  d<br>e</p>", "abc\u00a0& d\ne"),
        ("one<div>two</div>three", "one\n\ntwo\n\nthree"),
        ("<ul><li>a<ul><li>b</ul><li><p>c<p>d</ul>", "- a\n  - b\n- c\n\n  d"),
        ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n\n> b"),
        ("<pre>  x\n\n  # y</pre>", "```\n  x\n\n  # y\n```"),
        ("<pre><code class='language-sh'>```\n</code></pre>", "````sh\n```\n````"),
        ("<pre><code>import a;</code><code>require(a);</code><button>copy</button></pre>", "```\nimport a;\nrequire(a);\n```"),
        ("<pre>call <code>f</code> then <code>g</code></pre>", "```\ncall f then g\n```"),
        ("<dl><dt>What?<dd>That.</dl>", "**What?**\n\nThat."),
        ("<details><summary>Why <i>so</i>?</summary>Because.</details>", "**Why so?**\n\nBecause."),
        ("<p><img alt='A cat' src=x> and <a href=/y>a link</a> <q>said</q>", 'A cat and a link "said"'),
        ("<p># no <p>- no <p>12) no <p>> no <p>--- <p>&lt;div&gt; <p>a<br>===", "\\# no\n\n\\- no\n\n12\\) no\n\n\\> no\n\n\\---\n\n\\<div>\n\na\n\\==="),
        ("<h2>__init__ <a class=headerlink href=#x>¶</a></h2>", "## \\_\\_init\\_\\_"),
        ("<h2>a_b * c</h2>", "## a_b * c"),
        ("<ul><li><h3>Card</h3><p>Text.</ul>", "### Card\n\nText."),
    ],
)  # fmt: skip
def test_markup_becomes_markdown(html: str, text: str) -> None:
    assert markdown(html) == text


@pytest.mark.parametrize(
    "unseen",
    ["<script>no</script>", "<style>no</style>", "<nav>no</nav>", "<template>no</template>", "<!-- no -->", "<p hidden>no</p>",
     "<div style='display: none'>no</div>", "<footer>no</footer>", "<noscript>no</noscript>", "<svg><title>no</title></svg>",
     "<div role=navigation>no</div>", "<span aria-hidden=true>no</span>", "<select><option>no</select>", "<aside>no</aside>"],
)  # fmt: skip
def test_what_a_reader_does_not_see_is_out(unseen: str) -> None:
    assert markdown(f"<head><title>T</title></head><p>one {unseen}</p><p>two</p>") == "one\n\ntwo"


def test_notes_of_an_article_stay() -> None:
    assert markdown("<article><p>one</p><aside>a note</aside><footer>by Ann</footer></article>") == "one\n\na note\n\nby Ann"


def test_tables() -> None:
    html = """<table><caption>Prices</caption><thead><tr><th rowspan=2>Item<th colspan=2>Price</tr><tr><th>EU<th>US</tr></thead>
        <tr><td rowspan=2>Rope|thin<td>12<td>13</tr><tr><td colspan=2>sold<br>out</tr><tr><td>Lamp</tr></table>"""
    assert markdown(html).split("\n") == [
        "Prices", "", "| Item | Price / EU | Price / US |", "| --- | --- | --- |", "| Rope\\|thin | 12 | 13 |",
        "| Rope\\|thin | sold out |  |", "| Lamp |  |  |",
    ]  # fmt: skip
    (table,) = parse_markdown(markdown(html)).tables
    assert (table.columns, len(table.rows)) == (("Item", "Price / EU", "Price / US"), 3)


def test_a_table_in_a_table_gives_its_words_and_one_for_layout_is_none() -> None:
    assert (
        markdown("<table><tr><th>a<th>b</tr><tr><td>1<td><table><tr><td>x<td>y</table></table>")
        == "| a | b |\n| --- | --- |\n| 1 | x y |"
    )
    assert markdown("<table><tr><td><h2>Left</h2><p>l<td><ul><li>r</ul></table>") == "## Left\n\nl\n\n- r"


def test_a_split_table_repeats_its_head() -> None:
    rows = [("Rope", "12 EUR"), ("Lamp", "30 EUR"), ("Tent", "95 EUR")]
    body = "".join(f"<tr><td>{item}</td><td>{price}</td></tr>" for item, price in rows)
    chunks = cut_page(f"<h2>Prices</h2><table><tr><th>Item</th><th>Price</th></tr>{body}</table>", chunk_size=60)
    assert len(chunks) > 1
    for item, price in rows:
        (found,) = [chunk for chunk in chunks if item in chunk.text]
        assert price in found.text
        assert "| Item | Price |" in found.embed_text
    assert not [chunk for chunk in chunks if chunk.text.endswith("| --- | --- |")]


def test_deep_nesting() -> None:
    deep = "<div>" * 5000 + "<h1>Deep</h1><p>core</p>" + "</div>" * 5000
    (chunk,) = cut_page(deep)
    assert (chunk.text, chunk.section_path) == ("# Deep\n\ncore", ("Deep",))
    assert markdown("<ul><li>" * 3000 + "x").strip("- ") == "x"
    assert "x" in markdown("<table><tr><td>" * 300 + "x")
    with pytest.raises(NotReadableError, match="nested 20,000 deep"):
        markdown("<div>" * 20_000)
    assert markdown("<p>a<br>" * 20_000).count("a") == 20_000


def test_title() -> None:
    assert read_text(Document("d", "<title> A\n page </title><h1>B</h1>", content_type=HTML)).title == "A page"
    assert read_text(Document("d", "<p>x<h2>B <i>c</i></h2>", uri="x.html")).title == "B c"
    assert read_text(Document("d", "<p>x", title="Given", content_type=HTML)).title == "Given"


def test_blank_pages_have_no_chunks() -> None:
    assert not cut_page("") + cut_page("<html><body> \n </body></html>") + cut_page("<script>x</script>")


WORDS = st.text("abcdefgxyz#*_->|`1.~=<&\u00e9\u6771", min_size=1, max_size=8)
INLINE = st.sampled_from(("b", "i", "span", "a", "code", "em"))
BLOCK = st.sampled_from(
    ("p", "div", "li", "ul", "blockquote", "section", "td", "h2", "h3", "pre", "dd", "dt", "table", "tr", "th")
)


def pages() -> st.SearchStrategy[list[str]]:
    """Pages as lists of tags and words, not always well-formed."""
    word = WORDS.map(lambda word: word.replace("&", "&amp;").replace("<", "&lt;"))
    tag = st.one_of(INLINE, BLOCK).flatmap(lambda name: st.sampled_from((f"<{name}>", f"</{name}>", f"<{name}>")))
    return st.lists(st.one_of(word.map(lambda word: f" {word} "), tag), max_size=30)


@given(page=pages())
def test_every_word_survives_and_headings_are_those_of_the_page(page: list[str]) -> None:
    html = "".join(page)
    text = markdown(html)
    wanted = "".join(part.replace("&lt;", "<").replace("&amp;", "&") for part in page if part[:1] == " ").split()
    bare = text.replace("\\", "")
    assert all(word in bare for word in wanted)
    headings = parse_markdown(text).headings
    if not headings:
        return
    assert "<h2>" in html or "<h3>" in html
    assert all(heading.level in {2, 3} for heading in headings)


@given(words=st.lists(WORDS, min_size=1, max_size=6))
def test_words_never_become_structure(words: list[str]) -> None:
    """Lines of words in paragraphs stay one paragraph each, and a heading's words its name."""
    lines = "<br>".join(word.replace("&", "&amp;").replace("<", "&lt;") for word in words)
    found = parse_markdown(markdown(f"<p>{lines}</p>"))
    assert (len(found.blocks), found.headings, found.tables) == (1, (), ())
    assert not found.blocks[0].children
    (heading,) = parse_markdown(markdown(f"<h2>{lines}</h2>")).headings
    assert heading.name == inline_text(" ".join(words)) or heading.name == " ".join(words)


@given(html=texts(12))
def test_any_text_is_a_page(html: str) -> None:
    text = markdown(html)
    assert not uncovered(text, cut_page(html, chunk_size=30))


SAMPLE = (
    "<h1>A</h1><p>b <b>c</b></p><table><tr><th>d<td>e</table><ul><li>f<li>g</ul><pre>h</pre><!-- i --><script>j</script>k&amp;"
)


@pytest.mark.parametrize("end", range(0, len(SAMPLE), 2))
def test_a_page_that_breaks_off(end: int) -> None:
    text = markdown(SAMPLE[:end])
    assert not uncovered(text, cut_page(SAMPLE[:end], chunk_size=20))
