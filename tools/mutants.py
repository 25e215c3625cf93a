"""Break one expression at a time and record which theorem test notices: `python -m tools.mutants`.

The expression is one of the library, or of the statement as a test has it. A mutant is killed only by an
AssertionError of the test named for it, where the same test passes on an unchanged copy. The survivors stay
in the record, with the reason.
"""

import ast
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "book" / "data" / "mutants.json"
TIMEOUT = 60  # seconds for one test; all of them together get ten times as long

COMPOSITION = "test_hoeffding.py::test_composition"
LEMMA = "test_hoeffding.py::test_lemma"
ATTAINED = "test_hoeffding.py::test_lemma_constant_is_attained"
SECOND = "test_hoeffding.py::test_second_derivative"
ONE_SIDED = "test_hoeffding.py::test_one_sided_and_unequal"
RATE = "test_hoeffding.py::test_rate"
SERIES = "test_hoeffding.py::test_two_is_the_best_constant"
TAILS = "test_hoeffding.py::test_exact_tails"
LARGE_TAILS = "test_hoeffding.py::test_large_tails"
UNION = "test_union_bound.py::test_independent_classifiers"
INTERVAL = "test_union_bound.py::test_interval"
ERROR = "test_union_bound.py::test_leaderboard_error"
ADAPTIVE = "test_union_bound.py::test_adaptive_analyst_breaks_it"
ATTACK = "test_boosting_accuracy.py::test_attack_on_every_draw"
CURVE = "test_boosting_accuracy.py::test_curve_on_every_draw"
LISTS = "test_boosting_accuracy.py::test_every_list_of_submissions"
VALUES = "test_boosting_accuracy.py::test_exact_values"
PIVOTAL = "test_boosting_accuracy.py::test_pivotal"
EVEN = "test_boosting_accuracy.py::test_even_votes"
ONE_LABEL = "test_boosting_accuracy.py::test_one_label"
INDEPENDENT = "test_boosting_accuracy.py::test_submissions_are_independent"
JURY = "test_boosting_accuracy.py::test_jury"
LIMIT = "test_boosting_accuracy.py::test_limit"
CUT = "test_boosting_accuracy.py::test_rounding_only_moves_the_cut"
PAPERS = "test_boosting_simulation.py::test_papers_sizes"
VOTE_EDGE = "test_theorem_5_1.py::test_edge_of_one_vote"
EXPECTED = "test_theorem_5_1.py::test_expected_accuracy"
TWO_VOTES = "test_theorem_5_1.py::test_two_votes"
VARIANCE = "test_theorem_5_1.py::test_variance"
TWO_THIRDS = "test_theorem_5_1.py::test_with_probability_two_thirds"
FACTOR = "test_theorem_5_1.py::test_rounding_costs_a_factor"
THRESHOLD = "test_adversarial_error.py::test_threshold"
EDGE_LIMIT = "test_adversarial_error.py::test_limit_of_the_edge"
REACH = "test_adversarial_error.py::test_edge_by_enumeration"
FIXED = "test_competitions.py::test_fixed_classifier"
BEST = "test_competitions.py::test_best_of_k"
ONE_BIT = "test_competitions.py::test_one_bit_of_feedback"
RANDOM = "test_competitions.py::test_random_classifier"
VARIES = "test_competitions.py::test_random_classifier_varies"
UNEQUAL = "test_competitions.py::test_best_of_unequal"
MEAN_MAX = "test_competitions.py::test_mean_of_the_worst_deviation"
ANY_ANALYST = "test_competitions.py::test_one_bit_of_any_analyst"
BOOSTING_BITS = "test_competitions.py::test_one_bit_of_the_boosting_attack"
CEILING = "test_competitions.py::test_one_bit_ceiling"
FINAL = "test_competitions.py::test_final_submission"
DECISIONS = "test_ladder.py::test_decisions"
TIES = "test_ladder.py::test_ties_are_refused"
DIFFER = "test_ladder.py::test_algorithms_differ"
MINIMUM = "test_ladder.py::test_simplified_is_the_rounded_minimum"
HALF_A_STEP = "test_ladder.py::test_margin_of_half_a_step"
CHANGES = "test_ladder.py::test_changes"
INVARIANT = "test_ladder.py::test_invariant"
TIGHT = "test_ladder.py::test_invariant_is_tight"
REDUCTION = "test_ladder.py::test_reduction_to_deviations"
TREE = "test_tree.py::test_tree_size"
LARGE_TREE = "test_tree.py::test_large_tree"
NESTED = "test_tree.py::test_trees_are_nested"
CODE = "test_tree.py::test_code"
PADDING = "test_tree.py::test_padding_ends_the_list"
BINARY = "test_tree.py::test_logarithm_is_binary"
NODES = "test_tree.py::test_bound_is_the_union_over_nodes"
DEVIATION = "test_tree.py::test_deviation_inverts_the_bound"
MANY = "test_tree.py::test_many_submissions"
COUNT = "test_accounts.py::test_count"
NOT_ATTAINED = "test_accounts.py::test_bound_is_not_attained"
EVERY_RULE = "test_accounts.py::test_every_analyst"
INTERLEAVED = "test_accounts.py::test_code"
REPLAY = "test_accounts.py::test_analyst_is_needed"
HEIGHT = "test_accounts.py::test_height_is_in_steps_of_eta"
ACCOUNTS_UNION = "test_accounts.py::test_bound_is_the_union_over_nodes"
SAMPLES = "test_accounts.py::test_sample_sizes"
LARGE_SAMPLES = "test_accounts.py::test_large_sample_sizes"
BETTER = "test_accounts.py::test_which_is_better"
FRESH = "test_accounts.py::test_fresh_accounts"
KL = "test_fano.py::test_kl_bernoulli"
KL_SERIES = "test_fano.py::test_series_of_the_divergence"
HAYSTACK = "test_fano.py::test_information_of_the_haystack"
FANO = "test_fano.py::test_fano_inequality"
FIRST_BELOW = "test_fano.py::test_reduction"
DECODER = "test_fano.py::test_decoder_error"
DECODED = "test_fano.py::test_decoder_by_simulation"
EXPLICIT = "test_fano.py::test_explicit_lower_bound"
CLOSED = "test_fano.py::test_closed_form"
THROUGH = "test_accounts.py::test_attack_through_accounts"
RANKS = "test_rank_attack.py::test_all_labels"
OTHERS = "test_rank_attack.py::test_others_on_the_board"
OWN_RANK = "test_rank_attack.py::test_own_rank_needs_ties_that_stay"
NOT_FASTER = "test_rank_attack.py::test_no_attack_is_faster"
BLIND = "test_rank_attack.py::test_where_rounding_stops_the_attack"
YARDSTICK = "test_rank_attack.py::test_yardstick"
PAIRED = "test_parameter_free.py::test_paired_t_test"
MCNEMAR = "test_parameter_free.py::test_mcnemar"
SINGLE = "test_parameter_free.py::test_single_flip_is_a_tie"
FLOATS = "test_parameter_free.py::test_floats_accept_ties"
LEVEL = "test_parameter_free.py::test_level"
PAIRS = "test_parameter_free.py::test_pairs"
START = "test_parameter_free.py::test_start"
ACCEPTED = "test_parameter_free.py::test_number_accepted"
LITTLE = "test_parameter_free.py::test_little_gain"
GROUPS = "test_parameter_free.py::test_groups"
PF_HISTORIES = "test_parameter_free.py::test_histories"
NO_GUARANTEE = "test_parameter_free.py::test_no_guarantee"
STALL_TIME = "test_swap.py::test_time_to_stall"
VOTE_OF_MANY = "test_engine.py::test_boosting_by_definition"
COUNTERS = "test_engine.py::test_counters"
WALKS = "test_engine.py::test_walks"
WORDS = "test_engine.py::test_words_is_the_attack"
EVENTS = "test_engine.py::test_events_have_the_exact_law"
SWAP_EVENTS = "test_engine.py::test_swap_has_the_exact_law"
DEATH = "test_swap.py::test_death_chain"
SWAPS = "test_swap.py::test_law_of_the_attack"
HITTING = "test_swap.py::test_hitting_times"
SWAP_LIMIT = "test_swap.py::test_limit"
STALLS = "test_swap.py::test_stalls"
FLIPS = "test_enumeration.py::test_one_step"
ENUMERATION = "test_enumeration.py::test_law_of_the_attack"
RANK_ACCOUNTS = "test_top_board.py::test_ranks_are_accounts"
TOP = "test_top_board.py::test_top_losses"
GAIN = "test_enumeration.py::test_gain"
WAIT = "test_enumeration.py::test_wait"
PLACES = "test_top_board.py::test_places"
RANK_HISTORIES = "test_top_board.py::test_histories"
MISORDER = "test_top_board.py::test_margin_can_misorder"
BEST_GUESS = "test_fano.py::test_lower_bound_by_the_best_decoder"
PERMUTED = "test_freedman.py::test_permuted_score"
ONE_FEATURE = "test_freedman.py::test_one_feature"
WITHOUT_BOARD = "test_freedman.py::test_difference_without_board"
ALPHA_LEVEL = "test_freedman.py::test_level"
RECORDS = "test_freedman.py::test_records"
RESIDUALS = "test_freedman.py::test_frisch_waugh_lovell"
SUBMISSIONS = "test_freedman.py::test_number_of_submissions"
RELEASE_LAW = "test_ladder_boot.py::test_release_law"
MORE_RESAMPLES = "test_ladder_boot.py::test_average_is_more_resamples"
SIGNAL = "test_ladder_boot.py::test_signal"
NORMAL_NOISE = "test_ladder_boot.py::test_normal_noise"
AVERAGE = "test_ladder_boot.py::test_the_attack_takes_the_average"
FIXED_SEED = "test_ladder_boot.py::test_fixed_seed"
BUDGET_COST = "test_submission_budget.py::test_cost"
BUDGET_STEP = "test_submission_budget.py::test_one_step"
BUDGET_PERMUTED = "test_submission_budget.py::test_permuted_moments"
BUDGET_LAW = "test_submission_budget.py::test_correlation_law"
BUDGET_BEST = "test_submission_budget.py::test_best_square"
BUDGET_IDEAL = "test_submission_budget.py::test_idealised"
BUDGET_GOES_ON = "test_submission_budget.py::test_attack_that_goes_on"
BUDGET_FIRST = "test_submission_budget.py::test_first_iteration"
BUDGET_CORRELATED = "test_submission_budget.py::test_correlated_features"
BUDGET_LOWERS = "test_submission_budget.py::test_correlation_lowers_the_best_square"
BUDGET_LOGARITHM = "test_submission_budget.py::test_best_square_is_at_most_logarithmic"
BUDGET_COVERS = "test_submission_budget.py::test_median_interval_covers"
BUDGET_TIES = "test_submission_budget.py::test_median_interval_with_ties"
BUDGET_ANNOUNCED = "test_submission_budget.py::test_announced_budget"

