"""What a plan says. The page `run_your_board` fills the same templates, so a sentence stands here alone."""

from __future__ import annotations

import math

# What is filled in are texts of numbers, made by the functions below, which plan.js has, too.
WORDS = {
    "recommend_end": "Show nothing before the end, then publish all exact losses at once. Take at most {files} in all, "
    "{sources}.",
    "recommend_exact": "Tell {each_team} the exact loss of its one file, and nobody else’s. Nothing that a team hears "
    "can change what it sends, so no mechanism is needed.",
    "recommend_team": "Give {each_team} a simplified Ladder of its own with steps of {eta}, and tell a score to its "
    "team alone. Take at most {each} from {of_teams}.",
    "recommend_all": "Give {each_team} a simplified Ladder of its own with steps of {eta}, and show the scores to "
    "everybody. Take at most {each} from {of_teams}{in_all}.",
    "recommend_places": "Show {places} places and their losses, rounded to steps of {eta}, and nothing else. Stop "
    "after {files}, {sources}.",
    "recommend_silence": "Show nothing before the end, then publish all exact losses at once: what this board would "
    "promise while it answers is little or nothing. Take at most {files} in all, {sources}.",
    "recommend_labels": "Collect more labels before you open this board. With {n} even a board that is silent until "
    "the end has no promise below one half.",
    "recommend_other": "Show nothing before the end, and call whatever you show earlier decoration. Or score what is "
    "right and what is wrong: then there are theorems.",
    "from_anybody": "whoever sends them",
    "from_teams": "{each} from {of_teams}",
    "each_team_many": "each team",
    "each_team_one": "the team",
    "of_teams_many": "each of {teams}",
    "of_teams_one": "the team",
    "in_all_many": ", {files} in all",
    "in_all_one": "",
    "may_many": "Each of at most {teams} may",
    "may_one": "The team may",
    "at_once_many": ", for all teams at once",
    "at_once_one": "",
    "sharing_many": " It holds while teams do not share what they hear.",
    "sharing_one": "",
    "not_share_many": " Teams do not share it.",
    "not_share_one": "",
    "one_team_many": " Who shares what they hear is one team.",
    "one_team_one": "",
    "refused": "Public scores of all teams are not granted: a simplified Ladder for each team would promise only "
    "{error}. It needs {labels} labels for an error of {goal}.",
    "refused_none": "Public scores of all teams are not granted: a simplified Ladder for each team would promise "
    "nothing below one half. It needs {labels} labels for an error of {goal}.",
    "refused_open": "More than the places is not granted: who can open accounts hears what all of them hear.",
    "hold_end": "With probability {confidence} %, every published loss is off by at most {error}.",
    "hold_exact": "With probability {confidence} %, every loss that a team is told is off by at most {error}{at_once}.",
    "hold_team": "With probability {confidence} %, no team is ever shown a loss that is off by more than {error} from "
    "the true loss of its best file{at_once}.{sharing}",
    "hold_all": "With probability {confidence} %, no team is ever shown a loss that is off by more than {error} from "
    "the true loss of its best file. Everybody may react to everything on the board.",
    "hold_places": "With probability {confidence} %, the loss shown in place 1, 2 or 3 is within {error} of the "
    "smallest, second or third smallest true loss of all files sent, however many accounts there are. It holds for "
    "{files} in all: you must stop there.",
    "hold_none": "No theorem protects this board.",
    "hold_metric": "This book has no theorem for a board that answers by this metric. A silent board tells nobody "
    "anything, so no file can be fitted to its labels; luck remains.",
    "none_answers": "No theorem protects this board if it answers while it runs.",
    "none_public": "No theorem protects this board if it answers in public while it runs.",
    "little": "Or let it answer: {would} would be off by at most {error}. As a rule of thumb, 0.250 or more says "
    "little.",
    "would_team": "a simplified Ladder for {each_team} with steps of {eta}, told to the team alone,",
    "would_all": "a simplified Ladder for {each_team} with steps of {eta}, shown to all,",
    "would_places": "{places} places in steps of {eta}",
    "would_exact": "the exact loss of its one file, told to a team alone,",
    "right_or_wrong": "If you scored what is right and what is wrong, {would} would be off by at most {error}.",
    "right_or_wrong_none": "If you scored what is right and what is wrong, {labels} labels would bring the error of a "
    "board that answers down to {goal}.",
    "private": "Private scores: told to its team alone, a loss is off by at most {error}.",
    "private_more": "Private scores: told to its team alone, a loss is off by at most {error}; with {labels} labels, "
    "by at most {goal}.",
    "private_none": "Private scores: told to its team alone, a loss has no promise below one half; with {labels} "
    "labels, it is off by at most {goal}.",
    "silent": "Silence until the end: published then, every loss is off by at most {error}.",
    "silent_mean": "Silence until the end protects averages of losses between 0 and 1: they are off by at most "
    "{error}, with probability {confidence} %.",
    "its_error": "the error",
    "an_answer": "the error of a board that answers",
    "labels": "More labels: {labels} bring {which} down to {goal}, {count} more than you have.",
    "labels_many": "More labels: {labels} would be needed to bring {which} down to {goal}.",
    "fewer": "Fewer files: {fewer} from {each_team}, where you take {submissions}, bring {which} down to {goal}.",
    "fewer_files": "Fewer files: {fewer} in all, where you take {files}, bring {which} down to {goal}.",
    "fewer_none": "Fewer files do not bring {which} down to {goal}, not even one from {each_team}.",
    "attack_blocks": "If every loss were shown, even the simplest attack, flipping blocks of labels, would make a file "
    "that knows nothing look as if its loss were {loss} and not 0.500, after {heard} (exact, on average, two classes). "
    "Better attacks gain more.",
    "attack_reads": "If every loss were shown, {needed} of {heard} would be enough to read all labels, one flip at a "
    "time: a file that knows nothing would show 0.000 and not 0.500 (exact, two classes).",
    "attack_metric": "The exact law of the attack is for right or wrong. Boards with other metrics were attacked in "
    "simulations, see the chapters.",
    "attack_mended": "On the recommended board no attack, known or unknown, moves a loss that is shown by more than "
    "{error} from the truth, with probability {confidence} %.",
    "attack_silent": "On the recommended board an attack hears nothing before the end.",
    "cost_steps": "An improvement by {smallest} of {n} ({share} of the loss) always shows; a smaller one may not.",
    "cost_places": "Only files that take a place are told anything. One that beats the last place by {smallest} of {n} "
    "({share} of the loss) always takes it.",
    "cost_exact": "One label less wrong shows in the loss that is told.",
    "cost_end": "While the board runs nobody learns anything; at the end one label less wrong shows.",
    "cost_metric": "While the board runs nobody learns anything. How likely the better file is ahead at the end "
    "depends on the metric.",
    "seen_steps": "If the best file of a team is improved by 0.005, 0.010 or 0.020, the board shows it in {seen_1}, "
    "{seen_2} or {seen_3} of 100 cases (two files that differ on a tenth of the labels).",
    "seen_places": "If a file in last place is improved by 0.005, 0.010 or 0.020, the board shows it in {seen_1}, "
    "{seen_2} or {seen_3} of 100 cases (two files that differ on a tenth of the labels).",
    "seen_exact": "Of two files that differ in true loss by 0.005, 0.010 or 0.020, the better one shows the smaller "
    "loss in {seen_1}, {seen_2} or {seen_3} of 100 cases (they differ on a tenth of the labels).",
    "seen_end": "Of two files that differ in true loss by 0.005, 0.010 or 0.020, the better one is ahead at the end in "
    "{seen_1}, {seen_2} or {seen_3} of 100 cases (they differ on a tenth of the labels).",
    "sealed": " First place is decided on labels that no board has scored before.",
    "daily": " Nobody sends more than {each} a day, from however many addresses: one could use up all the others.",
    "rule_end": "Nothing is scored before the deadline. At most {files} are taken, {sources}; then all losses are "
    "published at once.{daily}{sealed}",
    "rule_exact": "{may} send one file, and hears its loss.{not_share}{sealed}",
    "rule_team": "{may} send {each}, and hears the best loss it has shown so far, in steps of {eta}.{one_team}{sealed}",
    "rule_all": "{may} send {each}. The board shows the best loss of {each_team} so far, in steps of {eta}.{sealed}",
    "rule_places": "The board shows {places} places, in steps of {eta}. It takes {files}, {sources}.{daily}{sealed}",
    "code_end": """from collections import Counter; import leaderboard_edu as le
board, sent = le.Leaderboard(labels), Counter(); publish = board.standings  # call it after the deadline
def submit(team, file):  # tell nobody; a refused file is not counted
    if sent[team] == {limit_each} or sent.total() == {limit}: raise ValueError("no file is left")
    board.submit(team, file); sent[team] += 1""",
    "code_end_open": """from collections import Counter; import leaderboard_edu as le
board, sent = le.Leaderboard(labels), Counter(); publish = board.standings  # call it after the deadline
def submit(team, file):  # tell nobody; a refused file is not counted
    if sent.total() == {limit}: raise ValueError("no file is left")
    board.submit(team, file); sent[team] += 1""",
    "code_metric": """from collections import Counter; received, sent = [], Counter()
def submit(team, file):  # score(labels, file) is your metric; tell nobody; a refused file is not counted
    if sent[team] == {limit_each} or sent.total() == {limit}: raise ValueError("no file is left")
    received.append((score(labels, file), team)); sent[team] += 1
publish = lambda higher_is_better: sorted(received, reverse=higher_is_better)  # call it after the deadline""",
    "code_metric_open": """received = []
def submit(team, file):  # score(labels, file) is your metric; tell nobody; a refused file is not counted
    if len(received) == {limit}: raise ValueError("no file is left")
    received.append((score(labels, file), team))
publish = lambda higher_is_better: sorted(received, reverse=higher_is_better)  # call it after the deadline""",
    "code_places": """from collections import Counter; import leaderboard_edu as le; sent = Counter()
board = le.TopBoard(labels, ranks={places}, mechanism=lambda y: le.SimplifiedLadder(y, eta="{eta}"))
def submit(team, file):  # returns the places, first to last: (team, loss); a refused file is not counted
    if sent[team] == {limit_each} or sent.total() == {limit}: raise ValueError("no file is left")
    board.submit(team, file); sent[team] += 1; return board.standings()""",
    "code_places_open": """from collections import Counter; import leaderboard_edu as le; sent = Counter()
board = le.TopBoard(labels, ranks={places}, mechanism=lambda y: le.SimplifiedLadder(y, eta="{eta}"))
def submit(team, file):  # returns the places, first to last: (team, loss); a refused file is not counted
    if sent.total() == {limit}: raise ValueError("no file is left")
    board.submit(team, file); sent[team] += 1; return board.standings()""",
    "code_team": """from collections import Counter; import leaderboard_edu as le; sent = Counter()
board = le.Leaderboard(labels, mechanism=lambda y: le.SimplifiedLadder(y, eta="{eta}"))
def submit(team, file):  # returns the loss, for the team alone; a refused file is not counted
    if sent[team] == {limit_each}: raise ValueError("no file is left")
    loss = board.submit(team, file); sent[team] += 1; return loss""",
    "code_all": """from collections import Counter; import leaderboard_edu as le; sent = Counter()
board = le.Leaderboard(labels, mechanism=lambda y: le.SimplifiedLadder(y, eta="{eta}"))
def submit(team, file):  # returns the standings, for everybody; a refused file is not counted
    if sent[team] == {limit_each} or sent.total() == {limit}: raise ValueError("no file is left")
    board.submit(team, file); sent[team] += 1; return board.standings()""",
    "code_exact": """from collections import Counter; import leaderboard_edu as le
board, sent = le.Leaderboard(labels), Counter()
def submit(team, file):  # returns the loss, for the team alone; a refused file is not counted
    if sent[team] == {limit_each}: raise ValueError("no file is left")
    loss = board.submit(team, file); sent[team] += 1; return loss""",
}
# Which texts depend on whether there is one team.
BY_TEAMS = ("each_team", "of_teams", "in_all", "may", "at_once", "sharing", "not_share", "one_team")


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
    """Return in how many of 100 cases, rounded down."""
    return f"{math.floor(100 * chance + 1e-9)}"


def whole(number: int) -> str:
    """Return how many labels are needed; beyond a thousand million nobody counts them."""
    return f"{number:,}" if number <= 10**9 else "more than 1,000,000,000"


def things(number: int, noun: str) -> str:
    """Return a number of things."""
    return f"{number:,} {noun}" + "s" * (number != 1)
