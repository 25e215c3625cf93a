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
CHOICES = {
    "metric": {
        "classes": "classes: right or wrong",
        "mean_loss": "mean of losses in [0, 1]",
        "other": "AUC, correlation, other",
    },
    "scores": {
        "all": "all",
        "team": "the team alone",
        "host": "the host alone",
    },
    "open": {"no": "no", "yes": "yes"},
    "confidence": {
        each: f"{each} %" for each in ("80", "90", "95", "99", "99.9")
    },
}
FIELDS = {
    "n": "Labels in the holdout",
    "metric": "What is scored",
    "teams": "Teams",
    "submissions": "Files of each team",
    "scores": "Who sees the scores",
    "open": "Can participants open accounts?",
    "confidence": "The guarantee holds with",
}


def option(value, words, chosen):
    """Return one choice."""
    mark = " selected" * (value == chosen)
    return f'<option value="{value}"{mark}>{words}</option>'


def field(name, label):
    """Return one input of the form with its label."""
    start = {"confidence": "95", **START}.get(name)
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
    """Return what the book's competition says of a Ladder in hundredths.

    The share of true improvements that it hides, what an attack from one
    account gains, how many accounts read all labels, and what is promised
    to each team of the stored plan that hears its own scores only.
    """
    from pictures import mechanisms_compared as compared

    board, (n, teams, k) = (
        "Ladder, 1/100",
        (START[name] for name in ("n", "teams", "submissions")),
    )
    hidden, of, _ = compared.price(board)
    places, _, _ = compared.price("three places, 1/10")
    _, one = compared.worst(board, many=False)
    _, many = compared.worst(board, many=True)
    assert many["recovered"][0] == 1
    eta = Fraction(1, 100)
    within = le.tree_deviation(
        "ladder", eta=eta, n=n, k=k, delta=0.05 / teams
    )
    return {
        "hides": f"{hidden / of:.0%}".replace("%", " %"),
        "places": f"{places} of {of}",
        "gains": f"{one['damage'][0]:.2f}",
        "accounts": f"{many['accounts'][0]:.0f}",
        "promise": up(float(eta) + within),
        "board": f"{n:,} labels, {teams} teams with {k} files each",
    }


def link(words, **inputs):
    """Return a link into the calculator."""
    return (
        f'<a href="?{escape(urlencode(inputs))}#run-your-board">{words}</a>'
    )


VARIANTS = 27  # of a language model, of which the best is shown
SIZES = (300, 1000, 3000, 10_000, 100_000, 1_000_000)
TEAMS = (1, 3, 10, 100, 1000)


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
        f"<th scope='col'>{teams:,} team{'s' * (teams > 1)}</th>"
        for teams in TEAMS
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
        ("A public board, as on Kaggle", *case(4000, 1000, 50), kaggle),
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
        written.append(f"<dt>{link}</dt><dd>{says(plan)}</dd>")
    return HTML(f'<dl class="plan-cases">{"".join(written)}</dl>')


def kaggle(plan):
    """Say what to do about a public board."""
    private = up(plan.remedies["private"])
    return (
        f"With 4,000 labels and 1,000 teams only {plan.places} places in "
        f"steps of {plan.eta} can be promised, to "
        f"{up(plan.guarantee[0])}. Telling scores to teams alone brings "
        f"this down to {private}, for every team."
    )


def course(plan):
    """Say what to do in a course."""
    return (
        "Thirty students with ten files each get a Ladder with steps of "
        f"{plan.eta} each, off by at most "
        f"{up(plan.guarantee[0])} if nobody passes scores on. Who does "
        "passes for one student: put it into the rules."
    )


def company(plan):
    """Say what to do within a company."""
    return (
        "Everybody sees everything, so eight teams count as one analyst "
        f"with {8 * 200:,} files: the promise is "
        f"{up(plan.guarantee[0])}. Silence until the release date gives "
        f"{up(plan.remedies['silent'])} on the same labels."
    )


def patients(plan):
    """Say what to do with few labels."""
    silent = up(plan.remedies["silent"])
    return (
        "No theorem protects a public board of 150 patients. Show "
        "nothing before the end: then every loss is off by "
        f"at most {silent}; three places would need "
        f"{plan.remedies['labels']['places']:,} patients for a tenth."
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
        f"{loss - best:.3f} for nothing. Count every variant as a file and "
        f"publish all of them: for {plan.teams} labs "
        f"every loss is then off by at most {up(plan.guarantee[0])}."
    )
