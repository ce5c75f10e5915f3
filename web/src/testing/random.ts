/** A repeatable source of chance for tests of properties. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed * 2654435761 + 1;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    const mixed = [...items];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [mixed[last], mixed[other]] = [mixed[other] as Item, mixed[last] as Item];
    }
    return mixed;
  }
}

/** Runs a check with many seeds; the seed that fails is in the message. */
export function forSeeds(count: number, check: (random: Random) => void): void {
  for (let seed = 1; seed <= count; seed++) {
    try {
      check(new Random(seed));
    } catch (problem) {
      throw new Error(`seed ${seed}: ${problem instanceof Error ? problem.message : String(problem)}`, {
        cause: problem,
      });
    }
  }
}
