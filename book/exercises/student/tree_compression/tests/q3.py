from otter.test_files import test_case

OK_FORMAT = False

name = "q3"
points = 6


@test_case(points=None, hidden=False)
def test_three_nodes(shortest_code):
    encode, decode = shortest_code(1, 2)
    nodes = [(), (0,), (1,)]
    words = [encode(node) for node in nodes]
    assert sorted(len(word) for word in words) == [2, 2, 2], (
        f"with m = 1 and k = 2 there are 3 nodes, so each word should have 2 bits; your words are {words}"
    )
    assert len(set(words)) == 3, (
        f"each node should have its own word: also (), at which nothing is released; your words are {words}"
    )
    back = [tuple(decode(word)) for word in words]
    assert back == nodes, (
        f"decoding should give back {nodes}; you return {back}"
    )
