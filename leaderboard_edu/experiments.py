"""Experiments: attacks simulated fast, and repeated runs that measure the leaderboard error."""

from leaderboard_edu._repetition import ErrorSample, mean_and_error, replicate, simulate_leaderboard_error
from leaderboard_edu._simulated_challenges import (
    FreedmanRun,
    StepForwardRun,
    simulate_bayes_boot,
    simulate_freedman,
    simulate_step_forward,
)
from leaderboard_edu._simulated_votes import (
    Trajectory,
    boosting_curve,
    simulate_boosting,
    simulate_parameter_free,
    simulate_swap,
)
from leaderboard_edu._submission_budget import SubmissionBudget, submission_budget

__all__ = [
    "ErrorSample",
    "FreedmanRun",
    "StepForwardRun",
    "SubmissionBudget",
    "Trajectory",
    "boosting_curve",
    "mean_and_error",
    "replicate",
    "simulate_bayes_boot",
    "simulate_boosting",
    "simulate_freedman",
    "simulate_leaderboard_error",
    "simulate_parameter_free",
    "simulate_step_forward",
    "simulate_swap",
    "submission_budget",
]
