"""The calculator of the page for hosts, with a stored example, and its "
"table and numbers."""

import json
from fractions import Fraction
from html import escape
from urllib.parse import urlencode

import numpy as np
from IPython.display import HTML
from scipy.stats import binom

import leaderboard_edu as le
from leaderboard_edu._plan_words import WORDS, up

START = {"n": 4000, "teams": 100, "submissions": 20, "scores": "all"}
OTHERS = {
    "confidence": "95",
    "classes": 2,
    "positives": 50,
    "final": "other",
}
CHOICES = {
    "metric": {
        "classes": "right or wrong",
        "auc": "AUC",
        "mean_loss": "mean of losses in [0, 1]",
        "other": "correlation, other",
    },
    "scores": {
        "all": "all",
        "team": "the team alone",
        "host": "the host alone",
    },
    "open": {"no": "no", "yes": "yes"},
    "final": {"other": "other labels", "half": "half of these"},
    "confidence": {
        each: f"{each} %" for each in ("80", "90", "95", "99", "99.9")
    },
}
FIELDS = {
    "n": "Labels",
    "metric": "What is scored",
    "classes": "Classes",
    "positives": "Positive labels, %",
    "teams": "Teams",
    "submissions": "Files of each team, in all",
    "scores": "Who sees the scores",
    "open": "Can participants open accounts?",
    "final": "First place is decided on",
    "confidence": "The guarantee holds with",
}


def option(value, words, chosen):
    """Return one choice."""
    mark = " selected" * (value == chosen)
    return f'<option value="{value}"{mark}>{words}</option>'


def field(name, label):
    """Return one input of the form with its label."""
    start = (OTHERS | START).get(name)
    if name in CHOICES:
        each = CHOICES[name].items()
        options = "".join(option(*pair, start) for pair in each)
        control = f'<select name="{name}">{options}</select>'
    else:
        plain = 'inputmode="numeric" autocomplete="off"'
        control = f'<input name="{name}" {plain} value="{start}">'
    return f"<label><span>{label}</span>{control}</label>"


def calculator():
    """Return the form and the stored plan, which the script replaces."""
    fields = "".join(field(*each) for each in FIELDS.items())
    words = json.dumps(WORDS, ensure_ascii=False).replace("</", "<\\/")
    stored = le.plan_board(**START)
    return HTML(
        '<div id="plan"><h2>Your plan</h2>'
        '<form id="plan-form" aria-label="Your board">'
        f'{fields}</form><p class="stored">Without its script this page '
        f"shows one plan: {START['n']:,} labels, "
        f"{START['teams']} teams with {START['submissions']} files each, a "
        "public board, closed accounts. The values in a link are ignored "
        "without JavaScript.</p>"
        f'<div id="plan-answer">{stored._repr_html_()}</div>'
        '<button id="plan-copy" type="button">Copy the code</button>'
        '<p id="plan-said" role="status"></p></div>'
        f'<script type="application/json" id="plan-words">{words}</script>'
    )


def picture():
    """Return the place of the picture, and the script that fills it."""
    return HTML(
        '<div id="plan-picture"></div><script '
        'src="../_static/plan.js"></script>'
    )


def thumb():
    """Return what the book's competition says of hundredths.

    On the simplified Ladder:
    The share of true improvements that it tells, and three places do,
    what an attack from one account gains, how many accounts read all
    labels, and with few files how often Eve leads alone.
    """
    import fitted
    from other_labels import alone_elsewhere
    from pictures import mechanisms_compared as compared
    from pictures.real_competition import with_error

    board = "simplified Ladder, 1/100"
    hidden, of, _ = compared.price(board)
    silent, _, _ = compared.price("three places, 1/10")
    _, one = compared.worst(board, many=False)
    accounts, _ = compared.fewest_that_read_all(board)
    fewer, few = fitted.LIMITS[:2]
    simple, front = "simplified, 1/100", {}
    for each, end in ((few, ""), (fewer, "_fewer")):
        found = {
            "alone": alone_elsewhere(simple, each=each),
            "at_par": alone_elsewhere(simple, each=each, begins="level"),
        }
        for name, share in found.items():
            front[name + end] = f"{with_error(*share)} %"
    return front | {
        "two_fewer": f"{with_error(*alone_elsewhere(simple, 2))} %",
        "told": f"{(of - hidden) / of:.0%}".replace("%", " %"),
        "places": f"{of - silent}",
        "of": f"{of}",
        "gains": f"{one['damage'][0]:.2f}",
        "accounts": f"{accounts:.0f}",
        "files": f"{few}",
        "fewer": f"{fewer}",
    }


