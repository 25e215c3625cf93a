from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../fano_lower_bound.ipynb#fano-s-inequality'>Fano&#x27;s inequality</a>.",
)
def test_both_ends(least_error):
    for information, k, value, reason, mistakes in [
        (
            0,
            2,
            1 / 2,
            "without information nothing is better than a blind guess",
            [
                (0, "the weaker form gives this"),
                (0.227092, "you have ln k where ln(k - 1) should stand"),
            ],
        ),
        (
            0,
            5,
            4 / 5,
            "a blind guess among k is right with probability 1/k",
            [
                (0.569323, "you give the weaker form"),
                (0.576654, "you have ln k where ln(k - 1) should stand"),
                (
                    1,
                    "you search up to p = 1, and the left side falls after 1 - 1/k",
                ),
                (
                    1 / 5,
                    "this is the chance to be right, and p is that to be wrong",
                ),
            ],
        ),
        (
            3,
            5,
            0,
            "3 nats are more than ln 5, so the inequality allows p = 0",
            [],
        ),
    ]:
        mine = least_error(information, k)
        assert mine is not None, (
            f"least_error({information}, {k}) should be {value}: {reason}; you return None"
        )
        for number, mistake in mistakes:
            reason = mistake if abs(mine - number) < 1e-05 else reason
        assert abs(mine - value) < 1e-06, (
            f"least_error({information}, {k}) should be {value}: {reason}; you return {mine}"
        )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../fano_lower_bound.ipynb#entropy-and-divergence'>Entropy and divergence</a>.",
)
def test_half_a_nat(least_error):
    mine, reason = (least_error(0.5, 2), "h(p) = ln 2 - 0.5 for this p")
    assert mine is not None, (
        f"least_error(0.5, 2) should be 0.0481887: {reason}; you return None"
    )
    for number, mistake in [
        (0, "the weaker form says nothing for k = 2"),
        (
            0.029752,
            "you measure the entropy h in bits, and the information is in nats",
        ),
        (
            0.110028,
            "you take all logarithms in bits, and the information is in nats",
        ),
        (0.03935, "you have ln k where ln(k - 1) should stand"),
    ]:
        reason = mistake if abs(mine - number) < 1e-05 else reason
    assert abs(mine - 0.048188745844) < 1e-06, (
        f"least_error(0.5, 2) should be 0.0481887: {reason}; you return {mine}"
    )
