"""What a plan says. The page `run_your_board` fills the same templates, so a sentence stands here alone."""

from __future__ import annotations

import math

# What is filled in are texts of numbers, made by the functions below, which plan.js has, too.
WORDS = {
    "recommend_end": "Show nothing before the end, then publish all exact losses at once. Take at most {files} in all, "
    "{sources}.",
    "recommend_exact": "Tell each team the exact loss of its one file, and nobody else’s. Nothing that a team hears "
    "can change what it sends, so no mechanism is needed.",
    "recommend_team": "Give each team a simplified Ladder of its own with steps of {eta}, and tell a score to its team "
    "alone. Take at most {each} from each of {teams}.",
    "recommend_all": "Give each team a simplified Ladder of its own with steps of {eta}, and show the scores to "
    "everybody. Take at most {each} from each of {teams}, {files} in all.",
    "recommend_places": "Show {places} places and their losses, rounded to steps of {eta}, and nothing else. Stop "
    "after {files}, whoever sent them.",
    "recommend_silence": "Show nothing before the end, then publish all exact losses at once: this board cannot answer "
    "while it runs and keep a promise. Take at most {files} in all, {sources}.",
    "recommend_labels": "Collect more labels before you open this board. With {n} even a board that is silent until "
    "the end has no promise below one half.",
    "recommend_other": "Show nothing before the end, and call whatever you show earlier decoration. Or score what is "
    "right and what is wrong: then there are theorems.",
    "from_anybody": "whoever sends them",
    "from_teams": "{each} from each of {teams}",
    "hold_end": "With probability {confidence} %, every published loss is off by at most {error}.",
    "hold_exact": "With probability {confidence} %, every loss that a team is told is off by at most {error}, for all "
    "teams at once.",
    "hold_team": "With probability {confidence} %, no team is ever shown a loss that is off by more than {error} from "
    "the true loss of its best file, for all teams at once. It holds while teams do not share what they hear.",
    "hold_all": "With probability {confidence} %, no team is ever shown a loss that is off by more than {error} from "
    "the true loss of its best file. Everybody may react to everything on the board.",
    "hold_places": "With probability {confidence} %, first place never shows a loss that is off by more than {error} "
    "from the smallest true one of all files, nor the others from the next ones, however many accounts there are. It "
    "holds for {files} in all: you must stop there.",
    "hold_none": "No theorem protects this board.",
    "hold_none_answers": "No theorem protects this board if it answers while it runs.",
    "right_or_wrong": "The following holds if you score what is right and what is wrong. Silence until the end "
    "protects every average of losses between 0 and 1, too.",
    "labels_end": "More labels: silent until the end, a board needs {labels} labels for an error of {goal} ({more}).",
    "labels_exact": "More labels: this board needs {labels} labels for an error of {goal} ({more}).",
    "labels_team": "More labels, private scores: with a simplified Ladder with steps of {goal} for each team, the "
    "board needs {labels} labels for an error of {goal} ({more}).",
    "labels_all": "More labels, public scores: with a simplified Ladder with steps of {goal} for each team, the board "
    "needs {labels} labels for an error of {goal} ({more}).",
    "labels_places": "More labels, places only: with steps of {goal} the board needs {labels} labels for an error of "
    "{goal} ({more}).",
    "more": "{count} more than you have",
    "enough": "you have them",
    "fewer": "Fewer files: {fewer} from each team, where you take {submissions}, bring the error down to {goal}.",
    "fewer_files": "Fewer files: {fewer} in all, where you take {files}, bring the error down to {goal}.",
    "fewer_none": "Fewer files do not bring the error down to {goal}, not even one from each team.",
    "private": "Private scores: told to its team alone, a loss is off by at most {error}.",
    "private_none": "Private scores do not help: told to its team alone, a loss has no promise below one half.",
    "silent": "Silence until the end: published then, every loss is off by at most {error}.",
    "silent_none": "Silence until the end does not help: it has no promise below one half.",
    "attack_votes": "If every loss were shown, the boosting attack would make a file that knows nothing look as if its "
    "loss were {loss} and not 0.500, after {heard} (exact, on average, two classes).",
    "attack_reads": "If every loss were shown, {needed} of {heard} would be enough to read all labels, one flip at a "
    "time: a file that knows nothing would show 0.000 and not 0.500 (exact, two classes).",
    "attack_metric": "The exact law of the attack is for right or wrong. Boards with other metrics were attacked in "
    "simulations, see the chapters.",
    "attack_mended": "On the recommended board no attack, known or unknown, moves a loss that is shown by more than "
    "{error} from the truth, with probability {confidence} %.",
    "attack_silent": "On the recommended board an attack hears nothing before the end.",
    "cost_steps": "An improvement by {smallest} of {n} ({share} of the loss) always shows; a smaller one may not.",
    "cost_places": "A file that beats the last place by {smallest} of {n} ({share} of the loss) always shows; a team "
    "below the places is told nothing.",
    "cost_exact": "One label less wrong shows in the loss that is told.",
    "cost_end": "While the board runs nobody learns anything; at the end one label less wrong shows.",
    "cost_metric": "While the board runs nobody learns anything. How likely the better file is ahead at the end "
    "depends on the metric.",
    "seen": "A true improvement of 0.005 is seen with probability {seen_1}, of 0.010 with {seen_2}, of 0.020 with "
    "{seen_3}: two files, of which exactly one is right on a tenth of the labels; normal law, ties are not seen.",
    "rule_end": "Nothing is scored before the deadline. At most {files} are taken, {sources}; then all losses are "
    "published at once.",
    "rule_exact": "Each of at most {teams} may send one file, and hears its loss. Teams do not share it.",
    "rule_team": "Each of at most {teams} may send {each}, and hears the best loss it has shown so far, in steps of "
    "{eta}. Who shares what they hear is one team.",
    "rule_all": "Each of at most {teams} may send {each}. The board shows the best loss of each team so far, in steps "
    "of {eta}.",
    "rule_places": "The board shows {places} places, in steps of {eta}. All participants together have {files}.",
    "code_end": """import leaderboard_edu as le
board, left = le.Leaderboard(labels), iter(range({limit}))  # then StopIteration
def submit(team, file):
    next(left), board.submit(team, file)  # tell nobody
publish = board.standings  # call it after the deadline""",
    "code_metric": """received, left = [], iter(range({limit}))  # then StopIteration
def submit(team, file):
    received.append((next(left), team, file))  # tell nobody
def publish(loss):  # call it after the deadline
    return sorted((loss(labels, file), team) for _, team, file in received)""",
    "code_places": """import leaderboard_edu as le
board = le.TopBoard(labels, ranks={places}, mechanism=lambda y: le.SimplifiedLadder(y, eta="{eta}"))
left = iter(range({limit}))  # then StopIteration
def submit(team, file):
    return next(left), board.submit(team, file), board.standings()""",
    "code_team": """import collections, leaderboard_edu as le
board = le.Leaderboard(labels, mechanism=lambda y: le.SimplifiedLadder(y, eta="{eta}"))
left = collections.defaultdict(lambda: iter(range({limit})))  # of a team, then StopIteration
def submit(team, file):
    return next(left[team]), board.submit(team, file)""",
    "code_all": """import collections, leaderboard_edu as le
board = le.Leaderboard(labels, mechanism=lambda y: le.SimplifiedLadder(y, eta="{eta}"))
left = collections.defaultdict(lambda: iter(range({limit})))  # of a team, then StopIteration
def submit(team, file):
    return next(left[team]), board.submit(team, file), board.standings()""",
    "code_exact": """import collections, leaderboard_edu as le
board = le.Leaderboard(labels)
left = collections.defaultdict(lambda: iter(range(1)))  # of a team, then StopIteration
def submit(team, file):
    return next(left[team]), board.submit(team, file)""",
}


def fill(word: str, texts: dict[str, str]) -> str:
    """Return a sentence with its numbers."""
    return WORDS[word].format_map(texts)


def up(number: float) -> str:
    """Return an error rounded up to three decimals, or to two significant digits if it is small."""
    digits = 3
    while number * 10**digits < 10:
        digits += 1
    return f"{math.ceil(number * 10**digits) / 10**digits:.{digits}f}"


def rounded(number: float) -> str:
    """Return a number with three decimals, half up."""
    return f"{math.floor(number * 1000 + 0.5 + 1e-9) / 1000:.3f}"


def share_down(chance: float) -> str:
    """Return a probability in per cent, rounded down."""
    return f"{math.floor(100 * chance + 1e-9)} %"


def whole(number: int) -> str:
    """Return how many labels are needed; beyond a thousand million nobody counts them."""
    return f"{number:,}" if number <= 10**9 else "more than 1,000,000,000"


def things(number: int, noun: str) -> str:
    """Return a number of things."""
    return f"{number:,} {noun}" + "s" * (number != 1)
