from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 4
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../parameter_free_ladder.ipynb#against-random-submissions'>Against random submissions</a>.",
)
def test_two_to_four_labels(acceptance):
    for n, w, ways, reason, mistakes in [
        (
            2,
            2,
            1,
            "only both labels put right, 4 > 2",
            {
                0: "g comes from the w wrong labels, b from the others",
                3: "you accept ties, and one label put right is a tie",
                2: "this is what the normal law gives, and the answer must be exact",
            },
        ),
        (
            2,
            1,
            0,
            "one label put right is a tie, and a tie is refused",
            {1: "you accept ties"},
        ),
        (3, 3, 4, "2 or 3 labels put right: 3 vectors and 1", {}),
        (3, 0, 0, "nothing is better than a loss of 0", {}),
        (
            4,
            3,
            4,
            "2 or 3 labels put right and none broken: 3 vectors and 1",
            {
                5: "you take g + b for n/2, as it is on average only",
                8: "you accept ties",
            },
        ),
    ]:
        mine = acceptance(n, w)
        assert mine is not None, (
            f"acceptance({n}, {w}) should be {ways}/{2**n}: {reason}; you return None"
        )
        mine *= 2**n
        assert mine == ways, (
            f"acceptance({n}, {w}) should be {ways}/{2**n}, you return {mine}/{2**n}: {mistakes.get(mine, reason)}"
        )
