"""An audit as text and as a page: one file with tables and pictures that asks for nothing else."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from leaderboard_edu._log_files import PathLike
from leaderboard_edu.figures import COLOURS, DARK_COLOURS, DARK_TEXT_COLOURS, PAPER, TEXT_COLOURS

if TYPE_CHECKING:
    from leaderboard_edu.auditing import Audit, Suspicion, TeamGap

BRIEF, TABLE = 5, 20  # teams in the summary, and in the picture of gaps
WHAT = {
    "coin files": "coin files, independent of earlier ones and of the truth",
    "flips": "flips of one or two labels of an earlier file",
    "votes": "votes of coin files",
}
ADAPTIVE = (
    "The interval for true risk minus public loss holds under adaptivity, for all teams together with probability "
    "{sure:.0%}, if the rows are independent draws and nobody was told anything of the final ones."
)
LUCK = (
    "The range of luck holds for fixed submissions only, and for the best of them: a gap above it is more than the "
    "luck of choosing."
)
FIXED = (
    "The board scored all rows. The interval for true risk minus loss holds for fixed submissions only, with "
    "probability {sure:.0%} for all together. Under adaptivity these rows promise nothing for a board that shows every "
    "score."
)
REPLAYED = (
    "A replay says what a board would have shown of these files. On another board teams would have sent others, "
    "attackers above all."
)
HONEST = (
    "The p-value is at most the probability of as many marked files if each file of an honest team, given its earlier "
    "ones, is marked with probability one half or less; for votes, if the file was made without the coin files. "
    "Adjusted: by Holm's method for the whole contest. A suspicion is a reason to ask, no proof."
)


def summary(audit: Audit) -> str:
    """Return at most thirty lines."""
    final = audit.rows - audit.scored
    lines = [
        f"{audit.submissions:,} submissions by {audit.teams:,} teams, {audit.rows:,} labels of {audit.classes} "
        f"classes: {audit.scored:,} scored, {final:,} final",
        "",
        "What another board shows   improved   first three",
    ]
    for board in audit.boards:
        first = ", ".join(_named(team, shown) for team, shown in board.first[:3])
        lines.append(f"  {board.name:25s}{board.improvements:8,}   {first}")
    lines += ["", "Best file of    public   final     gap   true risk - public     luck alone"]
    for row in audit.gaps[:BRIEF]:
        interval, luck = _outward(row.low, row.high), "-" if row.luck is None else _outward(*row.luck)
        gaps = "      -       -" if row.gap is None else f"{row.final:.4f} {row.gap:+.4f}"
        lines.append(f"  {_short(row.team, 12):12s}{row.public:8.4f}  {gaps}   {interval}   {luck}")
    beyond = ", ".join(_short(row.team) for row in beyond_luck(audit)[:BRIEF]) or "none"
    lines += [
        f"  Gaps that luck does not explain: {beyond}"
        if final
        else "  No final rows: the intervals hold for fixed files only",
        "",
    ]
    lines.append(
        f"Suspected players: {len(audit.suspects)}; under honest play any with probability {audit.level:g} at most"
    )
    for each in audit.suspicions[:8]:
        counted = f"{WHAT[each.kind]}, {len(each.files)} of {each.among:,}"
        lines.append(f"  {_teams(each.teams, 4)}: {counted}; p {chance(each.adjusted)}")
    lines += ["", promise(audit), f"Next time: {audit.plan.recommendation}"]
    return "\n".join(lines)


def alarms(audit: Audit) -> str:
    """Say how often honest play is suspected."""
    return f"under honest play there would be any with probability {audit.level:g} at most"


def promise(audit: Audit) -> str:
    """Say what a board could have promised under adaptivity."""
    if audit.step is None:
        return (
            f"No step of a simplified Ladder is honest under adaptivity here, with probability {1 - audit.delta:.0%}."
        )
    return (
        f"Under adaptivity a simplified Ladder with a step of {audit.step} would have been off by less than a step, "
        f"with probability {1 - audit.delta:.0%}."
    )


def beyond_luck(audit: Audit) -> list[TeamGap]:
    """Return the teams whose final loss is further above the public one than a random split explains."""
    return [row for row in audit.gaps if row.gap is not None and row.luck is not None and row.gap > row.luck[1]]


def chance(p_value: float) -> str:
    """Return a p-value as one reads it."""
    return "< 1e-300" if p_value < 1e-300 else f"= {p_value:.2g}"


def _short(team: Hashable, width: int = 20) -> str:
    """Return a name that fits into a column."""
    name = " ".join(str(team).split())
    return name if len(name) <= width else f"{name[: width - 1]}…"


def _teams(teams: Sequence[Hashable], most: int) -> str:
    """Return some names, and how many more there are."""
    more = f" and {len(teams) - most} more" if len(teams) > most else ""
    return ", ".join(_short(team) for team in teams[:most]) + more


def _named(team: Hashable, shown: float | None) -> str:
    """Return a team with the loss that is shown for it."""
    return f"{_short(team, 12)} {_loss(shown)}".rstrip()


def _loss(shown: float | None) -> str:
    """Return a loss, nothing on a board of ranks."""
    return "" if shown is None else f"{shown:.4f}"


def _range(ends: tuple[float, float] | None) -> str:
    """Return an interval."""
    return "-" if ends is None else f"{ends[0]:+.4f} to {ends[1]:+.4f}"


def _outward(low: float, high: float) -> str:
    """Return an interval in thousandths that holds it."""
    return f"{math.floor(1000 * low) / 1000:+.3f} to {math.ceil(1000 * high) / 1000:+.3f}"


def write_page(path: PathLike, text: str) -> None:
    """Write a page under another name, which gets its own when it is complete."""
    target = Path(path)
    new = target.with_name(f"{target.name}.new")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


LIGHT = {
    "ink": PAPER["text"],
    "muted": PAPER["muted"],
    "line": PAPER["grid"],
    "ground": PAPER["ground"],
    "grey": COLOURS["independent"],
    "orange": TEXT_COLOURS["full_disclosure"],
    "blue": COLOURS["ladder"],
}
DARK = {
    "ink": "#e8e8ea",
    "muted": "#aaa",
    "line": "#444",
    "ground": "#18181b",
    "grey": DARK_COLOURS["independent"],
    "orange": DARK_TEXT_COLOURS["full_disclosure"],
    "blue": DARK_COLOURS["ladder"],
}
STYLE = """
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--ground); overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.3rem; margin-top: 2rem; }
h3 { font-size: 1rem; margin-bottom: .3rem; } h3 + p { margin-top: 0; }
p.note, caption, figcaption { color: var(--muted); font-size: .9rem; text-align: left; }
.wide { overflow-x: auto; } .wide:focus-visible { outline: 2px solid var(--blue); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; overflow-wrap: normal; }
td.number, th.number { text-align: right; }
td.number { white-space: nowrap; }
.boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(max(9rem, 28%), 1fr)); gap: 0 .75rem; }
.boards ol { margin: 0; max-width: 14rem; padding-left: 1.9rem; display: flow-root; }
.boards li { clear: both; font-variant-numeric: tabular-nums; } .boards span { float: right; padding-left: .5rem; }
.alarm { color: var(--orange); font-weight: 600; }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; max-width: 36rem; display: block; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg .axis { stroke: var(--line); } svg .truth { stroke: var(--muted); stroke-dasharray: 5 4; }
svg .dot { fill: var(--blue); fill-opacity: .6; } svg .suspect { fill: var(--orange); }
svg .luck { stroke: var(--grey); stroke-width: 7; stroke-opacity: .4; }
svg .span { stroke: var(--blue); stroke-width: 2; }
svg .bar { fill: var(--blue); }
"""


def page(audit: Audit) -> str:
    """Return the page."""
    final = audit.rows - audit.scored
    sure = 1 - audit.delta
    parts = [
        "<h1>Audit of a competition</h1>",
        f"<p>{audit.submissions:,} submissions by {audit.teams:,} teams on {audit.rows:,} labels of {audit.classes} "
        f"classes; the board scored {audit.scored:,} of them, {final:,} are final.</p>",
        "<h2>Suspected players</h2>",
        *_suspects(audit),
        "<h2>What each board would have shown</h2>",
        _improvements(audit),
        _standings(audit),
        f'<p class="note">{REPLAYED}</p>',
        "<h2>Public and final losses</h2>",
        *([_scatter(audit)] if final else []),
        _intervals(audit),
        f'<p class="note">{(ADAPTIVE if final else FIXED).format(sure=sure)} {LUCK if final else ""}</p>',
        f"<details><summary>All {audit.teams:,} teams</summary>{_gap_table(audit)}</details>",
        f"<p>{escape(promise(audit))}</p>",
        "<h2>Next time</h2>",
        *_plan(audit),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Audit of a competition</title><style>{_colours()}{STYLE}</style></head>\n<body><main>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )


def _colours() -> str:
    """Return the colours on a light and a dark ground, as variables of the page."""
    light, dark = (" ".join(f"--{name}: {value};" for name, value in each.items()) for each in (LIGHT, DARK))
    return (
        f":root {{ color-scheme: light dark; {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    )


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: int) -> str:
    """Return a table whose last columns are numbers; cells are escaped here."""
    kinds = ["" if i < len(heads) - numbers else ' class="number"' for i in range(len(heads))]
    head = "".join(f'<th scope="col"{kind}>{escape(text)}</th>' for kind, text in zip(kinds, heads, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>"
        for row in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _plan(audit: Audit) -> list[str]:
    """Return how to run a board like this one."""
    plan = audit.plan
    accounts = "open accounts" if plan.open_accounts else "one account each"
    intro = (
        f"For {plan.n:,} labels, {plan.teams:,} teams with {plan.submissions:,} files each, {accounts} and scores that "
        "all see."
    )
    sections = (
        f"<h3>{escape(title)}</h3>" + "".join(f"<p>{escape(line)}</p>" for line in lines)
        for title, lines in plan.sections().items()
    )
    return [
        f'<p class="note">{intro}</p>',
        *sections,
        f'<div class="wide" tabindex="0"><pre>{escape(plan.code)}</pre></div>',
    ]


def _suspects(audit: Audit) -> list[str]:
    """Return who is suspected, and of what."""
    if not audit.suspicions:
        return [f"<p>None ({alarms(audit)}).</p>"]
    players = "".join(f'<li class="alarm">{escape(_teams(player, 30))}</li>' for player in audit.suspects)
    heads = ["accounts", "what", "places in the log", "files", "of", "p", "adjusted"]
    return [
        f"<ol>{players}</ol>",
        _table(
            alarms(audit).capitalize(),
            heads,
            map(_suspicion, audit.suspicions),
            4,
        ),
        f'<p class="note">{HONEST}</p>',
    ]


def _suspicion(each: Suspicion) -> list[str]:
    """Return a row of the table."""
    places = ", ".join(map(str, each.files[:3])) + ("…" if len(each.files) > 3 else "")
    p_values = [chance(value).removeprefix("= ") for value in (each.p_value, each.adjusted)]
    return [_teams(each.teams, 4), WHAT[each.kind], places, str(len(each.files)), f"{each.among:,}", *p_values]


def _standings(audit: Audit) -> str:
    """Return the first ten of each board, side by side as far as there is room."""
    boards = (
        f"<section><h3>{escape(board.name)}</h3><ol>"
        + "".join(f"<li>{escape(_short(team, 12))} <span>{_loss(shown)}</span></li>" for team, shown in board.first)
        + "</ol></section>"
        for board in audit.boards
    )
    return f'<p class="note">The first ten: team and loss shown</p><div class="boards">{"".join(boards)}</div>'


def _gap_table(audit: Audit) -> str:
    """Return the losses of all teams."""
    heads = ["team", "files", "public", "final", "gap", "true risk - public", "luck alone"]
    rows = []
    for row in audit.gaps:
        final, gap = ("-", "-") if row.gap is None else (f"{row.final:.4f}", f"{row.gap:+.4f}")
        interval = f"{row.low:+.4f} to {row.high:+.4f}"
        rows.append(
            [str(row.team), f"{row.submissions:,}", f"{row.public:.4f}", final, gap, interval, _range(row.luck)]
        )
    return _table("The best file of each team by public loss", heads, rows, 6)


def _figure(width: int, height: int, alt: str, inner: Iterable[str], caption: str) -> str:
    """Return a picture with its caption."""
    return (
        f'<figure><svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(alt)}">{"".join(inner)}</svg>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    """Return words in a picture."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _line(x: float, y: float, x2: float, y2: float, kind: str) -> str:
    """Return a line of a picture."""
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _improvements(audit: Audit) -> str:
    """Draw how many improvements each board shows."""
    most = max(1, *(board.improvements for board in audit.boards))
    marks = []
    for i, board in enumerate(audit.boards):
        y, width = 8 + 30 * i, 150 * board.improvements / most
        marks += [_text(172, y + 16, board.name, "end"), _text(186 + width, y + 16, f"{board.improvements:,}")]
        marks.append(f'<rect class="bar" x="180" y="{y + 2}" width="{width:.1f}" height="18"/>')
    alt = "; ".join(f"{board.name}: {board.improvements:,}" for board in audit.boards)
    return _figure(
        380, 16 + 30 * len(audit.boards), f"Improvements shown. {alt}", marks, "Improvements that teams are shown"
    )


