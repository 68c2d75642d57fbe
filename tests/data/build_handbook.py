"""Makes the PDF and DOCX files of the handbook, whose words stand here: ``python tests/data/build_handbook.py``.

The text of a file is the same at every run; its bytes hold library versions and may differ.
"""

from datetime import UTC, datetime
from pathlib import Path

from docx import Document
from fpdf import FPDF

DOCUMENTS = Path(__file__).parent / "handbook" / "documents"
MADE = datetime(2026, 3, 1, tzinfo=UTC)

RESCUE = (
    ("Who does what", (
        "The shift lead decides. From the moment the alarm is raised nobody rents out boats, and the desk keeps the telephone free. "
        "The rescue boat goes out with two people who both hold the certificate, never with one.",
        "The third person stays at the radio, writes down every message with its time, and counts the boats that are still out. "
        "If the number doesn't match the board, the board is wrong until it has been counted twice.",
    )),
    ("When to raise the alarm", (
        "Raise it when a boat is four hours late without a call, when the siren for red has sounded and a boat is not in sight "
        "after twenty minutes, or when anyone on the shore says that they saw somebody fall in. It is never wrong to raise it. "
        "In nine years we had forty-one alarms, and thirty-three of them were for nothing; the other eight were worth all of them.",
        "Call 144 first if someone is hurt, then the water police on 059 133. Give the lake, the nearest landing stage and the "
        "number of people. Don't hang up before they do.",
    )),
    ("On the water", (
        "Come up to a swimmer against the wind, with the engine out of gear for the last ten metres. Pull people in over the stern, "
        "lying flat. A capsized boat is left where it is until everyone has been counted; boats float, and can be "
        "fetched tomorrow.",
        "Cold water takes strength within ten minutes when it is under twelve degrees. Someone who stops shivering is in danger, not out "
        "of it. Wrap them up, keep them lying, give nothing to drink, and don't rub the arms and legs.",
    )),
    ("Afterwards", (
        "Everyone meets in the boathouse within the hour, also if it was for nothing. Mira Okafor talks to the press; all others say "
        "that they can't say anything. The report is written on the same day. Whoever wants to talk to someone outside gets five "
        "hours with a counsellor, paid by the company, without giving a reason.",
        "The rescue boat is refuelled, and its bag is checked against the list on the lid, before the lake opens again.",
    )),
)  # fmt: skip
SEASON = (
    "The season of 2025",
    "We opened on 12 April and closed on 19 October, for 184 days of which the lake was closed on 17. Some 21,400 people rented a boat, "
    "six percent more than the year before, although the spring was cold. Kayaks grew by a fifth; canoes stayed level.",
    "Income was 1.92 million euros, of which 71 percent came from boats, 18 percent from tents and 11 percent from guides. The result "
    "before tax was 143,000 euros. A fifth of what was over plan went to the staff: 212 euros for an average season contract.",
    "We bought fourteen boats and sold nine. The oldest canoe, Old Mary, was let forty times, to people who asked for her by name.",
    "Three customers were hurt, none badly: a finger in a paddle lock, a foot on the slipway, and a wasp. The slipway now has a mat.",
    "For 2026 we plan a third lake, Morren, with two season staff, and expect it to pay for itself in its second summer.",
)
DRILL = (
    "Fire drill at the boathouse",
    "The drill is on the second Tuesday of April and of September, at 10:30. It isn't announced on the day.",
    "The meeting point is the flagpole. The shift lead takes the visitors' book along and calls out the names. The workshop shuts the "
    "gas at the yellow tap, and whoever did it says so aloud.",
    "The drill has succeeded when everyone stands at the flagpole within four minutes. The last one took three minutes and fifty "
    "seconds, because the door to the loft was blocked by tents.",
)
REVIEWS = (
    ("h1", "Review talks"), ("p", "Everybody has a talk with their manager each February, and season staff one in August. It takes an hour and is prepared in writing by both."),
    ("h2", "Before the talk"), ("n", "Write down what went well, three points at most."), ("n", "Write down what you would change, in your work and in the company."),
    ("n", "Ask two colleagues for a sentence each. The manager doesn't choose them."),
    ("h2", "Steps and pay"), ("p", "Pay goes by step. A step is decided in the talk and holds from April."),
    ("t", (("Step", "Who", "Monthly pay"), ("1", "Season staff", "2,050 EUR"), ("2", "Desk and water", "2,340 EUR"), ("3", "Workshop, shift lead", "2,720 EUR"), ("4", "Heads", "3,480 EUR"))),
    ("h2", "If you disagree"), ("p", "Write to Priya Nair within ten days. She talks to both sides, and Mira Okafor decides within three weeks."),
)  # fmt: skip
PROCUREMENT = (
    ("h1", "Buying things"), ("p", "Whoever buys for the company spends other people's money. These are the limits."),
    ("h2", "Limits"), ("b", "Up to 150 EUR: buy it and keep the receipt."), ("b", "Up to 1,500 EUR: two offers, and the head of your team signs."),
    ("b", "Over 1,500 EUR: three offers, and Hanne Lund signs."), ("b", "Over 20,000 EUR: the owners decide in their meeting in January or July."),
    ("h2", "What we don't buy"), ("p", "Boats without a repair manual, foam that sheds, and anything from suppliers who pay their own staff below the tariff."),
    ("h2", "Suppliers"), ("t", (("What", "Supplier", "Terms"), ("Boats", "Halvorsen Båt, Drammen", "30 days, 2 % within 10"), ("Glue and resin", "Kittel Chemie, Graz", "14 days, closed in May"), ("Tents", "Basin Works, Kranj", "45 days"))),
)  # fmt: skip
LEAVE = (
    ("h1", "Parental leave"), ("p", "Both parents can take leave until the child's second birthday. Tell Priya Nair three months before it begins; for adoption two weeks are enough."),
    ("h2", "Coming back"), ("p", "You come back to your step and your lake. In the first six months you may work between 20 and 30 hours, and choose the days yourself unless a shift would be left with fewer than two people."),
    ("h2", "Money"), ("p", "The company adds 200 EUR a month to the state allowance, for at most twelve months, to each parent. It isn't paid back if you don't return."),
    ("h2", "A day for fathers, partners and grandparents"), ("p", "Whoever isn't the one giving birth gets ten paid days around the birth. Grandparents get one."),
)  # fmt: skip


