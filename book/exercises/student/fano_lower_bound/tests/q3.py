from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../fano_lower_bound.ipynb#mutual-information'>Mutual information</a>.",
)
def test_a_needle_that_never_errs(needle_information):
    for n, k, value, reason, mistakes in [
        (
            1,
            2,
            0.34657359028,
            "(ln 2)/2, since the other classifier is wrong half of the time, which tells everything then and nothing otherwise",
            [
                (
                    0.693147,
                    "this is n d(epsilon), the divergence from fair coins and not from the mixture; here it is also ln k, all that there is to know",
                ),
                (0.5, "this is in bits"),
            ],
        ),
        (
            2,
            2,
            0.51986038542,
            "3/4 of ln 2, since the other classifier is wrong at least once with probability 3/4",
            [
                (
                    0.693147,
                    "you add up what single points tell, and the second one may tell what is known from the first",
                ),
                (1.386294, "this is n d(epsilon)"),
                (0.75, "this is in bits"),
            ],
        ),
        (
            1,
            3,
            0.477385626221,
            "none, one or both of the other two are wrong with probabilities 1/4, 1/2, 1/4, and 3, 2 or 1 candidates are left",
            [
                (
                    0.549306,
                    "you look at the needle and at one other classifier only",
                ),
                (0.693147, "this is n d(epsilon)"),
                (0.688722, "this is in bits"),
            ],
        ),
    ]:
        mine = needle_information(n, k, 0.5)
        assert mine is not None, (
            f"needle_information({n}, {k}, 0.5) should be {value}; you return None"
        )
        for number, mistake in mistakes:
            reason = mistake if abs(mine - number) < 1e-05 else reason
        assert abs(mine - value) < 1e-09, (
            f"needle_information({n}, {k}, 0.5) should be {value}: {reason}; you return {mine}"
        )
