from seats.booking import summary, taken


def test_neighbours_make_one_block():
    assert summary([(1, 4), (8, 9), (5, 7)], []) == "9 seats in 1 blocks: 1-9"


def test_apart():
    assert summary([(1, 2), (6, 7)], []) == "4 seats in 2 blocks: 1-2, 6-7"


def test_returned():
    assert summary([(1, 9)], [(4, 5)]) == "7 seats in 2 blocks: 1-3, 6-9"


def test_taken():
    assert 5 in taken([(5, 5)], [])
