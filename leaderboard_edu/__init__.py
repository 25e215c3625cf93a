"""The companion library of the book *Reliable Leaderboards*."""

from leaderboard_edu.attacks import AttackResult, boosting_attack, boosting_curve
from leaderboard_edu.bounds import (
    best_eta,
    boosting_accuracy,
    decoder_error,
    fano_bound,
    hoeffding,
    kl_bernoulli,
    ladder_bound,
    multi_account_bound,
    samples_needed,
    tree_deviation,
    union_bound,
)
from leaderboard_edu.experiments import ErrorSample, simulate_leaderboard_error
from leaderboard_edu.figures import COLOURS, InteractiveFigure, Slider, interactive_figure, use_style
from leaderboard_edu.histories import (
    HistoryCode,
    InterleavedCode,
    release_histories,
    tree_size,
    worst_tree_size,
)
from leaderboard_edu.leaderboard import Leaderboard, Standing, leaderboard_error
from leaderboard_edu.losses import count_wrong, empirical_risk
from leaderboard_edu.mechanisms import FullDisclosure, Ladder, Mechanism, SimplifiedLadder

__all__ = [
    "COLOURS",
    "AttackResult",
    "ErrorSample",
    "FullDisclosure",
    "HistoryCode",
    "InteractiveFigure",
    "InterleavedCode",
    "Ladder",
    "Leaderboard",
    "Mechanism",
    "SimplifiedLadder",
    "Slider",
    "Standing",
    "best_eta",
    "boosting_accuracy",
    "boosting_attack",
    "boosting_curve",
    "count_wrong",
    "decoder_error",
    "empirical_risk",
    "fano_bound",
    "hoeffding",
    "interactive_figure",
    "kl_bernoulli",
    "ladder_bound",
    "leaderboard_error",
    "multi_account_bound",
    "release_histories",
    "samples_needed",
    "simulate_leaderboard_error",
    "tree_deviation",
    "tree_size",
    "union_bound",
    "use_style",
    "worst_tree_size",
]
