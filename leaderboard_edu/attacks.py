"""Attacks: they see a `submit` callable and nothing else."""

from leaderboard_edu._attack_result import AttackResult
from leaderboard_edu._climbs import enumeration_attack, partner_attack, swap_attack
from leaderboard_edu._loss_attacks import block_attack, least_squares_attack, message_passing, message_passing_attack
from leaderboard_edu._rank_attacks import losses_from_ranks, rank_attack, yardstick_attack
from leaderboard_edu._regression_attacks import averaging_attack, freedman_attack, last_jump, step_forward_attack
from leaderboard_edu._vote_attacks import boosting_attack, multi_account_attack

__all__ = [
    "AttackResult",
    "averaging_attack",
    "block_attack",
    "boosting_attack",
    "enumeration_attack",
    "freedman_attack",
    "last_jump",
    "least_squares_attack",
    "losses_from_ranks",
    "message_passing",
    "message_passing_attack",
    "multi_account_attack",
    "partner_attack",
    "rank_attack",
    "step_forward_attack",
    "swap_attack",
    "yardstick_attack",
]
