from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../parameter_free_ladder.ipynb#where-swaps-stall-and-pairs-do-not'>Where swaps stall, and pairs do not</a>.",
)
def test_ten_labels(climb):
    for n, p, q, most, limit, reason, mistakes in [
        (
            10,
            1,
            1,
            1,
            46,
            "two wrong labels are accepted, 4 > 2, and one alone is a tie",
            {
                7: "this is as good as all zeros; one label at a time is never accepted with c = 1",
                3: "do you keep a flip that the board refused, which shows the last release again whatever harm was done, or do you try some of the pairs only?",
            },
        ),
        (
            10,
            1,
            2,
            0,
            11,
            "a single label is accepted for c < 1",
            {
                1: "a single label is accepted for c < 1, and pairs leave one label wrong"
            },
        ),
        (
            8,
            3,
            2,
            1,
            29,
            "2 * (4 * 7 + 9) > 9 * 8, so two labels are enough",
            {
                2: "three labels at a time, a bound on the least number, leave two; but two at a time are enough here: 2 * (4 * 7 + 9) > 9 * 8"
            },
        ),
    ]:
        labels = [1, 0, 1, 1, 0, 1, 1, 0, 1, 1][:n]
        last, made = ([], [])

        def submit(
            vector, n=n, labels=labels, p=p, q=q, last=last, made=made
        ):
            made.append([int(label) for label in vector])
            new = [a != b for a, b in zip(made[-1], labels, strict=True)]
            old = last[-1] if last else new
            g = sum((a > b for a, b in zip(old, new, strict=True)))
            b = sum((a < b for a, b in zip(old, new, strict=True)))
            gain = (g - b) ** 2 * (q * q * (n - 1) + p * p) > p * p * n * (
                g + b
            )
            if not last or (g > b and gain):
                last.append(new)
            return sum(last[-1]) / n

        found = climb(submit, n, p, q)
        assert found is not None, (
            f"climb should return a vector of n = {n} labels; you return None"
        )
        pairs = zip(found, labels, strict=True)
        wrong = sum((int(a) != b for a, b in pairs))
        assert wrong <= most, (
            f"with c = {p}/{q} at most {most} of {n} labels may stay wrong, you leave {wrong}: {mistakes.get(wrong, reason)}"
        )
        guess = "no group need be larger than can be accepted, and none is tried twice"
        if len(made) == 115:
            guess = "you begin anew after each success, and a group that was refused is refused for ever"
        assert len(made) <= limit, (
            f"with c = {p}/{q} and n = {n} at most {limit} submissions are allowed, you make {len(made)}: {guess}"
        )
