from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 5


@test_case(points=None, hidden=False)
def test_a_quiet_board_and_a_rival(read_labels):
    for labels, busy in [((0, 1, 1, 0), False), ((1, 1, 0, 1), True)]:
        fewest, order, made, rivals = ({}, [], [], [])

        def place(name, wrong, fewest=fewest, order=order):
            if wrong < fewest.get(name, 99):
                if name in fewest:
                    order.remove(name)
                fewest[name] = wrong
                ahead = sum(fewest[other] <= wrong for other in order)
                order.insert(ahead, name)

        def submit(
            account,
            vector,
            labels=labels,
            busy=busy,
            order=order,
            made=made,
            rivals=rivals,
            place=place,
        ):
            if busy and len(made) % 3 == 2 and (len(rivals) < 9):
                rivals.append(len(rivals))
                place(("rival", rivals[-1]), len(rivals) % 4)
            made.append(account)
            pairs = zip(vector, labels, strict=True)
            place(account, sum((int(a) != b for a, b in pairs)))
            return order.index(account) + 1

        found = [int(label) for label in read_labels(submit, 4)]
        board = "a busy board" if busy else "a quiet board"
        assert found == list(labels), (
            f"the labels of {board} are {list(labels)}, you return {found}: others can push a rank back between two answers"
        )
        limit = 13 + 2 * len(rivals)
        assert len(made) <= limit, (
            f"{board} allows 3n + 2s + 1 = {limit} submissions, you make {len(made)}"
        )
        assert len(set(made)) <= 2, "use two accounts"