def _scatter(audit: Audit) -> str:
    """Draw public against final losses, suspects in another colour."""
    suspects = {team for player in audit.suspects for team in player}
    values = [value for row in audit.gaps for value in (row.public, row.final or 0.0)]
    low, high = min(values), max(max(values), min(values) + 1e-9)

    def at(value: float) -> float:
        return 290 * (value - low) / (high - low)

    marks = [_line(50, 310, 350, 310, "axis"), _line(50, 10, 50, 310, "axis"), _line(55, 305, 345, 15, "truth")]
    marks += [
        _text(55, 328, f"{low:.3f}"),
        _text(345, 328, f"{high:.3f}", "end"),
        _text(200, 345, "final loss", "middle"),
    ]
    marks += [_text(46, 308, f"{low:.3f}", "end"), _text(46, 20, f"{high:.3f}", "end"), _text(56, 20, "public loss")]
    for row in sorted(audit.gaps, key=lambda row: row.team in suspects):
        kind = "suspect" if row.team in suspects else "dot"
        x, y = 55 + at(row.final or 0.0), 305 - at(row.public)
        marks.append(
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>{escape(str(row.team))}</title></circle>'
        )
    alt = f"Public against final loss of the best file of {len(audit.gaps)} teams, with the diagonal of equal losses."
    caption = (
        "The best file of each team. Dashed: equal losses; below it a file looks better than it is. Orange: suspects."
    )
    return _figure(360, 355, alt, marks, caption)


