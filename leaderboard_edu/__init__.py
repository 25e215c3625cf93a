"""The companion library of the book *Reliable Leaderboards*."""

from leaderboard_edu.attacks import AttackResult, boosting_attack, boosting_curve
from leaderboard_edu.bounds import boosting_accuracy, hoeffding, union_bound
from leaderboard_edu.figures import COLOURS, InteractiveFigure, Slider, interactive_figure, use_style
from leaderboard_edu.leaderboard import Leaderboard, Standing, leaderboard_error
from leaderboard_edu.losses import count_wrong, empirical_risk
from leaderboard_edu.mechanisms import FullDisclosure, Mechanism

__all__ = [
    "COLOURS",
    "AttackResult",
    "FullDisclosure",
    "InteractiveFigure",
    "Leaderboard",
    "Mechanism",
    "Slider",
    "Standing",
    "boosting_accuracy",
    "boosting_attack",
    "boosting_curve",
    "count_wrong",
    "empirical_risk",
    "hoeffding",
    "interactive_figure",
    "leaderboard_error",
    "union_bound",
    "use_style",
]