def lead(differ=30, files=75):
    """Return how many of the labels on which two files differ one of them
    must have right, so that with 95 % no order of two of the files that is
    so found is wrong."""
    pairs = files * (files - 1)
    right = next(
        right
        for right in range(differ // 2, differ + 1)
        if binom.sf(right - 1, differ, 0.5) * pairs <= 0.05
    )
    return {"differ": differ, "files": files, "right": right}


def link(words, **inputs):
    """Return a link into the calculator."""
    return (
        f'<a href="?{escape(urlencode(inputs))}#run-your-board">{words}</a>'
    )


VARIANTS = 27  # of a language model, of which the best is shown
SIZES = (300, 1000, 3000, 10_000, 100_000, 1_000_000)
TEAMS = (3, 10, 100, 1000)


def step(n, teams, scores):
    """Return the best step of the Ladders and their promise, in a cell."""
    asked = {"teams": teams, "submissions": 20, "scores": scores}
    plan = le.plan_board(n, **asked)
    if plan.eta is None:
        return "–"
    words = f"{plan.eta}, {up(plan.guarantee[0])}"
    return link(words + " †" * (plan.mechanism == "places"), n=n, **asked)


def steps(scores):
    """Return the table of the best steps for n labels and M teams."""
    head = "".join(
        f"<th scope='col'>{teams:,} teams</th>" for teams in TEAMS
    )
    rows = "".join(
        f"<tr><th scope='row'>{n:,}</th>"
        + "".join(f"<td>{step(n, M, scores)}</td>" for M in TEAMS)
        + "</tr>"
        for n in SIZES
    )
    return HTML(
        "<table class='dataframe plan-steps'><thead><tr><th "
        f"scope='col'>labels</th>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def best_of(k, *, n, loss):
    """Return the mean of the smallest of k losses, each of n labels, of "
    "equal and independent files."""
    wrong = np.arange(n)
    return float(np.sum(binom.sf(wrong, n, loss) ** k)) / n


def case(
    n,
    teams,
    submissions,
    scores="all",
    open_accounts=False,
    metric="zero_one",
    confidence="95",
):
    """Return the plan of a case, and the link that shows it in the "
    "calculator."""
    plan = le.plan_board(
        n,
        teams=teams,
        submissions=submissions,
        scores=scores,
        open_accounts=open_accounts,
        metric=metric,
        confidence=Fraction(confidence) / 100,
    )
    inputs = {
        "n": n,
        "teams": teams,
        "submissions": submissions,
        "scores": scores,
        "confidence": confidence,
    }
    inputs |= {
        "metric": "classes" if metric == "zero_one" else metric,
        "open": "yes" if open_accounts else "no",
    }
    return plan, urlencode(inputs)


def cases():
    """Return the six worked cases, each with its link."""
    written = []
    for title, plan, address, says in (
        (
            "A public board, as on Kaggle",
            *case(4000, 1000, 50, open_accounts=True),
            kaggle,
        ),
        (
            "A course competition",
            *case(2000, 30, 10, scores="team"),
            course,
        ),
        ("Models of one company", *case(10_000, 8, 200), company),
        (
            "A biomedical challenge, 150 patients",
            *case(150, 40, 3),
            patients,
        ),
        (
            "A benchmark that never closes",
            *case(10_000, 1000, 100, open_accounts=True),
            never_closes,
        ),
        (
            "Language models, the best of many",
            *case(1000, 20, VARIANTS, scores="host"),
            variants,
        ),
    ):
        link = f'<a href="?{escape(address)}">{title}</a>'
        written.append(
            f"<dt>{link}</dt><dd>{sizes(plan)} {says(plan)}</dd>"
        )
    return HTML(f'<dl class="plan-cases">{"".join(written)}</dl>')


def sizes(plan):
    """Say what is planned."""
    seen = {
        "all": "all see the scores",
        "team": "a score is told to its team alone",
        "host": "the host alone sees the scores",
    }
    opened = ", accounts are free" * plan.open_accounts
    return (
        f"<i>{plan.n:,} labels, {plan.teams:,} teams with "
        f"{plan.submissions:,} files each, {seen[plan.scores]}{opened}.</i>"
    )


def choice(plan, way):
    """Return one of the boards that a plan could run."""
    return next(each for each in plan.choices if each.way == way)


def kaggle(plan):
    """Say what to do about a public board."""
    return (
        "With 4,000 labels and 50,000 files from accounts that cost "
        f"nothing, {plan.places} places in steps of {plan.eta} are off by "
        f"at most {up(plan.guarantee[0])}; an error of 1/10 takes "
        f"{choice(plan, 'places').labels:,} labels. First place is decided "
        "on others, which no board has scored."
    )


def course(plan):
    """Say what to do in a course."""
    return (
        "Each student gets a simplified Ladder with steps of "
        f"{plan.eta}, off by at most {up(plan.guarantee[0])} if nobody "
        "passes scores on. Students who share scores count as one: write "
        "that into the rules."
    )


def company(plan):
    """Say what to do within a company."""
    public, silent = (choice(plan, way) for way in ("all", "end"))
    return (
        "Everybody sees everything, so eight teams count as one analyst "
        f"with {8 * 200:,} files: a Ladder for each would be off by up to "
        f"{up(public.error)}, {plan.places} places in steps of {plan.eta} "
        f"by {up(plan.guarantee[0])}, and silence until the release date "
        f"by {up(silent.error)}."
    )


def patients(plan):
    """Say what to do with few labels."""
    return (
        "No theorem protects a public board of 150 patients. Show "
        "nothing before the end: then every loss is off by at most "
        f"{up(plan.guarantee[0])}; three places would need "
        f"{choice(plan, 'places').labels:,} patients for a tenth."
    )


def never_closes(plan):
    """Say what to do about a benchmark on the internet."""
    return (
        "Accounts are free, so only the number of all files counts: "
        f"{100_000:,} of them, then new labels. Until then "
        f"{plan.places} places in steps of {plan.eta} are off by at most "
        f"{up(plan.guarantee[0])}."
    )


def variants(plan):
    """Say what the best of many variants shows."""
    k, n, loss = VARIANTS, plan.n, 0.4
    best = best_of(k, n=n, loss=loss)
    return (
        f"Of {k} equal variants with a true loss of {loss:.3f}, the best "
        f"shows {best:.3f} on {n:,} labels on average, "
        f"{loss - best:.3f} for nothing. Count every variant as a file, "
        "and publish nothing before all are in: for "
        f"{plan.teams} labs every loss is then off by at most "
        f"{up(plan.guarantee[0])}."
    )
