"""Standings of a class competition under the mechanisms of the book, computed anew from the files at each call.

A competition is a folder:

labels.txt
    Two lines of N characters, one for each item: its label, 0 or 1, and its part, p for the public board or
    f for the final ranking. Only the teacher has this file.
teams/TEAM/SESSION.txt
    What a team hands in for a session: each line is a submission, N characters 0 or 1. Teams need not know
    which items are public.
competition.toml
    Optional settings: `eta`, the step of the Ladders, "1/100" by default; `limit`, the number of submissions
    that count for a team, 0 for no limit; `mechanisms`, a list of the boards, all by default.

The order of play: sessions in the order of their names, where 2 comes before 10; in a session first the first
line of every team, in the order of the teams' names, then the second lines, and so on. So a later session
never changes what a board said before. Only the rank board lets teams touch each other.
"""

from __future__ import annotations

from pathlib import Path

from instructor.compete.files import check_output, read_competition, read_teams, replace
from instructor.compete.pages import written
from instructor.compete.play import in_order, play


def compete(folder: Path, out: Path | None = None) -> list[str]:
    """Play a competition from its files and write the standings.

    Written are `standings.html` and `standings.csv`, which compare the boards with the final labels;
    `board.html`, which shows the boards alone; `problems.txt`; and for each team `told/TEAM/MECHANISM.csv`,
    what that board answered to each of its submissions, with `told/TEAM/problems.txt` if there were any.
    Only `board.html` and what is in `told` say nothing of the final labels. The same files give the same bytes.

    Parameters
    ----------
    folder : Path
        The competition, laid out as the module says.
    out : Path or None
        The folder to write, `standings` in `folder` by default. An earlier one is replaced, as a whole or not
        at all.

    Returns
    -------
    list of str
        What was refused, as in `problems.txt`: a message for each file and, apart, for its lines over the limit.
        Empty if nothing was. What is refused does not stop anything else.

    Raises
    ------
    ValueError
        If the labels, the settings or the folder of the teams cannot be used, or `out` holds files of other
        origin or is not in a folder that exists. Then nothing was written.

    Notes
    -----
    A board credits a team with the submission at which its current release was set, a rank board with the
    best, the first of equals. In `standings.csv`, `count` of `of` is the loss shown: wrong labels of the public
    ones, or steps of eta. `final_count` of `final_of` is the final loss of the submission credited, which is
    line `line` of `file`; `gap` is the final loss minus the loss shown, and `error` is the leaderboard error
    with the final losses in place of the true risks. A rank board shows no loss.
    """
    out = (folder / "standings" if out is None else out).resolve()
    competition = read_competition(folder)
    check_output(out, folder / "teams")
    teams, refused = read_teams(folder / "teams", competition)
    problems = refused + [problem for team in teams for problem in team.problems]
    played = in_order(teams)
    boards = [play(name, competition, teams, played) for name in competition.mechanisms]
    replace(out, written(boards, teams, played, refused))
    return problems
