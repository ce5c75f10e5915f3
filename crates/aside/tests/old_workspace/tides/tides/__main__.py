"""Print today's high waters: `python -m tides`."""

from datetime import datetime

from . import HARBOUR, high_water, total

HALF_DAY = 12.42


def main():
    now = datetime.now()
    year = datetime(now.year, 1, 1)
    hours = (now - year).total_seconds() / 3600
    for window in range(2):
        start = hours + window * HALF_DAY
        when = high_water(HARBOUR, start, start + HALF_DAY)
        print(f"high water in {when - hours:4.1f} h: {total(HARBOUR, when):+.2f} m")


if __name__ == "__main__":
    main()
