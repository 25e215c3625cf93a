"""The files and the picture of the page *Use it on your data*."""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import leaderboard_edu as le


def write(name, **columns):
    """Write a CSV file with these columns behind the ids."""
    rows = zip(
        *(column.tolist() for column in columns.values()), strict=True
    )
    lines = [("id", *columns), *((i, *row) for i, row in enumerate(rows))]
    text = "".join(",".join(map(str, line)) + "\n" for line in lines)
    Path(name).write_text(text, encoding="utf-8")


def write_files():
    """Write what a host has: labels, and files of predictions."""
    x, y = load_digits(return_X_y=True)
    train = np.arange(len(y)) < 400
    write("labels.csv", label=y[~train])
    for name, model in (
        ("ann", LogisticRegression(max_iter=2000)),
        ("bob", DecisionTreeClassifier(random_state=0)),
    ):
        guess = model.fit(x[train], y[train]).predict(x[~train])
        write(f"{name}.csv", label=guess)
    x, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    score = tree.fit(x[:200], y[:200]).predict_proba(x[200:])[:, 1]
    write("binary.csv", label=y[200:], ann=score)


def gaps(found):
    """Draw what the board showed of each team against the truth."""
    accused = {team for player in found.suspects for team in player}

    def draw(ax):
        for name, colour, size in (
            ("honest", "independent", 4),
            ("suspected", "full_disclosure", 7),
        ):
            rows = [
                row
                for row in found.gaps
                if (row.team in accused) == (name == "suspected")
            ]
            shown = [row.public for row in rows]
            final = [row.final for row in rows]
            look = {"color": le.COLOURS[colour], "ms": size}
            ax.plot(shown, final, "o", **look)
        first = found.gaps[0]
        look = {"color": le.TEXT_COLOURS["full_disclosure"], "va": "bottom"}
        ax.text(first.public, first.final + 0.002, "Eve", **look)
        ax.plot([0.26, 0.34], [0.26, 0.34], "--k", lw=1)
        ax.set(xlim=(0.262, 0.34), ylim=(0.272, 0.34))
        ax.set(xlabel="loss on the board", ylabel="final loss")

    return le.static_figure(
        draw,
        alt=(
            "Each team's loss on the board against its final loss, with a "
            "dashed diagonal. Honest teams, grey, lie along it. Suspected "
            "accounts are orange; Eve's leads on the board, far above the "
            "diagonal."
        ),
    )
