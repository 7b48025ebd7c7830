import sys
import unittest

sys.path.insert(0, "/app")


class Labels(unittest.TestCase):
    def test_show(self):
        from rates.show import show

        self.assertEqual(show(2.5, "EUR"), "2.50 EUR")

    def test_label(self):
        from rates.convert import label

        self.assertEqual(label(1, "JPY"), "1.00 JPY")