BAYES = "test_bayesian_bootstrap.py"
LIN = f"{BAYES}::test_lin"
LIN_RANGE = f"{BAYES}::test_lin_range"
MID_RANKS = f"{BAYES}::test_ranks"
PAIRS_WEIGHED = f"{BAYES}::test_pairs"
SHARES = f"{BAYES}::test_weights"
GAPS = f"{BAYES}::test_gaps"
DRAWING = f"{BAYES}::test_error_of_drawing"
TRANSCRIPT = f"{BAYES}::test_law_of_the_transcript"
ONE_ENTRY = f"{BAYES}::test_one_entry"


@dataclass(frozen=True)
class Mutant:
    """One changed expression of a library file, or of a test's statement, and the theorem test that should notice."""

    file: str
    old: str
    new: str
    test: str
    reason: str = ""  # why it survives, if it does

    @property
    def path(self) -> str:
        return f"tests/theorems/{self.file}" if self.file.startswith("test_") else f"leaderboard_edu/{self.file}"


MUTANTS = [
    Mutant("losses.py", "count_nonzero(u != y)", "count_nonzero(u == y)", FIXED),
    Mutant("losses.py", "count_nonzero(u != y)", "count_nonzero(u > y)", BEST),
    Mutant("losses.py", "wrong / np.size(labels)", "wrong / (np.size(labels) + 1)", FIXED),
    Mutant("mechanisms.py", "return wrong / n", "return 1 - wrong / n", ONE_BIT),
    Mutant("leaderboard.py", "np.abs(shown - ", "np.abs(0 * shown - ", FINAL),
    Mutant("bounds.py", "2 * k * math.exp", "k * math.exp", TAILS),
    Mutant("bounds.py", "2 * k * math.exp", "2 * math.exp", UNION),
    Mutant("bounds.py", "-2 * epsilon * epsilon * n", "-2.1 * epsilon * epsilon * n", LARGE_TAILS),
    Mutant("bounds.py", "-2 * epsilon * epsilon * n", "-1.9 * epsilon * epsilon * n", COMPOSITION),
    Mutant("bounds.py", "-2 * epsilon * epsilon * n", "-4 * epsilon * epsilon * n", TAILS),
    Mutant("bounds.py", "-2 * epsilon * epsilon * n", "-2 * epsilon * n", COMPOSITION),
    Mutant("bounds.py", "min(1.0, 2", "max(1.0, 2", COMPOSITION),
    Mutant("bounds.py", "min(1.0, 2", "min(2.0, 2", COMPOSITION),
    Mutant("bounds.py", "(np.asarray(votes) + 1) // 2", "np.asarray(votes) // 2", EVEN),
    Mutant("bounds.py", "half == 0, 0.5", "half == 0, 0.0", LISTS),
    Mutant(
        "bounds.py",
        "betainc(np.maximum(half, 1), np.maximum(half, 1), right)",
        "betainc(half, half, right)",
        LISTS,
        "The same function: the values at half = 0 are thrown away by the line itself.",
    ),
    Mutant("bounds.py", "cut = n // 2 if", "cut = (n - 1) // 2 if", LISTS),
    Mutant(
        "bounds.py",
        "cut = n // 2 if",
        "cut = (n - 1) // 2 if",
        PIVOTAL,
        "Aligned votes do not feel the ties: C(n-1, n/2 - 1) = C(n-1, n/2) for even n. The better half does.",
    ),
    Mutant("bounds.py", "(n * (2 * (m // 2) + 1) - 1) //", "(n * (2 * (m // 2) + 1)) //", CUT),
    Mutant("bounds.py", "2 * (m // 2) + 1", "m", CUT),
    Mutant("bounds.py", "binom.pmf(cut, n - 1, 0.5)", "binom.pmf(cut, n, 0.5)", VOTE_EDGE),
    Mutant("bounds.py", "0.5 + pivotal / 2", "0.5 + pivotal / 4", EXPECTED),
    Mutant("bounds.py", "0.5 + pivotal / 2", "0.5 + pivotal", PIVOTAL),
    Mutant("bounds.py", "pivotal / (4 * kept)", "pivotal / (2 * kept)", LIMIT),
    Mutant("bounds.py", "pivotal / (4 * kept)", "pivotal / 2", VALUES),
    Mutant("bounds.py", "binom.cdf(cut, n, 0.5)", "0.5", VALUES),
    Mutant("bounds.py", "binom.cdf(cut, n, 0.5)", "0.5", LIMIT),
    Mutant("bounds.py", "min(k, mean + spread) + 1", "min(k, mean + spread)", VALUES),
    Mutant("attacks.py", "else released <= 0.5", "else released < 0.5", ATTACK),
    Mutant("attacks.py", "else released <= 0.5", "else released >= 0.5", ADAPTIVE),
    Mutant("attacks.py", "else released <= 0.5", "else released <= 0.53", REACH),
    Mutant("_simulated_votes.py", "above = 2 * count_ones(votes) > n", "above = 2 * count_ones(votes) >= n", CURVE),
    Mutant("_votes.py", "np.where(tally == 0, coins, tally > 0)", "np.where(tally == 0, 0, tally > 0)", ATTACK),
    Mutant("_votes.py", "np.where(tally == 0, coins, tally > 0)", "np.where(tally == 0, 1, tally > 0)", ATTACK),
    Mutant("_simulated_votes.py", 'np.bitwise_xor(vote, turn, order="C")', 'np.array(vote, order="C")', PAPERS),
    Mutant("_simulated_votes.py", "(vote ^ coins ^ down) & ~turn", "vote ^ coins ^ down", PAPERS),
    Mutant("_votes.py", "submission == 1, sign, -sign", "submission == 1, sign, 0", ATTACK),
    Mutant("mechanisms.py", "(2 * wrong * m + n) // (2 * n)", "(2 * wrong * m + n - 1) // (2 * n)", ATTACK),
    Mutant("mechanisms.py", "(2 * wrong * m + n) // (2 * n)", "(2 * wrong * m) // (2 * n)", ATTACK),
    Mutant("losses.py", "(predictions != labels)", "(predictions == labels)", ATTACK),
    Mutant("mechanisms.py", "return wrong / n", "return (wrong + 1) / (n + 1)", REACH),
    Mutant("leaderboard.py", "np.minimum.accumulate(risks)", "risks", ERROR),
    Mutant("leaderboard.py", "np.max(np.abs(shown", "np.max((shown", ERROR),
    Mutant("leaderboard.py", "np.max(np.abs", "np.mean(np.abs", ERROR),
    Mutant(
        "_draws.py",
        "words[:, -1] >>= np.uint64(-n % 64)",
        "words[:, -1] &= np.uint64(2**64 - 1)",
        PAPERS,
    ),
    Mutant("losses.py", "count_nonzero(u != y)", "count_nonzero(u > y)", UNEQUAL),
    Mutant("losses.py", "wrong / np.size(labels)", "wrong / (np.size(labels) + 1)", VARIES),
    Mutant("losses.py", "wrong / np.size(labels)", "1 - wrong / np.size(labels)", RANDOM),
    Mutant("losses.py", "count_nonzero(u != y)", "count_nonzero(u < y)", MEAN_MAX),
    Mutant("bounds.py", "-2 * epsilon * epsilon * n", "-2.001 * epsilon * epsilon * n", INTERVAL),
    Mutant("bounds.py", "-2 * epsilon * epsilon * n", "-2.5 * epsilon * epsilon * n", RATE),
    Mutant("bounds.py", "(np.asarray(votes) + 1) // 2", "(np.asarray(votes) + 2) // 2", JURY),
    Mutant(
        "bounds.py",
        "binom.pmf(cut, n - 1, 0.5)",
        "binom.pmf(cut, n - 1, 0.5) * (1.005 if n >= 1000 else 1)",
        LIMIT,
    ),
    Mutant(
        "bounds.py",
        "binom.pmf(cut, n - 1, 0.5)",
        "binom.pmf(cut, n - 1, 0.5) * (1.005 if n >= 1000 else 1)",
        VOTE_EDGE,
    ),
    Mutant(
        "attacks.py",
        "tally += vote(submission, released < previous if",
        "tally = tally.astype(np.int8) + vote(submission, released < previous if",
        ONE_LABEL,
    ),
    Mutant("_simulated_votes.py", "furthest=k // 2 + 1", "furthest=15", ONE_LABEL),
    Mutant("_simulated_votes.py", "np.cumsum(kept, axis=0) - kept", "np.cumsum(kept, axis=0)", CURVE),
    Mutant("_simulated_votes.py", "move[1::2] ^= opposite", "move[1::2] ^= coins", CURVE),
    Mutant("_bits.py", "beyond |= plane ^ sign", "beyond &= plane ^ sign", WALKS),
    Mutant("_simulated_votes.py", 'np.bitwise_xor(vote, turn, order="C")', 'np.array(vote, order="C")', TWO_THIRDS),
    Mutant("attacks.py", "else released <= 0.5", "else released >= 0.5", BOOSTING_BITS),
    Mutant("mechanisms.py", "(2 * wrong * m + n) // (2 * n)", "(2 * wrong * m + 2 * n) // (2 * n)", FINAL),
    Mutant("leaderboard.py", "np.abs(shown - ", "np.abs(np.minimum.accumulate(shown) - ", ERROR),
    Mutant(
        "_draws.py",
        "words[:, -1] >>= np.uint64(-n % 64)",
        "words[:, -1] = words[:, 0] >> np.uint64(-n % 64)",
        INDEPENDENT,
    ),
    Mutant("mechanisms.py", "return (2 * wrong * m + n) // (2 * n)", "return round(wrong * m / n)", DECISIONS),
    Mutant(
        "mechanisms.py",
        "return (2 * wrong * m + n) // (2 * n)",
        "return -((n - 2 * wrong * m) // (2 * n))",
        HALF_A_STEP,
    ),
    Mutant("mechanisms.py", "wrong * m < (best - 1) * n", "wrong * m <= (best - 1) * n", TIES),
    Mutant("mechanisms.py", "wrong * m < (best - 1) * n", "wrong / n < best / m - 1 / m", TIES),
    Mutant("mechanisms.py", "wrong * m < (best - 1) * n", "wrong * m < best * n", DIFFER),
    Mutant("mechanisms.py", "wrong * m < (best - 1) * n", "wrong * m < (best - 1) * n - m", DECISIONS),
    Mutant("mechanisms.py", "wrong * m < (best - 1) * n", "wrong * m < (best - 2) * n", TIGHT),
    Mutant("mechanisms.py", "wrong * m < (best - 1) * n", "wrong * m < (best - 2) * n", INVARIANT),
    Mutant("mechanisms.py", "wrong * m < (best - 1) * n", "wrong * m < (best - 2) * n", REDUCTION),
    Mutant("mechanisms.py", "else min(best, rounded)", "else max(best, rounded)", MINIMUM),
    Mutant("mechanisms.py", "else min(best, rounded)", "else rounded", CHANGES),
    Mutant(
        "mechanisms.py",
        "else min(best, rounded)",
        "else best",
        MANY,
        "A board that never moves is right about coins: too good.",
    ),
    Mutant("histories.py", "math.comb(k + m, m + 1)", "math.comb(k + m - 1, m + 1)", TREE),
    Mutant("histories.py", "math.comb(k + m, m + 1)", "math.comb(k + m, m)", LARGE_TREE),
    Mutant("histories.py", " - math.comb(k + m - 2, m - 1)", "", TREE),
    Mutant("histories.py", " - math.comb(k + m - 2, m - 1)", " - math.comb(k + m - 2, m)", LARGE_TREE),
    Mutant("histories.py", "if len(history) < k - 1:", "if len(history) < k:", TREE),
    Mutant("histories.py", "if len(history) < k - 1:", "if len(history) < min(k - 1, 5):", NESTED),
    Mutant("histories.py", "fresh = m + 1", "fresh = m", COUNT),
    Mutant("histories.py", "+ max(", "+ min(", EVERY_RULE),
    Mutant("histories.py", "drops + 1)", "drops)", COUNT),
    Mutant("histories.py", "drops = min(accounts, k) * m", "drops = accounts * (m + 1)", NOT_ATTAINED),
    Mutant(
        "histories.py",
        "drops = min(accounts, k) * m",
        "drops = accounts * m",
        COUNT,
        "With k accounts or more the other number of the minimum is the smaller one.",
    ),
    Mutant("histories.py", "(self.k - 1).bit_length()", "(self.k - 2).bit_length()", CODE),
    Mutant("histories.py", "fields += [0] *", "fields += [1] *", CODE),
    Mutant("histories.py", "fields += [0] *", "fields += [1] *", INTERLEAVED),
    Mutant("histories.py", "!= bits:", "== 0:", PADDING),
    Mutant("histories.py", "math.log2(4 * self.k * self._m)", "math.log(4 * self.k * self._m)", CODE),
    Mutant("histories.py", "math.log2(4 * self.k * self._m)", "math.log(4 * self.k * self._m)", BINARY),
    Mutant("histories.py", "math.log2(2 * self.k)", "math.log(2 * self.k)", INTERLEAVED),
    Mutant("histories.py", "(1 + min(self.accounts, self.k) * self._m)", "(1 + self.accounts * self._m)", INTERLEAVED),
    Mutant(
        "histories.py", "(self._m if last is None else last) - falls", "(history or [self._m])[-1] - falls", INTERLEAVED
    ),
    Mutant("histories.py", "account = _account(self.choose_account, tuple(history))", "account = 0", INTERLEAVED),
    Mutant(
        "histories.py", "account = _account(self.choose_account, tuple(history))", "account = len(history) % 2", REPLAY
    ),
    Mutant("histories.py", "for _ in range(fall)]", "for _ in range(min(fall, 1))]", HEIGHT),
    Mutant("bounds.py", "log(2) + log_nodes", "log_nodes", NODES),
    Mutant("bounds.py", "- 2 * mpf(epsilon) ** 2 * n", "- mpf(epsilon) ** 2 * n", NODES),
    Mutant("bounds.py", "- 2 * mpf(epsilon) ** 2 * n", "- 4 * mpf(epsilon) ** 2 * n", ACCOUNTS_UNION),
    Mutant("bounds.py", "half = Fraction(1, 2 * m)", "half = Fraction(1, m)", ACCOUNTS_UNION),
    Mutant("bounds.py", "(m + 2) * log(4 * k * m) if single", "(m + 1) * log(4 * k * m) if single", NODES),
    Mutant("bounds.py", "(m + 2) * log(4 * k * m) if single", "(m + 2) * log(4 * k * m) / log(2) if single", NODES),
    Mutant("bounds.py", "(accounts * m + 1) * log(2 * k)", "accounts * m * log(2 * k)", ACCOUNTS_UNION),
    Mutant("bounds.py", "(accounts * m + 1) * log(2 * k)", "(accounts * m + 1) * log(2 * k) / log(2)", ACCOUNTS_UNION),
    Mutant("bounds.py", "log_binomial(k + m, m + 1)", "log_binomial(k + m, m)", SAMPLES),
    Mutant("bounds.py", "log(2 * k + m - 2)", "log(2 * k + 2 * m - 2)", NODES),
    Mutant("bounds.py", "log_binomial(k + drops, drops + 1)", "log_binomial(k + drops, drops)", SAMPLES),
    Mutant("bounds.py", "return min(log_binomial", "return max(log_binomial", ACCOUNTS_UNION),
    Mutant("bounds.py", "DIGITS = 40", "DIGITS = -4", LARGE_SAMPLES),
    Mutant("bounds.py", "log(2 / mpf(delta))) / (2 * n)", "log(2 / mpf(delta))) / n", DEVIATION),
    Mutant("bounds.py", "int(ceil(2 * m * m", "int((2 * m * m", SAMPLES),
    Mutant("bounds.py", "int(ceil(2 * m * m", "int(ceil(m * m", SAMPLES),
    Mutant("bounds.py", "needed(middle) <= n else", "needed(middle) < n else", SAMPLES),
    Mutant("bounds.py", "p, q = probability(p,", "q, p = probability(p,", KL),
    Mutant("bounds.py", "_excess(1 - p, 1 - q, q - p)", "_excess(1 - p, 1 - q, q - p) / math.log(2)", KL),
    Mutant("bounds.py", "return _excess(p, q, p - q) +", "return 1.4 * _excess(p, q, p - q) +", KL_SERIES),
    Mutant("bounds.py", "return _excess(p, q, p - q) +", "return 1.001 * _excess(p, q, p - q) +", HAYSTACK),
    Mutant("bounds.py", "for j in range(2, 20))", "for j in range(3, 20))", KL),
    Mutant("bounds.py", "(math.log(k) - math.log(2)) / n", "math.log(k) / n", EXPLICIT),
    Mutant("bounds.py", "epsilon / 2 * (budget", "epsilon * (budget", EXPLICIT),
    Mutant("bounds.py", "* n / math.log(k))", "* n / math.log2(k))", CLOSED),
    Mutant("bounds.py", "2 * epsilon * math.atanh(2 * epsilon)", "epsilon * math.atanh(2 * epsilon)", EXPLICIT),
    Mutant("bounds.py", "np.exp((k - 1) * log_no_fewer)", "np.exp(k * log_no_fewer)", DECODER),
    Mutant("bounds.py", "* np.exp((k - 1) * log_no_fewer) * won", "* np.exp((k - 1) * log_no_fewer)", DECODED),
    Mutant("bounds.py", "binom.pmf(cut, n - 1, 0.5)", "binom.pmf(cut, n - 1, 0.5) * (1 if m is None else 0.99)", FRESH),
    Mutant("leaderboard.py", "np.max(np.abs(shown", "np.mean(np.abs(shown", FIRST_BELOW),
    # Statements, as the tests have them.
    Mutant("test_ladder.py", '"ladder": Fraction(1)', '"ladder": Fraction(9, 10)', TIGHT),
    Mutant("test_ladder.py", "LOWER = HALF", "LOWER = Fraction(2, 5)", TIGHT),
    Mutant("test_ladder.py", '"simplified": lambda m: m + 1', '"simplified": lambda m: m', CHANGES),
    Mutant("test_ladder.py", '"ladder": lambda m: m,', '"ladder": lambda m: m + 1,', CHANGES),
    Mutant("test_tree.py", "PADDING = 1", "PADDING = 0", CODE),
    Mutant("test_tree.py", "VALUES = 1", "VALUES = 0", CODE),
    Mutant("test_tree.py", '"simplified": 1}', '"simplified": 0}', CODE),
    Mutant("test_tree.py", "NODES = 2", "NODES = 1", NODES),
    Mutant("test_accounts.py", "HALF_STEP = HALF ", "HALF_STEP = 1 ", ACCOUNTS_UNION),
    Mutant("test_accounts.py", "HALF_STEP = HALF ", "HALF_STEP = Fraction(3, 5) ", BETTER),
    Mutant("test_fano.py", "error * NATS(k - 1)\n", "error * math.log2(k - 1)\n", FANO),
    Mutant("test_fano.py", "NATS(k - 1) >= NATS(k)", "NATS(k - 2 or 1) >= NATS(k)", FANO),
    Mutant("test_fano.py", "TWO_OUTCOMES = math.log(2)", "TWO_OUTCOMES = math.log(1.5)", EXPLICIT),
    Mutant(
        "test_fano.py",
        "(information + TWO_OUTCOMES) / NATS(k))\n",
        "(information + TWO_OUTCOMES) / math.log2(k))\n",
        BEST_GUESS,
    ),
    Mutant("test_fano.py", "divergence((q, 1 - q), (0.5, 0.5))", "divergence((0.5, 0.5), (q, 1 - q))", EXPLICIT),
    Mutant("test_fano.py", "CLOSED = 12", "CLOSED = 13", CLOSED),
    Mutant("test_fano.py", "2 * r < 2 * half - epsilon", "2 * r < 2 * half - epsilon - 2", FIRST_BELOW),
    Mutant("test_hoeffding.py", "LEMMA = 8", "LEMMA = 8.1", LEMMA),
    Mutant("test_hoeffding.py", "LEMMA = 8", "LEMMA = 7.9", ATTAINED),
    Mutant("test_hoeffding.py", "VARIANCE = 0.25", "VARIANCE = 0.249", SECOND),
    Mutant("test_hoeffding.py", "ONE_SIDED = 2", "ONE_SIDED = 2.5", ONE_SIDED),
    Mutant("test_hoeffding.py", "2 * j * (2 * j - 1)", "2 * j * (2 * j + 1)", SERIES),
    Mutant("test_union_bound.py", "ceil(math.log(2 * k / delta)", "ceil(math.log(k / delta)", INTERVAL),
    Mutant("test_boosting_accuracy.py", "(math.pi / 2 - 1) * z**3", "math.pi / 2 * z**3", LIMIT),
    Mutant("test_boosting_accuracy.py", "math.comb(2 * h - 1, h)", "math.comb(2 * h, h)", JURY),
    Mutant("test_theorem_5_1.py", "8 * n * gamma**2 >= 1", "7.9 * n * gamma**2 >= 1", VOTE_EDGE),
    Mutant("test_theorem_5_1.py", "CEILING = Fraction(1, 4)", "CEILING = Fraction(6, 25)", VOTE_EDGE),
    Mutant("test_theorem_5_1.py", "Fraction(5, 24)", "Fraction(13, 48)", EXPECTED),
    Mutant("test_theorem_5_1.py", "Fraction(5, 48)", "Fraction(1, 6)", EXPECTED),
    Mutant("test_theorem_5_1.py", "2 ** (n + 1) * (n - 1)", "2 ** (n + 1) * n", TWO_VOTES),
    Mutant("test_theorem_5_1.py", '{"aligned": Fraction(1),', '{"aligned": Fraction(2, 3),', VARIANCE),
    Mutant("test_theorem_5_1.py", "Fraction(169, 144)", "Fraction(5, 6)", VARIANCE),
    Mutant("test_theorem_5_1.py", "Fraction(169, 144)", "Fraction(1)", TWO_THIRDS),
    Mutant("test_theorem_5_1.py", "gamma / math.e - 1e-12", "gamma / 1.99 - 1e-12", FACTOR),
    Mutant(
        "test_adversarial_error.py", "floor(n * (HALF - error))", "ceil(n * (HALF - error)) - (error < HALF)", REACH
    ),
    Mutant("test_adversarial_error.py", "abs(loss - HALF) < error", "abs(loss - HALF) <= error", REACH),
    Mutant("test_adversarial_error.py", "HALVING = 2", "HALVING = 2.1", THRESHOLD),
    Mutant("test_adversarial_error.py", "RATE = 2", "RATE = 2.001", EDGE_LIMIT),
    Mutant("test_competitions.py", "VARIANCE = Fraction(1, 4)", "VARIANCE = Fraction(6, 25)", RANDOM),
    Mutant("test_competitions.py", "MEAN_MAX = 2", "MEAN_MAX = 2.05", MEAN_MAX),
    Mutant("test_competitions.py", "NATS_PER_BIT = math.log(2)", "NATS_PER_BIT = math.log(1.6)", ANY_ANALYST),
    Mutant("test_competitions.py", "NATS_PER_BIT = math.log(2)", "NATS_PER_BIT = math.log(1.9)", CEILING),
    Mutant("test_ladder.py", "floor(1 / eta + HALF) + 1", "floor(1 / eta) + 1", "test_ladder.py::test_grid"),
    Mutant("test_tree.py", "2 * m - 2 + (m % 2 == 0)", "2 * m - 1", "test_tree.py::test_which_releases_are_possible"),
    Mutant("test_tree.py", "2**ceiling <= 2 * t", "2**ceiling <= t", "test_tree.py::test_depth_needs_the_ceiling"),
    Mutant("test_tree.py", "== 17 > 2**4", "== 16 > 2**4", "test_tree.py::test_real_analyst"),
    Mutant(
        "test_tree.py",
        "0 < worst <= plain_bound(size, epsilon, n)",
        "0 < worst <= plain_bound(size, 2 * epsilon, n)",
        "test_tree.py::test_worst_analyst",
    ),
    Mutant("test_tree.py", "-LOWER < gap <= HALF", "-LOWER < gap < HALF", "test_tree.py::test_rounding_ends"),
    Mutant(
        "test_accounts.py",
        "float(2 * epsilon**2 * n)",
        "float(8 * epsilon**2 * n)",
        "test_accounts.py::test_worst_analyst_with_two_accounts",
    ),
    Mutant(
        "test_fano.py",
        "math.log(k) - conditional",
        "math.log2(k) - conditional",
        "test_fano.py::test_information_is_averaged_divergence",
    ),
    Mutant(
        "test_fano.py", "np.full_like(shown, 0.5 - epsilon / 2)", "risks", "test_fano.py::test_every_estimator_obeys"
    ),
    Mutant("test_accounts.py", "LOGARITHM = 1 ", "LOGARITHM = 0.99 ", "test_accounts.py::test_size_of_the_logarithm"),
    Mutant(
        "test_accounts.py",
        "LABELS_SAVED = 27 / 32",
        "LABELS_SAVED = 3 / 4",
        "test_accounts.py::test_two_ways_to_spend_the_error",
    ),
    Mutant("test_accounts.py", "-(exact**2) / 2", "-(exact**2)", "test_accounts.py::test_edge_at_coarse_even_steps"),
    Mutant("test_accounts.py", "claimed = 5 / 24 *", "claimed = 5 / 8 *", "test_accounts.py::test_accounts_must_enter"),
    Mutant(
        "test_tree.py",
        "m[total.argmin()] == pytest.approx((8 / r)",
        "m[total.argmin()] == pytest.approx((7 / r)",
        "test_tree.py::test_crude_choice_of_the_step",
    ),
    Mutant(
        "test_accounts.py",
        "best = (a * b) ** (2 / (2 + a))",
        "best = (2 * b) ** (2 / (2 + a))",
        "test_accounts.py::test_two_ways_to_spend_the_error",
    ),
    Mutant("test_tree.py", "LEADING = 1.5 ", "LEADING = 1.45 ", "test_tree.py::test_rate"),
    Mutant("test_tree.py", "LEADING = 1.5 ", "LEADING = 1.51 ", "test_tree.py::test_crude_choice_of_the_step"),
    Mutant("test_ladder.py", "* m > n), default", "* m >= n), default", "test_ladder.py::test_margin_without_rounding"),
    Mutant("test_fano.py", "FIXED = 2 ", "FIXED = 3 ", "test_fano.py::test_fixed_submissions"),
    Mutant("attacks.py", "if rank <= lead:", "if rank < lead:", RANKS),
    Mutant(
        "attacks.py",
        "lead, leader, chaser = trial, rank, chaser, leader",
        "lead, leader, chaser = trial, rank, leader, chaser",
        RANKS,
    ),
    Mutant("attacks.py", "for label in range(n):", "for label in range(n - 1):", RANKS),
    Mutant(
        "attacks.py",
        "lead, leader, chaser = trial, rank, chaser, leader",
        "lead, leader, chaser = trial, lead, chaser, leader",
        OTHERS,
    ),
    Mutant("leaderboard.py", "self._best[other] <= score", "self._best[other] >= score", RANKS),
    Mutant("attacks.py", "for label in range(n):", "for label in reversed(range(n)):", RANKS),
    Mutant(
        "test_enumeration.py",
        "p = Fraction(comb(wrong, h) * comb(n - wrong, s - h)",
        "p = Fraction(comb(wrong, h) * comb(n - wrong, s - h) * 2",
        FLIPS,
    ),
    Mutant(
        "leaderboard.py",
        "self._best[other] <= score",
        "self._best[other] < score",
        OWN_RANK,
        "Who stands first among equal scores does not matter to this attack.",
    ),
    Mutant(
        "leaderboard.py",
        'self._labels.size if precision is None else grid_denominator(precision, "precision")',
        "self._labels.size",
        BLIND,
    ),
    Mutant("test_rank_attack.py", "or n < 2 * m", "or n < m", BLIND),
    Mutant(
        "test_rank_attack.py",
        "own_rank_attack(boards[1], n).tolist()",
        "attack(boards[1], (0,) * n)[0].predictions.tolist()",
        OWN_RANK,
    ),
    Mutant("test_rank_attack.py", "len(blind) == max(0, n - m)", "len(blind) == max(0, n - m - 1)", BLIND),
    Mutant("leaderboard.py", "self._best[other] <= score", "self._best[other] < score", YARDSTICK),
    Mutant("test_rank_attack.py", "(wrong <= edge)", "(wrong < edge)", YARDSTICK),
    Mutant("test_rank_attack.py", "{2: 2, 3: 4}", "{2: 4, 3: 4}", NOT_FASTER),
    Mutant(
        "mechanisms.py",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)",
        "(g - b) ** 2 * (n + c**2) > c**2 * n * (g + b)",
        MCNEMAR,
    ),
    Mutant(
        "mechanisms.py",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)",
        "(g - b) ** 2 * (n - 1 + c**2) >= c**2 * n * (g + b)",
        SINGLE,
    ),
    Mutant(
        "mechanisms.py",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b - 1)",
        FLOATS,
    ),
    Mutant("mechanisms.py", "return g > b and", "return g != b and", PAIRED),
    Mutant(
        "mechanisms.py",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)",
        "(g - b) ** 2 * (n - 1 + c**2) > c * n * (g + b)",
        PAIRED,
    ),
    Mutant("mechanisms.py", "count_nonzero(losses > best)", "count_nonzero(losses >= best)", PAIRED),
    Mutant(
        "mechanisms.py",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)",
        "(g - b) ** 2 * (n - 1 + c**2) > 2 * c**2 * n * (g + b)",
        PAIRS,
    ),
    Mutant(
        "mechanisms.py",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)",
        "(g - b) ** 2 * (n + c**2) > c**2 * n * (g + b)",
        START,
    ),
    Mutant("test_parameter_free.py", "(g - b) ** 2 > g + b)", "(g - b) ** 2 >= g + b)", MCNEMAR),
    Mutant(
        "test_parameter_free.py",
        "for b, a in zip(before, after, strict=True)])",
        "for a, b in zip(before, after, strict=True)])",
        PAIRED,
    ),
    Mutant("test_parameter_free.py", "math.erfc(1 / math.sqrt(2))", "math.erfc(1 / 2)", LEVEL),
    Mutant("test_parameter_free.py", "map(math.sqrt, distances)", "map(float, distances)", ACCEPTED),
    Mutant("test_parameter_free.py", "math.log(4 * k / delta) / 2)", "math.log(4 * k / delta) / 4)", ACCEPTED),
    Mutant(
        "attacks.py",
        "ones[i], zeros[j] = zeros[j], ones[i]",
        "ones[i], zeros[j] = ones[i], zeros[j]",
        SWAPS,
        "Labels swapped once are right, and flipping them again is never accepted.",
    ),
    Mutant(
        "test_parameter_free.py", "math.sqrt(1 - math.sqrt(2 * ell / n))", "math.sqrt(1 - math.sqrt(ell / n))", ACCEPTED
    ),
    Mutant("test_parameter_free.py", "sets <= k ** (v - 1)", "sets <= k ** (v - 2)", LITTLE),
    Mutant("test_parameter_free.py", "(2 * sum(u) >= votes)", "(2 * sum(u) > votes)", LITTLE),
    Mutant(
        "test_parameter_free.py",
        "max(sets, 4 * k) / delta) / (2 * n))",
        "max(sets, 4 * k) / delta) / (3 * n))",
        LITTLE,
    ),
    Mutant("test_parameter_free.py", "if r * (n - 1 + c**2) > c**2 * n)", "if r * (n - 1 + c**2) >= c**2 * n)", GROUPS),
    Mutant(
        "mechanisms.py",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)",
        "(g - b) ** 2 * (n - 2 + c**2) > c**2 * n * (g + b)",
        GROUPS,
    ),
    Mutant("test_parameter_free.py", "math.log(2) + 1e-12", "0.68 + 1e-12", GROUPS),
    Mutant("test_parameter_free.py", "comb(n + 2 - v, v)", "comb(n + 1 - v, v)", PF_HISTORIES),
    Mutant(
        "mechanisms.py",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)",
        "(g - b) ** 2 * (n - 1 + c**2) >= c**2 * n * (g + b)",
        PF_HISTORIES,
    ),
    Mutant(
        "mechanisms.py",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)",
        "(g - b) ** 2 * (n - 1 + c**2) > 2 * c**2 * n * (g + b)",
        NO_GUARANTEE,
    ),
    Mutant(
        "test_swap.py",
        "closed = sum(1 / j for j in range(1, off + 1)) / off",
        "closed = sum(1 / j for j in range(1, off + 1))",
        STALL_TIME,
    ),
    Mutant("test_swap.py", "Fraction(comb(n - 1, n // 2), 2**n)", "Fraction(comb(n, n // 2), 2**n)", STALL_TIME),
    Mutant("_bits.py", "np.bitwise_or(carry, other, out=carry)", "np.bitwise_and(carry, other, out=carry)", COUNTERS),
    Mutant("_bits.py", "above | equal & coins", "above", VOTE_OF_MANY),
    Mutant(
        "_bits.py",
        "np.bitwise_and(plane ^ down, move, out=carry)",
        "np.bitwise_and(plane | down, move, out=carry)",
        WALKS,
    ),
    Mutant("_bits.py", "return lowest ^ (beyond & ~(lowest ^ sign))", "return lowest", WALKS),
    Mutant(
        "_simulated_votes.py", "above = 2 * count_ones(block) > n", "above = 2 * count_ones(block) >= n", VOTE_OF_MANY
    ),
    Mutant("_simulated_votes.py", "needed = 1 + np.sqrt(bound)", "needed = np.sqrt(bound)", WORDS),
    Mutant("_simulated_votes.py", "wrong if broken <= largest[fixed] else released", "min(wrong, released)", WORDS),
    Mutant("_simulated_votes.py", "/ -np.log1p(-p)", "/ p", EVENTS),
    Mutant(
        "_simulated_votes.py",
        "_log_binomial(wrong) + upto[last]",
        "_log_binomial(wrong) + _log_binomial(right)[last]",
        EVENTS,
    ),
    Mutant("_simulated_votes.py", "(half * (n - half))", "(half * half)", SWAP_EVENTS),
    Mutant(
        "_simulated_votes.py",
        "hypergeometric(n - ones, ones, half)",
        "hypergeometric(ones, n - ones, half)",
        SWAP_EVENTS,
    ),
    Mutant("attacks.py", "rng.integers([ones.size, zeros.size]", "rng.integers([1, zeros.size]", SWAPS),
    Mutant("attacks.py", "order[: n // 2], order[n // 2 :]", "order[: n // 3], order[n // 3 :]", SWAPS),
    Mutant(
        "mechanisms.py",
        "(g - b) ** 2 * (n - 1 + c**2) > c**2 * n * (g + b)",
        "(g - b) ** 2 * (n - 1 + c**2) > 2 * c**2 * n * (g + b)",
        DEATH,
    ),
    Mutant("test_swap.py", "(n // 2) * (n - n // 2))", "(n // 2) ** 2)", DEATH),
    Mutant(
        "test_swap.py",
        "terms = [Fraction(h, j) ** 2 for j in range(w + 1, w0 + 1)]",
        "terms = [Fraction(h, j) ** 2 for j in range(w + 1, w0)]",
        HITTING,
    ),
    Mutant("test_swap.py", "term**2 - term for", "term**2 for", HITTING),
    Mutant("test_swap.py", "limit = 1 - 1 / (2 + 2 * t)", "limit = 1 - 1 / (2 + t)", SWAP_LIMIT),
    Mutant("_simulated_votes.py", "wrong_zeros = wrong_ones + ones - half", "wrong_zeros = wrong_ones", STALLS),
    Mutant("_simulated_votes.py", "- 2 * np.arange(submissions.size)", "- np.arange(submissions.size)", STALLS),
    Mutant("attacks.py", "rng.integers(0, n.bit_length()", "rng.integers(1, n.bit_length()", ENUMERATION),
    Mutant("attacks.py", "size=size, replace=False", "size=size, replace=True", ENUMERATION),
    Mutant("test_enumeration.py", "** g * down", "** (g + 1) * down", GAIN),
    Mutant("test_enumeration.py", "-s * (1 - 2 * x)", "-s * (1 - x)", GAIN),
    Mutant(
        "test_enumeration.py",
        "Fraction(wrong, n - wrong) ** needed",
        "Fraction(wrong, n - wrong) ** (4 * needed)",
        WAIT,
    ),
    Mutant("test_top_board.py", "placed == ranks * (m + 1)", "placed == ranks * m + 1", PLACES),
    Mutant("test_top_board.py", "k=k, accounts=ranks)", "k=k, accounts=1)", RANK_HISTORIES),
    Mutant("test_enumeration.py", "after = wrong + s - 2 * h", "after = wrong - s + 2 * h", FLIPS),
    Mutant("test_enumeration.py", "Fraction(best - 1, m) if", "Fraction(best, m) if", FLIPS),
    Mutant("leaderboard.py", "if released < shown:", "if released <= shown:", RANK_ACCOUNTS),
    Mutant("leaderboard.py", "before, (self._vectors[place], vector)", "before, (vector, vector)", TOP),
    Mutant("mechanisms.py", "wrong * m < (best - 1) * n", "wrong * m < best * n", MISORDER),
    Mutant("attacks.py", "account = t % accounts", "account = t % (accounts + 1)", THROUGH),
    Mutant("attacks.py", 'released < previous[account], "half"', 'released <= previous[account], "half"', THROUGH),
    Mutant(
        "attacks.py",
        'tally += vote(submission, released <= 0.5, "aligned")',
        'tally += vote(submission, released <= 0.5, "half")',
        THROUGH,
    ),
    Mutant("test_freedman.py", "FACTOR = 4", "FACTOR = 2", PERMUTED),
    Mutant("test_freedman.py", "((n - 1) / n + (p**2).mean())", "(1 + (p**2).mean())", PERMUTED),
    Mutant("test_freedman.py", "correlations.var() - 1 / (n - 1)", "correlations.var() - 1 / n", PERMUTED),
    Mutant("test_freedman.py", "(n - 1) / n * n0 / (n0 - 1)", "(n - 1) / n", ONE_FEATURE),
    Mutant("test_freedman.py", "(n - 1) / n * n0 / (n0 - 1)", "1", ONE_FEATURE),
    Mutant("test_freedman.py", " + 1 / 4 - 1 / 5", "", WITHOUT_BOARD),
    Mutant("test_freedman.py", "(p**2).mean() - (q**2).mean()", "p.var() - q.var()", WITHOUT_BOARD),
    Mutant("mechanisms.py", "max(-quantile, 0.0)", "max(quantile, 0.0)", ALPHA_LEVEL),
    Mutant("mechanisms.py", "stdtrit(n - 1, alpha)", "stdtrit(n, alpha)", ALPHA_LEVEL),
    Mutant("mechanisms.py", "stdtrit(n - 1, alpha)", "stdtrit(n - 1, alpha / 2)", ALPHA_LEVEL),
    Mutant("mechanisms.py", "gain.std(ddof=1)", "gain.std()", ALPHA_LEVEL),
    Mutant("mechanisms.py", "gain.mean() > margin", "gain.mean() > -margin", ALPHA_LEVEL),
    Mutant(
        "test_freedman.py", "Fraction(1, t) for t in range(1, k + 1)", "Fraction(1, t) for t in range(1, k)", RECORDS
    ),
    Mutant("mechanisms.py", "max(-quantile, 0.0)", "max(-quantile, 1.0)", RECORDS),
    Mutant(
        "_simulated_challenges.py",
        "products = self.training @ self.response",
        "products = self.public @ self.difference",
        RESIDUALS,
    ),
    Mutant(
        "_simulated_challenges.py",
        "self.public = _without(self.public, index, shares)",
        "self.public = _without(self.public, index, 0 * shares)",
        RESIDUALS,
    ),
    Mutant(
        "_simulated_challenges.py", "self.training @ x / square if", "self.training @ x / (square + 1) if", RESIDUALS
    ),
    Mutant("_simulated_challenges.py", "where=self.squares > self.redundant", "where=self.squares > 0", RESIDUALS),
    Mutant("attacks.py", "range(p) if j not in selected]", "range(p) if j not in selected[1:]]", SUBMISSIONS),
    Mutant("attacks.py", "int(changes[-1]) if changes.size", "int(changes[0]) if changes.size", SUBMISSIONS),
    Mutant("attacks.py", "np.diff(signal, prepend=shown)", "np.diff(signal)", SUBMISSIONS),
    Mutant("attacks.py", "        shown = released[-1]\n", "        shown = math.inf\n", SUBMISSIONS),
    Mutant("test_ladder_boot.py", "in losses) / n / (b * n)", "in losses) / (n - 1) / (b * n)", RELEASE_LAW),
    Mutant("test_ladder_boot.py", "in losses) / n / (b * n)", "in losses) / n / b", RELEASE_LAW),
    Mutant("mechanisms.py", "multinomial(b * n, np.full", "multinomial(n, np.full", RELEASE_LAW),
    Mutant("mechanisms.py", "best = submitted if accepts else self._best", "best = submitted", FIXED_SEED),
    Mutant("mechanisms.py", "best, self._accepted + accepts", "best, self._accepted + 1", FIXED_SEED),
    Mutant("test_ladder_boot.py", "(0, 3), b * repeats)", "(0, 3), b + repeats)", MORE_RESAMPLES),
    Mutant("attacks.py", "for _ in range(repeats)])),", "for _ in range(1)])),", MORE_RESAMPLES),
    Mutant("attacks.py", "float(np.mean([submit", "float(np.min([submit", AVERAGE),
    Mutant("test_ladder_boot.py", "c * math.sqrt(b) *", "c * b *", SIGNAL),
    Mutant("test_ladder_boot.py", "(last - new).std(ddof=1) / last", "(last - new).std() / last", SIGNAL),
    Mutant("test_ladder_boot.py", "(last - new).std(ddof=1) / last", "last.std(ddof=1) / last", SIGNAL),
    Mutant("mechanisms.py", "math.sqrt(n) if n > 1", "n if n > 1", SIGNAL),
    Mutant("test_ladder_boot.py", "FOURTH = 3", "FOURTH = 4", NORMAL_NOISE),
    Mutant("test_ladder_boot.py", "math.sqrt(2 / (3 * 4000))", "math.sqrt(1 / (3 * 4000))", NORMAL_NOISE),
    Mutant(
        "_submission_budget.py",
        "self.features * self.iterations - self.iterations * (self.iterations - 1) // 2",
        "self.features * self.iterations - self.iterations * (self.iterations + 1) // 2",
        BUDGET_COST,
    ),
    Mutant("attacks.py", "if j not in selected]", "if j not in selected[:1]]", BUDGET_COST),
    Mutant("test_submission_budget.py", "Fraction(iterations - 1, 2)", "Fraction(iterations, 2)", BUDGET_COST),
    Mutant("test_submission_budget.py", "return -2 * (n - 1) / n * r0", "return -2 * r0", BUDGET_STEP),
    Mutant("datasets.py", "sum(axis=0) / (len(values) - 1)", "sum(axis=0) / len(values)", BUDGET_STEP),
    Mutant("test_submission_budget.py", "Fraction(1, n - 1)", "Fraction(1, n)", BUDGET_PERMUTED),
    Mutant("test_submission_budget.py", "beta(0.5, (n - 2) / 2)", "beta(0.5, (n - 1) / 2)", BUDGET_LAW),
    Mutant("test_submission_budget.py", "law(n).cdf(t) ** q", "law(n).cdf(t) ** (q + 1)", BUDGET_BEST),
    Mutant("test_submission_budget.py", "binom.cdf(iterations - 1, p - 1", "binom.cdf(iterations, p - 1", BUDGET_IDEAL),
    Mutant("test_submission_budget.py", "(t[:, None] + s**2)", "(t[:, None] - s**2)", BUDGET_IDEAL),
    Mutant("test_submission_budget.py", "part = 2 * s *", "part = s *", BUDGET_IDEAL),
    Mutant("test_submission_budget.py", "np.where(middle > 0, weight", "np.where(middle > -1, weight", BUDGET_GOES_ON),
    Mutant("_simulated_challenges.py", "margins = c * np.sqrt", "margins = (c + 1) * np.sqrt", BUDGET_FIRST),
    Mutant("test_submission_budget.py", "1 + 2 / math.pi", "1 + 1 / math.pi", BUDGET_CORRELATED),
    Mutant(
        "test_submission_budget.py", "cdf(math.sqrt(t)) - 1) ** p", "cdf(math.sqrt(t)) - 1) ** (p - 1)", BUDGET_LOWERS
    ),
    Mutant("test_submission_budget.py", "(2 * math.log(p) + 2)", "(math.log(p) + 2)", BUDGET_LOGARITHM),
    Mutant("_submission_budget.py", "ppf(0.025)", "ppf(0.05)", BUDGET_COVERS),
    Mutant("_submission_budget.py", "ordered[[rank - 1, -rank]]", "ordered[[rank - 1, -rank - 1]]", BUDGET_COVERS),
    Mutant(
        "_submission_budget.py", "np.sort(self.overfitting, axis=0)", "np.sort(self.overfitting, axis=1)", BUDGET_TIES
    ),
    Mutant("_submission_budget.py", "good = self.intervals[0]", "good = self.medians", BUDGET_ANNOUNCED),
    Mutant("_submission_budget.py", "bad = self.intervals[1]", "bad = self.medians", BUDGET_ANNOUNCED),
    Mutant(
        "_submission_budget.py", "np.logical_and.accumulate(good)", "np.logical_or.accumulate(good)", BUDGET_ANNOUNCED
    ),
    Mutant("mechanisms.py", "return wins >= self._needed", "return wins > self._needed", DRAWING),
    Mutant("mechanisms.py", "math.ceil(ratio * draws", "math.floor(ratio * draws", DRAWING),
    Mutant("mechanisms.py", "left -= len(weights)", "left -= 2 * len(weights)", TRANSCRIPT),
    Mutant(
        "mechanisms.py", "wins_needed(odds, self._n_posterior)", "wins_needed(odds, self._n_posterior) + 1", ONE_ENTRY
    ),
    Mutant("metrics.py", "v * v + gap * gap", "v * v", LIN),
    Mutant("metrics.py", "2 * (uv - u * v) / size", "(uv - u * v) / size", LIN_RANGE),
    Mutant("metrics.py", "- at / 2)", "- at)", MID_RANKS),
    Mutant("metrics.py", "(1 + right.mean()) / 2", "right.mean()", PAIRS_WEIGHED),
    Mutant("metrics.py", "rng.standard_exponential((draws, n))", "rng.standard_gamma(2, (draws, n))", SHARES),
    Mutant("metrics.py", "rng.standard_exponential((draws, n))", "rng.random((draws, n))", GAPS),
    Mutant(BAYES, "Fraction(n - 1, n * n * (n + 1))", "Fraction(n - 1, n**3)", f"{BAYES}::test_posterior_mean"),
    Mutant(BAYES, "(1 + n / size)", "(1 + 1 / size)", f"{BAYES}::test_resampling_from_the_weights"),
    Mutant(BAYES, "a / (a - b)", "b / (b - a)", f"{BAYES}::test_exact_posterior"),
    Mutant(BAYES, "g + b - 1, 0.5)", "g + b, 0.5)", f"{BAYES}::test_exact_posterior_of_counts"),
    Mutant(BAYES, "pytest.approx(12 / math.e - 2)", "pytest.approx(6 / math.e)", f"{BAYES}::test_berry_esseen"),
    Mutant(BAYES, "0.56 * (12 / math.e - 2) * lam", "0.05 * (12 / math.e - 2) * lam", f"{BAYES}::test_berry_esseen"),
    Mutant(BAYES, "approx(t * math.sqrt(n / (n - 1 + t", "approx(t * math.sqrt(n / (n + t", f"{BAYES}::test_z_and_t"),
    Mutant(BAYES, "furthest[1] - 4)", "furthest[1] - 16)", f"{BAYES}::test_paired"),
    Mutant(BAYES, "math.comb(r - 1, needed - 1)", "math.comb(r, needed)", f"{BAYES}::test_early_stopping"),
    Mutant(BAYES, "1 - (1 - a) ** tries), (", "1 - (1 - a) ** (tries - 2)), (", f"{BAYES}::test_retries"),
    Mutant(BAYES, "trial[i] = 1", "trial[i] = 0", f"{BAYES}::test_entry_attack"),
    Mutant(BAYES, "1.5 / math.sqrt(5)", "1.5 / math.sqrt(6)", f"{BAYES}::test_spearman_is_no_function_of_moments"),
]

