from otter.test_files import test_case

OK_FORMAT = False

name = "q4"
points = 5


@test_case(points=None, hidden=False)
def test_ten_labels(climb):
    labels = [1, 0, 1, 1, 0, 1, 1, 0, 1, 1]
    for p, q, most, limit, reason in [
        (
            1,
            1,
            1,
            46,
            "two wrong labels are accepted, 4 > 2, and one alone is a tie",
        ),
        (1, 2, 0, 11, "a single label is accepted for c < 1"),
    ]:
        last, made = ([], [])

        def submit(vector, labels=labels, p=p, q=q, last=last, made=made):
            made.append([int(label) for label in vector])
            new = [a != b for a, b in zip(made[-1], labels, strict=True)]
            old = last[-1] if last else new
            g = sum((a > b for a, b in zip(old, new, strict=True)))
            b = sum((a < b for a, b in zip(old, new, strict=True)))
            gain = (g - b) ** 2 * (9 * q * q + p * p) > p * p * 10 * (g + b)
            if not last or (g > b and gain):
                last.append(new)
            return sum(last[-1]) / 10

        found = [int(label) for label in climb(submit, 10, p, q)]
        wrong = sum((a != b for a, b in zip(found, labels, strict=True)))
        assert wrong <= most, (
            f"with c = {p}/{q} at most {most} of 10 labels may stay wrong, you leave {wrong}: {reason}"
        )
        assert len(made) <= limit, (
            f"with c = {p}/{q} at most {limit} submissions are allowed, you make {len(made)}: no group must be tried twice"
        )
