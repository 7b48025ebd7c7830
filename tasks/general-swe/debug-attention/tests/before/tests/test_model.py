from model import means


def test_shape():
    assert len(means(7, 12, 3, 5)) == 12


def test_another_shape():
    assert len(means(5, 8, 2, 1)) == 8
