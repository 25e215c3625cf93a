from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 6
all_or_nothing = True


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../tree_compression.ipynb#writing-a-node-in-few-bits'>Writing a node in few bits</a>.",
)
def test_three_nodes(shortest_code):
    code = shortest_code(1, 2)
    assert code is not None, (
        "shortest_code(1, 2) should return two functions, encode and decode; you return None"
    )
    encode, decode = code
    nodes = [(), (0,), (1,)]
    words = [encode(node) for node in nodes]
    longest = max(len(word) for word in words)
    reason = "so each word should have 2 bits"
    if longest > 4:
        reason = "and 2 bits tell them apart: a code with fields for depth, steps and levels works, but number the nodes"
    assert [len(word) for word in words] == [2, 2, 2], (
        f"with m = 1 and k = 2 there are 3 nodes, {reason}; your words are {words}"
    )
    shared = {
        (
            0,
            1,
        ): "is the node above the subtrees not passed over, or is the depth lost, since a short history is filled up with level 0",
        (
            0,
            2,
        ): "is the depth lost, since a short history is filled up to a long one",
    }
    for (i, j), guess in shared.items():
        assert words[i] != words[j], (
            f"each node should have its own word, also (), at which nothing is released; {nodes[i]} and {nodes[j]} share {words[i]}: {guess}?"
        )
    assert len(set(words)) == 3, (
        f"each node should have its own word; your words are {words}"
    )
    back = [tuple(decode(word)) for word in words]
    assert back == nodes, (
        f"decoding should give back {nodes}; you return {back}"
    )


@test_case(
    points=0,
    hidden=False,
    failure_message="See <a href='../../../tree_compression.ipynb#counting-exactly'>Counting exactly</a>.",
)
def test_four_nodes(shortest_code):
    code = shortest_code(2, 2)
    assert code is not None, (
        "shortest_code(2, 2) should return two functions, encode and decode; you return None"
    )
    lengths = [len(code[0](node)) for node in [(), (0,), (1,), (2,)]]
    mistakes = {
        3: "the numbers 0, 1, 2, 3 have two bits, and only the number of nodes itself has three"
    }
    reason = "two bits tell four nodes apart"
    assert lengths == [2, 2, 2, 2], (
        f"with m = 2 and k = 2 there are 4 nodes, so each word should have 2 bits: {mistakes.get(lengths[0], reason)}; your words have {lengths}"
    )
