"""What a plan says. The page `run_your_board` fills the same templates, so a sentence stands here alone."""

from __future__ import annotations

import math

# What is filled in are texts of numbers, made by the functions below, which plan.js has, too.
WORDS = {
    "recommend_end": "Show nothing before the end, then publish the best {score} of {each_team}. Take at most {files} "
    "in all, {sources}.",
    "recommend_exact": "Tell {each_team} the exact loss of its one file, and nobody else’s. Nothing that a team hears "
    "can change what it sends, so no mechanism is needed.",
    "recommend_team": "Give {each_team} a simplified Ladder of its own with steps of {eta}, and tell a score to its "
    "team alone. Take at most {each} from {of_teams}.",
    "recommend_all": "Give {each_team} a simplified Ladder of its own with steps of {eta}, and show the scores to "
    "everybody. Take at most {each} from {of_teams}{in_all}.",
    "recommend_places": "Show only the {places} smallest losses, rounded to steps of {eta}, with their teams: the "
    "losses are promised, not whose they are. Take at most {files} in all, {sources}{daily}.",
    "recommend_silence": "Show nothing before the end, then publish the best loss of {each_team}: {asked}. Take at "
    "most {files} in all, {sources}.",
    "recommend_metric": "Show nothing before the end, then publish the best {score} of {each_team}: {ladder}. Take at "
    "most {files} in all, {sources}.",
    "recommend_labels": "Collect more labels before you open this board. With {n} even a board that is silent until "
    "the end has no promise below one half.",
    "recommend_other": "Show nothing before the end: this book has no theorem for this metric. Or score what is right "
    "and what is wrong: then it has.",
    "asked_little": "the board that you asked for could be off by {error}, and 0.250 or more says little",
    "asked_none": "no theorem protects the board that you asked for",
    "ladder_some": "a board that answers could be off by {error}, and needs a Ladder for this score, which this "
    "library has not",
    "ladder_none": "a board that answers has no promise below one half",
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
    "hold_end": "{surely}, every published {score} is off by at most {error}: two files further apart than {twice} "
    "stand in their true order.",
    "hold_exact": "{surely}, every loss that a team is told is off by at most {error}{at_once}.",
    "hold_team": "{surely}, no team is ever shown a loss that is off by more than {error} from the true loss of its "
    "best file{at_once}.{sharing}",
    "hold_all": "{surely}, no team is ever shown a loss that is off by more than {error} from the true loss of its "
    "best file. Everybody may react to everything on the board.",
    "hold_places": "{surely}, the {places} losses shown are off by at most {error}: the first from the smallest true "
    "loss of all {files}, and so on{however}.",
    "hold_none": "No theorem protects this board.",
    "hold_metric": "This book has no theorem for this metric. A silent board tells nobody anything, so no file can be "
    "fitted to its labels; luck remains.",
    "however": ", however many accounts there are",
    "little": "An error of {error} ranks hardly anybody: collect more labels.",
    "surely": "With probability {confidence} % over {n}{share}, drawn independently",
    "share": " ({positives} % positive)",
    "would_team": "a simplified Ladder for {each_team} with steps of {eta}, told to the team alone,",
    "would_all": "a simplified Ladder for {each_team} with steps of {eta}, shown to all,",
    "would_places": "{places} places in steps of {eta}",
    "would_exact": "the exact loss of its one file, told to a team alone,",
    "right_or_wrong": "If you scored what is right and what is wrong, {would} would be off by at most {error}.",
    "right_or_wrong_none": "If you scored what is right and what is wrong, {labels} labels would bring the error of a "
    "board that answers down to {goal}.",
    "its_error": "the error",
    "an_answer": "the error of a board that answers",
    "labels": "More labels: {labels}{both} bring {which} down to {goal}; you have {count}.",
    "both": " (half of them sealed)",
    "fewer": "Fewer files: {fewer} from {each_team}, where you take {submissions}, bring {which} down to {goal}.",
    "fewer_files": "Fewer files: {fewer} in all, where you take {files}, bring {which} down to {goal}.",
    "sealed_other": "First place: decide it on labels that no board has scored; if you have no others, plan with "
    "half of these sealed.",
    "sealed_half": "First place: the {sealed} that are sealed decide. There {finals} is off by at most {error}.",
    "finals_closed": "one file of {each_team}",
    "finals_open": "every file",
    "crowded": "Who can open accounts hears what all of them hear: scores are public here.",
    "head": "board|step|off by at most|labels for {goal}|a gain of 0.01 shows, %",
    "choice_end": "silent until the end",
    "choice_exact": "exact losses, private",
    "choice_team": "simplified Ladders, private",
    "choice_all": "simplified Ladders, public",
    "choice_places": "{places} places",
    "choice_every": "every loss shown",
    "choice_sealed": "half shown, final on the rest",
    "note": "Silence promises most and tells nothing. Last row: what is shown can be made to lie, the final is off by "
    "so much. If it alone counts, and feedback is wanted, run this.",
    "nothing": "no promise",
    "attack_two": "{shown}, even the simplest attack, flipping blocks of labels, would make a file that knows nothing "
    "look as if its loss were {loss} and not 0.500, after {heard} (exact, on average). There are stronger attacks.",
    "attack_more": "{shown}, flipping blocks of labels would read some of them. The exact number is for two classes: a "
    "file that knows nothing would look as if its loss were {loss} and not 0.500, after {heard} (on average). With "
    "{classes} classes it begins higher and gains less.",
    "attack_reads": "{shown}, {needed} of {heard} would be enough to read all labels, one change at a "
    "time: a file that knows nothing would show 0.000.",
    "shown_all": "If every loss were shown",
    "shown_own": "If every loss were told to its team alone",
    "attack_metric": "The exact law of the attack is for right or wrong; other metrics were attacked in simulations.",
    "attack_mended": "On the recommended board no attack, known or unknown, moves a loss that is shown by more than "
    "{error} from the truth, with probability {confidence} %.",
    "attack_silent": "On the recommended board an attack hears nothing before the end.",
    "cost_steps": "An improvement by {smallest} of {n} ({share} of the loss) always shows; a smaller one may not.",
    "cost_places": "At most {moves} of {files} take a place; the others hear nothing. Who beats the last place by "
    "{smallest} of {n} ({share} of the loss) always takes one. A team can hold several places, and one that is passed "
    "can drop out.{crowd}",
    "cost_exact": "One label less wrong shows in the loss that is told.",
    "cost_end": "While the board runs nobody learns anything; at the end one label less wrong shows.",
    "cost_metric": "While the board runs nobody learns anything. How likely the better file is ahead at the end "
    "depends on the metric.",
    "seen_steps": "If a team improves its best file by 0.005, 0.010 or 0.020, the board shows it in {seen_1}, {seen_2} "
    "or {seen_3} of 100 cases ({split}).",
    "seen_places": "If the file in the last place is improved by 0.005, 0.010 or 0.020, the board shows it in "
    "{seen_1}, {seen_2} or {seen_3} of 100 cases ({split}).",
    "seen_exact": "Of two files 0.005, 0.010 or 0.020 apart in truth, the better one shows the smaller loss in "
    "{seen_1}, {seen_2} or {seen_3} of 100 cases ({split}).",
    "seen_end": "Of two files 0.005, 0.010 or 0.020 apart in truth, the better one is ahead at the end in {seen_1}, "
    "{seen_2} or {seen_3} of 100 cases ({split}).",
    "split": "if the two files differ on a tenth of the labels",
    "first_place": " First place is decided on labels that no board has scored{named}.",
    "named": ", by one file that a team names before",
    "daily": ", the same number each day",
    "crowd": " Who opens many accounts can use up the files of a day. The code below counts the total, not the days.",
    "rule_end": "Nothing is scored before the deadline. At most {files} are taken, {sources}{daily}; then the best "
    "{score} of {each_team} is published.",
    "rule_exact": "{may} send one file, and hears its loss.{not_share}{first_place}",
    "rule_team": "{may} send {each}, and hears the best loss it has shown so far, in steps of {eta}.{one_team}"
    "{first_place}",
    "rule_all": "{may} send {each}. The board shows the best loss of {each_team} so far, in steps of {eta}."
    "{first_place}",
    "rule_places": "The board shows the {places} smallest losses, in steps of {eta}; of equal ones those that came "
    "first. It takes {files}, {sources}"
    "{daily}.{first_place}",
    "code_end": """import leaderboard_edu as le  # labels: your holdout’s
board = le.Leaderboard(labels)
submit = le.limited(board, {limits})
# Tell nobody what submit(team, file) returns.
publish = board.standings  # after the deadline""",
    "code_metric": """import leaderboard_edu as le  # labels: your holdout’s
metric = le.Metric.from_sklearn("{scorer}")  # or another
score = lambda y: le.FullDisclosure(y, metric=metric)
board = le.Leaderboard(labels, mechanism=score)
submit = le.limited(board, {limits})
# Tell nobody what submit(team, file) returns.
publish = board.standings  # after the deadline""",
    "code_places": """import leaderboard_edu as le  # labels: your holdout’s
{halve}ladder = lambda y: le.SimplifiedLadder(y, eta="{eta}")
board = le.TopBoard(labels, ranks={places}, mechanism=ladder)
submit = le.limited(board, {limits})
show = board.standings  # to all; submit’s reply to nobody{final}""",
    "code_team": """import leaderboard_edu as le  # labels: your holdout’s
{halve}ladder = lambda y: le.SimplifiedLadder(y, eta="{eta}")
board = le.Leaderboard(labels, mechanism=ladder)
submit = le.limited(board, {limits})
# submit(team, {file}) returns what the team is told.{final}""",
    "code_all": """import leaderboard_edu as le  # labels: your holdout’s
{halve}ladder = lambda y: le.SimplifiedLadder(y, eta="{eta}")
board = le.Leaderboard(labels, mechanism=ladder)
submit = le.limited(board, {limits})
show = board.standings  # to all, after submit(team, {file}){final}""",
    "code_exact": """import leaderboard_edu as le  # labels: your holdout’s
{halve}board = le.Leaderboard(labels)
submit = le.limited(board, {limits})
# submit(team, {file}) returns what the team is told.{final}""",
    "scorer_auc": "roc_auc",
    "scorer_mean_loss": "brier_score",
    "scorer_other": "r2",
    "limits_closed": "teams={limit_teams}, each={limit_each}",
    "limits_open": "files={limit_files}",
    "halve": "sealed, labels = labels[::2], labels[1::2]  # shuffled\n",
    "half_file": "file[1::2]",
    "whole_file": "file",
    "final": "\nfinal = le.Leaderboard(sealed)  # at the end, of file[::2]",
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
