import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
from rates.window import largest


class TestLargest:
    @pytest.fixture
    def test_data(self):
        return [-3, -2]

    def test_negative(self, test_data):
        assert largest(test_data) == -2

    def test_empty(self):
        with pytest.raises(ValueError):
            largest([])