def _intervals(audit: Audit) -> str:
    """Draw the intervals of the first teams."""
    rows = audit.gaps[:TABLE]
    ends = [end for row in rows for end in (row.low, row.high, *(row.luck or (0.0, 0.0)))]
    low, high = min(ends), max(*ends, min(ends) + 1e-9)

    def at(value: float) -> float:
        return 120 + 230 * (value - low) / (high - low)

    height = 24 * len(rows) + 30
    marks = [_line(at(0), 4, at(0), height - 24, "truth")] if low <= 0 <= high else []
    for i, row in enumerate(rows):
        y = 16 + 24 * i
        marks.append(_text(112, y + 4, _short(row.team, 14), "end"))
        if row.luck is not None:
            marks.append(_line(at(row.luck[0]), y, at(row.luck[1]), y, "luck"))
        marks.append(_line(at(row.low), y, at(row.high), y, "span"))
        if row.gap is not None:
            marks.append(f'<circle class="suspect" cx="{at(row.gap):.1f}" cy="{y}" r="3.5"/>')
    marks += [_text(120, height - 6, f"{low:+.3f}"), _text(350, height - 6, f"{high:+.3f}", "end")]
    alt = (
        f"Intervals for true risk minus public loss of the first {len(rows)} teams; the numbers are in the table below."
    )
    caption = "The first teams. Blue: interval for true risk minus public loss"
    caption += (
        "; orange: final minus public loss; grey: what luck alone explains." if audit.scored < audit.rows else "."
    )
    return _figure(360, height, alt, marks, caption)
