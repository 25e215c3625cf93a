"""Data of challenges, the attacks by regression, their simulation, and repeated experiments."""

import itertools
import json
import math
import subprocess
import sys

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression

import leaderboard_edu as le
from leaderboard_edu._regression import prefix_predictions


def challenge(seed, n=60, p=40, **options):
    rng = np.random.default_rng(seed)
    return le.split_sample(*le.simulate_design(n=n, p=p, rng=rng, **options), rng=rng)


def sets(data):
    return {"training": data.training, "features": data.public.features}


# --- Data ---


@given(seed=st.integers(0, 10**6), n=st.integers(6, 50))
def test_split_is_a_partition_and_scaled(seed, n):
    """Everyone is in one set; sizes differ by one at most; means are 0 and standard deviations 1."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(n, 3)), np.arange(n) ** 1.5
    data = le.split_sample(x, y, rng=rng)
    parts = [data.training, data.public, data.final]
    assert sum(len(part.response) for part in parts) == n
    assert np.ptp([len(part.response) for part in parts]) <= 1
    for part in parts:
        for column in (*part.features.T, part.response):
            assert (column.mean(), column.std(ddof=1)) == (pytest.approx(0), pytest.approx(1))


def test_constant_features_become_zero():
    x = np.column_stack([np.full(18, 0.1), np.arange(18)])  # the mean of which is not exactly 0.1
    data = le.split_sample(x, np.arange(18), rng=np.random.default_rng(0))
    assert not data.public.features[:, 0].any()
    assert data.public.features[:, 1].any()
    assert le.linear_predictions(le.Sample(np.zeros((4, 1)), np.arange(4.0)), [[9.0]], columns=[0]).tolist() == [1.5]


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_split_sample_has_no_units(scale):
    x, y = np.random.default_rng(0).normal(size=(12, 2)), np.arange(12.0)
    data, scaled = (le.split_sample(x * s, y * s, rng=np.random.default_rng(1)) for s in (1, scale))
    for part in ("training", "public", "final"):
        for mine, other in zip(getattr(data, part), getattr(scaled, part), strict=True):
            assert other == pytest.approx(mine)


def test_the_generator_decides_the_split_and_the_order():
    x, y = np.arange(60.0)[:, None], np.arange(60.0)
    one, same, other = (le.split_sample(x, y, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one.training.features.tolist() == same.training.features.tolist() != other.training.features.tolist()
    one, same, other = (one.permuted(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one.public.response.tolist() == same.public.response.tolist() != other.public.response.tolist()


def test_permuting_keeps_features_and_values():
    """The response of each set is shuffled within it."""
    data = challenge(1)
    shuffled = data.permuted(np.random.default_rng(2))
    for name in ("training", "public", "final"):
        before, after = getattr(data, name), getattr(shuffled, name)
        assert np.array_equal(after.features, before.features)
        assert sorted(after.response) == sorted(before.response)
        assert (after.response != before.response).any()


def test_design_is_correlated_as_said():
    """Neighbours by 0.9, two apart by its square, within four standard errors of a correlation."""
    features, response = le.simulate_design(n=5000, p=3, correlation=0.9, rng=np.random.default_rng(3))
    seen = np.corrcoef(np.column_stack([features, response]).T)
    for i, j, rho in ((0, 1, 0.9), (1, 2, 0.9), (0, 2, 0.81), (0, 3, 0), (2, 3, 0)):
        assert abs(seen[i, j] - rho) < 4 * (1 - rho**2) / math.sqrt(5000)


def test_diabetes_products_are_products():
    """Ten measurements, and all products of up to three of them, each once."""
    features, response = le.diabetes_products()
    assert features.shape == (442, math.comb(13, 3) - 1)
    measured = load_diabetes(scaled=False).data
    measured = (measured - measured.mean(axis=0)) / measured.std(axis=0)
    products = [
        np.prod(measured[:, list(factors)], axis=1)
        for degree in (1, 2, 3)
        for factors in itertools.combinations_with_replacement(range(10), degree)
    ]
    order = [int(np.argmin(np.abs(features.T - product).max(axis=1))) for product in products]
    assert sorted(order) == list(range(285))
    assert features[:, order] == pytest.approx(np.transpose(products))
    assert np.linalg.matrix_rank(features) < 285  # the square of sex is an affine function of it
    assert response.min() > 0


def test_diabetes_products_are_in_no_order():
    """Neighbours are as correlated as any two, within four standard errors; by exponents three times as much."""
    correlations = np.abs(np.corrcoef(le.diabetes_products()[0].T))
    neighbours = np.diagonal(correlations, 1)
    mean = correlations[np.triu_indices(285, 1)].mean()
    assert abs(neighbours.mean() - mean) <= 4 * neighbours.std(ddof=1) / 284**0.5


@given(seed=st.integers(0, 10**6), k=st.integers(0, 10))
@settings(max_examples=20)
def test_regressions_are_those_of_scikit_learn(seed, k):
    data = challenge(seed)
    training = le.Sample(data.training.features + 3, data.training.response - 5)  # so that an intercept is needed
    columns = np.random.default_rng(seed).permutation(40)[:k]
    mine = le.linear_predictions(training, data.public.features, columns=columns)
    if k:
        model = LinearRegression().fit(training.features[:, columns], training.response)
        assert mine == pytest.approx(model.predict(data.public.features[:, columns]))
    else:
        assert mine == pytest.approx(np.full(20, training.response.mean()))


def test_redundant_features_have_slope_zero():
    """Combinations of what stands before them, wherever they stand; a prefix may end with one."""
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((30, 4)), rng.standard_normal(30)
    x = np.insert(x, [1, 2, 3], np.column_stack([2 - x[:, 0], x[:, 0] + x[:, 1], np.full(30, 7.0)]), axis=1)
    new = rng.standard_normal((5, 7))
    predictions = prefix_predictions(le.Sample(x, y), new, range(7))
    for columns, kept in (([0, 1, 2], [0, 2]), (range(4), [0, 2]), (range(6), [0, 2, 4]), (range(7), [0, 2, 4, 6])):
        model = LinearRegression().fit(x[:, kept], y).predict(new[:, kept])
        assert le.linear_predictions(le.Sample(x, y), new, columns=columns) == pytest.approx(model)
        assert predictions[len(columns) - 1] == pytest.approx(model)
        for scale in (1e-12, 1e12):  # of the units
            scaled = le.linear_predictions(le.Sample(x * scale, y), new * scale, columns=columns)
            assert scaled == pytest.approx(model)
    constant = le.Sample(np.c_[np.full(30, 0.1), x[:, 0]], y)  # its mean is not exactly 0.1
    assert le.linear_predictions(constant, [[5, 1]], columns=[0, 1]) == pytest.approx(
        le.linear_predictions(constant, [[5, 1]], columns=[1])
    )
    near = np.c_[x[:, 0], x[:, 0] + 1e-6 * x[:, 3]]  # which is not redundant
    assert le.linear_predictions(le.Sample(near, y), near[:5], columns=[0, 1]) == pytest.approx(
        LinearRegression().fit(x[:, [0, 3]], y).predict(x[:5, [0, 3]])
    )
    assert le.linear_predictions(le.Sample(x, y), new, columns=[3, 2, 0]) == pytest.approx(
        LinearRegression().fit(x[:, [3, 2]], y).predict(new[:, [3, 2]])
    )


# --- Jumps ---


@pytest.mark.parametrize(
    ("released", "options", "expected"),
    [
        ([1.0], {}, 0),
        ([1.0, 1.0], {"shown": 1.0}, None),
        ([0.9, 0.9], {"shown": 1.0}, 0),
        ([1.0, 0.9, 0.9, 0.8, 0.8], {}, 3),
        ([1.0, 0.9], {"jumps": 0, "shown": 1.0}, None),
        ([1.0, 1.1, 0.9], {"jumps": 1}, 0),
        ([2.0, 1.0], {"jumps": 2}, 1),
        ([0.5, 0.51, 0.49], {"jumps": 1, "shown": 1.0}, 0),
        ([1.01, 0.99, 1.0, 0.52, 0.5, 0.48], {"jumps": 1, "shown": 1.0}, 3),
        ([1.01, 0.99, 0.71, 0.7, 0.52, 0.5, 0.48], {"jumps": 3}, 4),
        ([1e8 + 1.01, 1e8 + 0.99, 1e8 + 0.71, 1e8 + 0.7, 1e8 + 0.52, 1e8 + 0.5, 1e8 + 0.48], {"jumps": 3}, 4),
    ],
)
def test_last_jump(released, options, expected):
    assert le.last_jump(released, **options) == expected


@given(seed=st.integers(0, 10**6), jumps=st.integers(1, 4))
@settings(max_examples=30)
def test_segments_are_those_of_ruptures(seed, jumps):
    """Its own cost of squared deviations finds the same last segment."""
    import ruptures

    rng = np.random.default_rng(seed)
    signal = rng.normal(size=40) - np.repeat(np.arange(4), 10) * 2
    (*_, last, _end) = ruptures.Binseg(model="l2", min_size=1, jump=1).fit(signal).predict(n_bkps=jumps)
    assert le.last_jump(signal, jumps=jumps + 1) == last


# --- Attacks ---


def test_freedman_attack_on_full_disclosure():
    """The selected features are those whose models have the smallest loss, by scikit-learn."""
    data = challenge(4)
    board = le.FullDisclosure(data.public.response, metric="mse")
    attack = le.freedman_attack(board.submit, **sets(data), top=5)
    losses = []
    for j in range(40):
        model = LinearRegression().fit(data.training.features[:, [j]], data.training.response)
        losses.append(np.mean((model.predict(data.public.features[:, [j]]) - data.public.response) ** 2))
    assert attack.selected == tuple(np.argsort(losses)[:5])
    assert attack.submissions.shape == (40, 20)
    columns = list(attack.selected)
    model = LinearRegression().fit(data.training.features[:, columns], data.training.response)
    assert attack.predictions == pytest.approx(model.predict(data.public.features[:, columns]))


def test_ties_go_to_the_first_features():
    """As on a board that keeps showing its best score."""
    data = challenge(5)
    for larger_is_better in (False, True):
        attack = le.freedman_attack(lambda _: 1.0, **sets(data), top=3, larger_is_better=larger_is_better)
        assert attack.selected == (0, 1, 2)
    for seed in range(5):
        levels = np.random.default_rng(seed).integers(0, 2, 40)
        shown = iter(levels.astype(float))
        attack = le.freedman_attack(lambda _, shown=shown: next(shown), **sets(data), top=15)
        assert attack.selected == tuple(sorted(range(40), key=lambda j, levels=levels: (levels[j], j))[:15])


def test_a_board_cannot_change_what_was_submitted():
    data = challenge(5, p=4)

    def wipes(predictions):
        predictions.fill(0)
        return 1.0

    for attack in (
        lambda: le.freedman_attack(wipes, **sets(data), top=1),
        lambda: le.step_forward_attack(wipes, **sets(data), iterations=1),
    ):
        with pytest.raises(ValueError, match="read-only"):
            attack()


def test_larger_scores_can_be_better():
    """Also whole numbers without a sign."""
    data = challenge(6)
    losses = iter(range(40))
    counts = iter(np.arange(40, dtype=np.uint8))
    attack = le.freedman_attack(lambda predictions: next(counts), **sets(data), top=2, larger_is_better=True)
    assert attack.selected == (39, 38)
    attack = le.freedman_attack(lambda predictions: next(losses), **sets(data), top=2, larger_is_better=True)
    assert attack.selected == (39, 38)


def test_step_forward_adds_the_feature_of_the_last_jump():
    """Played by hand on a board that says when to fall."""
    data = challenge(7, p=5)
    falls = [2, 2, 1, 1, 1, *[1, 0.5, 0.5, 0.5], *[0.5, 0.5, 0.5]]
    shown = iter(falls)
    attack = le.step_forward_attack(lambda predictions: next(shown), **sets(data), iterations=4)
    assert attack.selected == (2, 1)  # the third iteration sees no jump, and the attack stops
    assert len(attack.submissions) == 5 + 4 + 3
    expected = le.linear_predictions(data.training, data.public.features, columns=[2, 3])
    assert attack.submissions[7] == pytest.approx(expected)


def test_step_forward_keeps_the_order_of_selection():
    """The second of two features that are redundant together has the slope zero, whichever has the lower number."""
    x, y = np.random.default_rng(3).normal(size=(20, 2)), np.random.default_rng(4).normal(size=20)
    training = le.Sample(np.c_[x[:, 0], x[:, 1], x.sum(axis=1)], y)
    holdout = np.random.default_rng(5).normal(size=(8, 3))
    shown = iter([3, 3, 2, 1, 1, 0])
    attack = le.step_forward_attack(lambda _: next(shown), training=training, features=holdout, iterations=3)
    assert attack.selected == (2, 0, 1)
    expected = LinearRegression().fit(training.features[:, [2, 0]], y).predict(holdout[:, [2, 0]])
    assert attack.predictions == pytest.approx(expected)


def test_averaging_sees_through_the_noise():
    """With many repetitions the attack on LadderBoot selects what it selects on the Ladder without noise."""
    agreed = {1: 0, 400: 0}
    for seed in range(8):
        data = challenge(seed, n=90, p=30)
        plain = le.PairedTestLadder(data.public.response)
        wanted = le.step_forward_attack(
            plain.submit, **sets(data), iterations=1, accepted=lambda plain=plain: plain.accepted
        )
        for repeats in agreed:
            board = le.LadderBoot(data.public.response, n_bootstrap=10, rng=np.random.default_rng(seed))
            attack = le.averaging_attack(
                board.submit,
                **sets(data),
                iterations=1,
                repeats=repeats,
                accepted=lambda board=board: board.accepted,
            )
            agreed[repeats] += attack.selected == wanted.selected
            assert np.array_equal(attack.submissions, [predictions for predictions, _ in board.transcript])
    assert agreed[400] == 8 > agreed[1]


def test_refusing_repetitions_stops_averaging():
    data = challenge(8, p=5)
    board = le.RefuseRepeats(le.LadderBoot(data.public.response, rng=np.random.default_rng(0)))
    with pytest.raises(ValueError, match=r"^predictions must differ from submission 1"):
        le.averaging_attack(board.submit, **sets(data), iterations=1, repeats=2)


# --- Simulation: the decisions of the attack itself on the mechanism itself ---


@pytest.mark.parametrize("n_bootstrap", [None, 1, 100])
@pytest.mark.parametrize("alpha", [0.01, 0.15, 0.5])
@pytest.mark.parametrize(
    "source", ["simulated", "diabetes", "each feature in four units", "sums in the training set", "unscaled"]
)
def test_simulated_step_forward_is_the_attack(source, alpha, n_bootstrap):
    """Also on features that are equal up to rounding, and on such that only the training set finds redundant."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        features, response = le.diabetes_products() if source == "diabetes" else le.simulate_design(n=75, p=60, rng=rng)
        if source == "each feature in four units":
            features = features[:, np.arange(60) // 4] * np.resize([1, -1, 3, -7], 60)
        data = le.split_sample(features, response, rng=rng).permuted(rng)
        data = data.with_features(range(features.shape[1] - 60, features.shape[1]))
        if source == "sums in the training set":
            data = data.with_features(range(0, 60, 10))
            data.training.features[:, 4:] = data.training.features[:, :2] + data.training.features[:, 2:4]
        if source == "unscaled":
            parts = (data.training, data.public, data.final)
            data = le.ChallengeData(*(le.Sample(3 * x + 5 - i, y - 2) for i, (x, y) in enumerate(parts)))
        labels, twin = data.public.response, np.random.default_rng(9)
        board = (
            le.PairedTestLadder(labels, alpha=alpha)
            if n_bootstrap is None
            else le.LadderBoot(labels, alpha=alpha, n_bootstrap=n_bootstrap, rng=np.random.default_rng(9))
        )
        oracle = None if n_bootstrap is None else lambda board=board: board.accepted
        attack = le.step_forward_attack(board.submit, **sets(data), iterations=4, accepted=oracle)
        run = le.simulate_step_forward(data, iterations=4, alpha=alpha, n_bootstrap=n_bootstrap, rng=twin)
        assert run.selected == attack.selected
        assert np.concatenate(run.released) == pytest.approx([release for _, release in board.transcript], abs=1e-9)
        assert run.public[-1] == pytest.approx(np.mean((attack.predictions - labels) ** 2))
        final = le.linear_predictions(data.training, data.final.features, columns=attack.selected)
        assert run.final[-1] == pytest.approx(np.mean((final - data.final.response) ** 2))
        assert run.overfitting(9) == pytest.approx(run.public[-1] - run.final[-1])
        assert run.overfitting(1) == pytest.approx(run.public[0] - run.final[0])


def test_simulated_freedman_is_the_attack():
    """On a board for a loss and on one that ranks by another score than the regressions are scored by."""
    data = challenge(10)
    for make in (le.PairedTestLadder, lambda y: le.FullDisclosure(y, metric="pearson")):
        run = le.simulate_freedman(data, mechanism=make, top=3, metric="mse")
        board = make(data.public.response)
        attack = le.freedman_attack(board.submit, **sets(data), top=3, larger_is_better=board.larger_is_better)
        assert run.selected == attack.selected
        assert run.released.tolist() == [release for _, release in board.transcript]
        for part, found in ((data.public, run.public), (data.final, run.final)):
            errors = []
            for k in (1, 2, 3):
                model = le.linear_predictions(data.training, part.features, columns=attack.selected[:k])
                errors.append(np.mean((model - part.response) ** 2))
            assert found == pytest.approx(errors)


# --- Repetitions ---


def normal(rng):
    """Return numbers of all kinds."""
    return {"number": rng.normal(), "vector": rng.normal(size=2), "count": rng.integers(10), "word": "x"}


def test_results_do_not_depend_on_the_workers():
    """One, two, and a Dask cluster; and they are those of the children of the generator."""
    alone = le.replicate(normal, repetitions=6, rng=np.random.default_rng(1))
    assert alone[3]["number"] == np.random.default_rng(1).spawn(6)[3].normal()
    assert le.replicate(normal, repetitions=6, rng=np.random.default_rng(1), n_jobs=2) == alone
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert le.replicate(normal, repetitions=6, rng=np.random.default_rng(1)) == alone


def test_the_same_under_dask():
    distributed = pytest.importorskip("distributed")
    alone = le.replicate(normal, repetitions=6, rng=np.random.default_rng(1))
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        assert le.replicate(normal, repetitions=6, rng=np.random.default_rng(1)) == alone


def test_a_stopped_run_goes_on(tmp_path):
    """What is recorded is not computed again; a line that was cut off is."""
    record = tmp_path / "run.jsonl"
    alone = le.replicate(normal, repetitions=5, rng=np.random.default_rng(1))
    assert le.replicate(normal, repetitions=5, rng=np.random.default_rng(1), record=record) == alone
    first, *lines = record.read_text().splitlines()
    record.write_text("\n".join([first, *lines[:3], lines[3][:7]]))
    calls = []
    again = le.replicate(
        lambda rng: calls.append(1) or normal(rng), repetitions=5, rng=np.random.default_rng(1), record=record
    )
    assert (again, len(calls)) == (alone, 2)
    assert len(record.read_text().splitlines()) == 6
    assert le.replicate(None.__class__, repetitions=5, rng=np.random.default_rng(1), record=record) == alone


def test_a_record_may_be_in_any_order_and_cut_anywhere(tmp_path):
    """Workers finish in any order, and a run may be killed while it writes its first line."""
    record = tmp_path / "run.jsonl"
    alone = le.replicate(normal, repetitions=3, rng=np.random.default_rng(1), record=record)
    text = record.read_text()
    first, *lines = text.splitlines(keepends=True)
    for cut in ("", first[:9], first[:-1], first + "".join(lines[::-1])):
        record.write_text(cut)
        assert le.replicate(normal, repetitions=3, rng=np.random.default_rng(1), record=record) == alone
    record.write_text(text)
    with pytest.raises(ValueError, match=r"^record must hold results of this run: .*PCG64.*, not with .*MT19937"):
        le.replicate(normal, repetitions=3, rng=np.random.Generator(np.random.MT19937(1)), record=record)
    one, two = np.random.default_rng(0).spawn(2)
    le.replicate(normal, repetitions=3, rng=one, record=tmp_path / "child")
    with pytest.raises(ValueError, match=r"^record must hold results of this run"):
        le.replicate(normal, repetitions=3, rng=two, record=tmp_path / "child")
    for broken in ("no result\n", "[1]\n"):
        record.write_text(first + broken)
        with pytest.raises(ValueError, match=r"^record must hold results of this run: .*run\.jsonl, line 2 is damaged"):
            le.replicate(normal, repetitions=3, rng=np.random.default_rng(1), record=record)
        assert record.read_text() == first + broken


def test_a_finished_record_is_left_as_it_is(tmp_path, capsys):
    """And the bar starts at its end."""
    record = tmp_path / "run.jsonl"
    le.replicate(normal, repetitions=3, rng=np.random.default_rng(1), record=record)
    before = record.stat().st_mtime_ns
    le.replicate(normal, repetitions=3, rng=np.random.default_rng(1), record=record, progress=True)
    assert record.stat().st_mtime_ns == before
    assert "3/3" in capsys.readouterr().err


def test_a_killed_process_loses_nothing_that_was_done(tmp_path):
    """The fifth repetition waits for an answer that never comes; the run is killed, and the next one starts there."""
    record = tmp_path / "run.jsonl"
    script = (
        "import numpy as np, leaderboard_edu as le\ncalls = []\n"
        "def stuck(rng):\n    calls.append(1)\n    return rng.normal() if len(calls) < 5 else input('now')\n"
        f"le.replicate(stuck, repetitions=9, rng=np.random.default_rng(1), record={str(record)!r})"
    )
    command = [sys.executable, "-u", "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.read(3) == b"now"
        process.kill()
    calls = []

    def quick(rng):
        calls.append(1)
        return rng.normal()

    results = le.replicate(quick, repetitions=9, rng=np.random.default_rng(1), record=record)
    assert results == [rng.normal() for rng in np.random.default_rng(1).spawn(9)]
    assert len(calls) == 5


def test_a_refused_call_draws_nothing(tmp_path):
    """The generator is as before, so that the next call gives what it would have given."""
    rng = np.random.default_rng(1)
    (tmp_path / "other").write_text("no record")
    for options in ({"n_jobs": 0}, {"n_jobs": "two"}, {"record": tmp_path / "other"}):
        with pytest.raises(ValueError, match=r"^(n_jobs|record) must"):
            le.replicate(normal, repetitions=2, rng=rng, **options)
    assert le.replicate(normal, repetitions=np.int64(2), rng=rng, record=tmp_path / "new") == le.replicate(
        normal, repetitions=2, rng=np.random.default_rng(1)
    )


def test_a_record_of_another_run_is_refused(tmp_path):
    record = tmp_path / "run.jsonl"
    le.replicate(normal, repetitions=2, rng=np.random.default_rng(1), record=record)
    before = record.read_text()
    for repetitions, seed in ((3, 1), (2, 2)):
        with pytest.raises(ValueError, match=r"^record must hold results of this run"):
            le.replicate(normal, repetitions=repetitions, rng=np.random.default_rng(seed), record=record)
    assert record.read_text() == before
    assert json.loads(before.splitlines()[0])["repetitions"] == 2


def test_progress_is_shown(capsys):
    le.replicate(normal, repetitions=3, rng=np.random.default_rng(1), progress=True)
    assert "3/3" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda d: le.split_sample(np.eye(5), np.arange(5), rng=np.random.default_rng(0)),
            "response must have at least",
        ),
        (lambda d: le.split_sample(np.eye(6), np.ones(6), rng=np.random.default_rng(0)), "response must vary in each"),
        (lambda d: le.split_sample(np.eye(7), np.arange(6), rng=np.random.default_rng(0)), "features must have 6 rows"),
        (lambda d: le.simulate_design(n=3, p=2, correlation=2, rng=np.random.default_rng(0)), "correlation must be"),
        (lambda d: le.linear_predictions(d.training, d.public.features, columns=range(20)), "columns must be fewer"),
        (
            lambda d: le.linear_predictions(d.training, d.public.features, columns=[40]),
            "columns must be whole",
        ),
        (
            lambda d: le.linear_predictions(d.training, d.public.features, columns=None),
            "columns must be whole",
        ),
        (lambda d: le.linear_predictions(d.training, [[1.0]], columns=[0]), "features must have 40"),
        (
            lambda d: le.linear_predictions(d.training, [["1"] * 40], columns=[0]),
            "features must be a matrix of numbers",
        ),
        (
            lambda d: le.linear_predictions(tuple(d.training), d.public.features, columns=[0]),
            "training must be a leader",
        ),
        (lambda d: d.with_features([]), "columns must not be empty"),
        (lambda d: d.with_features([-1]), "columns must be whole numbers from 0 to 39, got"),
        (lambda d: le.simulate_step_forward(None, iterations=1), "data must be a leaderboard_edu.ChallengeData"),
        (
            lambda d: le.step_forward_attack(len, **sets(d), iterations=1, accepted=0),
            "accepted must be callable, got 0",
        ),
        (lambda d: le.last_jump([1.0], shown=math.nan), "shown must be a finite number or infinity, got nan"),
        (lambda d: le.freedman_attack(len, **sets(d), top=41), "top must be at most the number of features, 40"),
        (lambda d: le.freedman_attack(len, **sets(d), top=20), "top must be less than the 20 training rows, got 20"),
        (lambda d: le.step_forward_attack(len, **sets(d), iterations=41), "iterations must be at most the number"),
        (
            lambda d: le.step_forward_attack(len, **sets(d), iterations=20),
            "iterations must be less than the 20 training",
        ),
        (lambda d: le.averaging_attack(len, **sets(d), iterations=1, repeats=0), "repeats must be a whole number"),
        (lambda d: le.simulate_step_forward(d, iterations=20), "iterations must be less than the 20 training rows"),
        (lambda d: le.simulate_step_forward(d, iterations=1, alpha=1), "alpha must be above 0"),
        (lambda d: le.simulate_step_forward(d, iterations=1, n_bootstrap=0), "n_bootstrap must be a whole number"),
        (lambda d: le.simulate_step_forward(d, iterations=1, n_bootstrap=1), "rng must be a numpy.random.Generator"),
        (lambda d: le.simulate_step_forward(d, iterations=1, n_bootstrap=10**13), "n_bootstrap must be at most"),
        (lambda d: le.simulate_freedman(d, mechanism=None, top=1), "mechanism must be callable"),
        (lambda d: le.simulate_freedman(d, mechanism=lambda y: None, top=1), "mechanism must return a Mechanism, got"),
        (lambda d: le.ChallengeData(d.training, d.public, None), "final must be a leaderboard_edu.Sample, got None"),
        (
            lambda d: le.ChallengeData(d.training, le.Sample(d.public.features[:, 1:], d.public.response), d.final),
            "public.features must have 40 columns, got 39",
        ),
        (
            lambda d: le.ChallengeData(d.training, d.public, le.Sample(d.final.features, d.final.response * np.nan)),
            "final.response must be finite, got nan",
        ),
        (
            lambda d: le.simulate_step_forward(
                le.ChallengeData(d.training, le.Sample(d.public.features[:1], [0.0]), d.final), iterations=1
            ),
            "labels must have at least 2 entries for a paired test, got 1",
        ),
        (
            lambda d: le.step_forward_attack(lambda _: 1.0, **sets(d), iterations=1, accepted=lambda: None),
            "accepted must return a number, got None",
        ),
        (lambda d: le.simulate_freedman(d.public, mechanism=len, top=1), "data must be a leaderboard_edu.Challenge"),
        (lambda d: le.last_jump([1, 2], jumps=3), "jumps must be at most the number of releases, 2, got 3"),
        (lambda d: le.replicate(3, repetitions=1, rng=np.random.default_rng(0)), "experiment must be callable"),
        (lambda d: le.replicate(normal, repetitions=0, rng=np.random.default_rng(0)), "repetitions must be a whole"),
    ],
)
def test_bad_input_names_the_argument(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call(challenge(0))