class Manual(FPDF):
    """Pages with a running header and a numbered footer."""

    def header(self) -> None:
        self.set_font("helvetica", "I", 9)
        self.cell(0, 8, "Tarn & Vale - Water rescue plan", new_x="LMARGIN", new_y="NEXT")

    def footer(self) -> None:
        self.set_y(-15)
        self.set_font("helvetica", size=9)
        self.cell(0, 8, f"Page {self.page_no()} of {{nb}}", align="C")


def started(pdf: FPDF, title: str) -> FPDF:
    pdf.set_title(title)
    pdf.set_creation_date(MADE)
    pdf.add_page()
    return pdf


def rescue_plan() -> FPDF:
    pdf = started(Manual(format="A5"), "Water rescue plan")
    for heading, paragraphs in RESCUE:
        pdf.set_font("helvetica", "B", 15)
        pdf.cell(0, 12, heading, new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("helvetica", size=12)
        for paragraph in paragraphs:
            pdf.multi_cell(0, 7, paragraph, align="J", new_x="LMARGIN", new_y="NEXT")
            pdf.ln(5)
    return pdf


def season_report() -> FPDF:
    pdf = started(FPDF(), "Report on the season")
    pdf.set_font("helvetica", "B", 16)
    pdf.cell(0, 14, SEASON[0], new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("helvetica", size=11)
    with pdf.text_columns(ncols=2, gutter=10) as columns:
        columns.write("\n\n".join(SEASON[1:]))
    return pdf


def fire_drill() -> FPDF:
    pdf = started(FPDF(format="A5"), "Fire drill")
    pdf.set_font("helvetica", "B", 14)
    pdf.cell(0, 12, DRILL[0], new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("helvetica", size=11)
    for paragraph in DRILL[1:]:
        pdf.multi_cell(0, 6, paragraph, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(5)
    return pdf


def word(title: str, parts: tuple[tuple[str, object], ...], path: Path) -> None:
    """A DOCX file of headings, paragraphs, items and tables."""
    document = Document()
    document.core_properties.title = title
    document.core_properties.created = document.core_properties.modified = MADE
    styles = {"p": "Normal", "b": "List Bullet", "n": "List Number"}
    for kind, content in parts:
        if isinstance(content, tuple):
            table = document.add_table(rows=len(content), cols=len(content[0]))
            for row, cells in zip(table.rows, content, strict=True):
                for cell, text in zip(row.cells, cells, strict=True):
                    cell.text = text
        elif kind.startswith("h"):
            document.add_heading(str(content), int(kind[1]))
        else:
            document.add_paragraph(str(content), style=styles[kind])
    document.save(str(path))


def main() -> None:
    """Write all six files."""
    rescue_plan().output(str(DOCUMENTS / "safety" / "water-rescue.pdf"))
    season_report().output(str(DOCUMENTS / "sales" / "season-2025.pdf"))
    fire_drill().output(str(DOCUMENTS / "safety" / "fire-drill.pdf"))
    word("Review talks", REVIEWS, DOCUMENTS / "people" / "reviews.docx")
    word("Buying things", PROCUREMENT, DOCUMENTS / "sales" / "procurement.docx")
    word("Parental leave", LEAVE, DOCUMENTS / "people" / "parental-leave.docx")


if __name__ == "__main__":
    main()
