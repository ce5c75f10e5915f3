import math
import unittest

from tides.harmonics import HARBOUR, Constituent, high_water, total


class TidesTest(unittest.TestCase):
    def test_never_higher_than_all_amplitudes_together(self):
        limit = sum(one.amplitude for one in HARBOUR)
        for hours in range(0, 24 * 30):
            self.assertLessEqual(abs(total(HARBOUR, hours)), limit)

    def test_phase_is_in_degrees(self):
        """A phase of 90 degrees puts high water a quarter of a period later. Fails: find out why."""
        one = [Constituent("test", 1.0, 12.0, 90.0)]
        self.assertTrue(math.isclose(high_water(one, 0, 12), 3.0, abs_tol=0.11))


if __name__ == "__main__":
    unittest.main()