# Each run is a fork of a process that has imported pytest and SciPy, but neither the library nor a test.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["pytest", "scipy.optimize", "scipy.special", "scipy.stats"])


def probe(folder: Path, tests: list[str]) -> None:
    """In a process of its own, run tests of the copy in `folder`; write down the exit code and what was raised."""
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["HYPOTHESIS_PROFILE"] = "mutant"
    log = os.open("log", os.O_WRONLY | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    import pytest

    import leaderboard_edu

    assert Path(leaderboard_edu.__file__).resolve().parents[1] == folder, leaderboard_edu.__file__
    raised = []

    class Recorder:
        def pytest_exception_interact(self, call):
            raised.append(call.excinfo.type.__name__)

    ids = [str(folder / "tests" / "theorems" / test) for test in tests]
    code = pytest.main([*ids, "-x", "-q", "-p", "no:cacheprovider"], plugins=[Recorder()])
    Path("result.json").write_text(json.dumps([int(code), raised]))


def outcome(tests: list[str], mutant: Mutant | None = None) -> tuple[int, list[str]]:
    """Run theorem tests on a copy of everything; return pytest's exit code and the names of what was raised."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for part in ("leaderboard_edu", "tests/theorems"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "tests" / "conftest.py", folder / "tests")
        if mutant:
            source = (folder / mutant.path).read_text()
            if source.count(mutant.old) != 1:
                raise ValueError(f"{mutant.old!r} must occur once in {mutant.path}, found {source.count(mutant.old)}")
            (folder / mutant.path).write_text(source.replace(mutant.old, mutant.new))
        process = FORKS.Process(target=probe, args=(folder, tests))
        process.start()
        process.join(TIMEOUT if mutant else 10 * TIMEOUT)
        if process.is_alive():
            process.kill()
            process.join()
        if not (folder / "result.json").exists():
            log = (folder / "log").read_text() if (folder / "log").exists() else ""
            raise RuntimeError(f"no result for {mutant or tests}:\n{log}")
        code, raised = json.loads((folder / "result.json").read_text())
        return code, raised


def is_killed(mutant: Mutant) -> bool:
    """Say whether the named test refutes the mutant, and by an assertion."""
    code, raised = outcome([mutant.test], mutant)
    return code == 1 and raised == ["AssertionError"]


def statement(test: str) -> str:
    """Return what a theorem test states: the first line of its docstring."""
    file, name = test.split("::")
    tree = ast.parse((ROOT / "tests" / "theorems" / file).read_text())
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    return ast.get_docstring(function).splitlines()[0]


def record() -> str:
    """Run every mutant and return the record as JSON text."""
    with ThreadPoolExecutor(2) as pool:
        unchanged = pool.submit(outcome, sorted({mutant.test for mutant in MUTANTS}))
        killed = list(pool.map(is_killed, MUTANTS))
    if unchanged.result()[0] != 0:
        raise RuntimeError(f"the unchanged run of the named tests failed: {unchanged.result()[1]}")
    unexpected = [mutant for mutant, dead in zip(MUTANTS, killed, strict=True) if dead == bool(mutant.reason)]
    if unexpected:
        raise RuntimeError(f"survived without a reason, or were killed in spite of one: {unexpected}")
    rows = []
    for mutant, dead in zip(MUTANTS, killed, strict=True):
        row = {
            "file": mutant.path,
            "change": [mutant.old, mutant.new],
            "test": f"tests/theorems/{mutant.test}",
            "statement": statement(mutant.test),
            "killed": dead,
        }
        rows.append(row if dead else {**row, "reason": mutant.reason})
    rows.sort(key=lambda row: (row["file"], row["change"], row["test"]))
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    RECORD.write_text(record())
    rows = json.loads(RECORD.read_text())
    print(f"{sum(row['killed'] for row in rows)} of {len(rows)} mutants killed: {RECORD.relative_to(ROOT)}")
