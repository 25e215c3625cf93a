from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../rank_attack.ipynb#check-yourself'>Check yourself</a>.",
)
def test_a_quiet_board_and_two_busy_ones(read_labels):
    for labels, arrivals, board in [
        ((0, 1, 1, 0), 0, "a quiet board"),
        (
            (1, 0, 1, 0),
            1,
            "a board with one rival before each of your submissions",
        ),
        (
            (0, 1, 0, 1),
            2,
            "a board with two rivals before each of your submissions",
        ),
    ]:
        reached, made, rivals, first = ({}, [], [], [])

        def submit(
            account,
            vector,
            labels=labels,
            arrivals=arrivals,
            reached=reached,
            made=made,
            rivals=rivals,
            first=first,
        ):
            while made and len(rivals) < min(len(made) * arrivals, 40):
                rivals.append(len(rivals))
                reached["rival", len(rivals)] = (0, -len(rivals))
            if not made:
                first.extend(int(label) for label in vector)
            made.append(account)
            pairs = zip(vector, labels, strict=True)
            wrong = sum((int(a) != b for a, b in pairs))
            entry = (wrong, len(made))
            reached[account] = min(reached.get(account, entry), entry)
            mine = reached[account]
            return sum(other <= mine for other in reached.values())

        found = read_labels(submit, 4)
        assert found is not None, (
            "read_labels should return the n labels, it returns None"
        )
        found = [int(label) for label in found]
        assert made, "read_labels makes no submission"
        why = "a rank can grow between two answers"
        if found == first:
            why = (
                "you return your first vector, so no flip looked right. A rank that was answered earlier is out of date: others have come in front since"
                if arrivals
                else "you return your first vector, so no flip looked right. Nobody else submits here: a chaser that comes in front gets the very rank that the leader had"
            )
        elif found == [1 - label for label in first]:
            why = (
                "you return your first vector with all labels flipped, so every flip looked right. Between the two answers that you compare, others have come in front of both accounts, and only the later answer shows it"
                if arrivals
                else "you return your first vector with all labels flipped, so every flip looked right"
            )
        assert found == list(labels), (
            f"the labels of {board} are {list(labels)}, you return {found}: {why}"
        )
        limit = 13 + 2 * len(rivals)
        assert len(made) <= limit, (
            f"{board} allows 3n + 2s + 1 = {limit} submissions, you make {len(made)}"
        )
        assert len(set(made)) <= 2, (
            f"use two accounts, not {len(set(made))}"
        )
