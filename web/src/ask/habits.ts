/** The choices of this person in the palette, kept in this browser: frequent and recent ones come first. */

/** How often something was chosen, fading with time, and when it was chosen last. */
export interface Habit {
  readonly count: number;
  readonly at: number;
}

const KEY = 'aside.palette';
/** Choices that are kept; of more, the oldest go. */
const MOST = 200;
/** Milliseconds in which a choice loses half of its weight. */
const HALF_LIFE = 7 * 24 * 3600_000;
/** Points of something that is chosen all the time: enough to win among similar names, too few to beat an exact one. */
const MOST_POINTS = 60;

export type Habits = ReadonlyMap<string, Habit>;

/** Reads the habits; none if they can't be read. */
export function readHabits(): Habits {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const entries = Object.entries(typeof kept === 'object' && kept !== null ? kept : {});
    return new Map(entries.filter((entry): entry is [string, Habit] => isHabit(entry[1])));
  } catch {
    return new Map();
  }
}

/** Keeps that something was chosen now. */
export function keepChoice(id: string, now = Date.now()): void {
  const habits = after(readHabits(), id, now);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(habits)));
  } catch {
    // A browser without storage ranks by names alone.
  }
}

/** The habits after one more choice. Pure. */
export function after(habits: Habits, id: string, now: number): Habits {
  const rest = [...habits].filter(([known]) => known !== id).sort(([, one], [, two]) => two.at - one.at);
  const count = faded(habits.get(id), now) + 1;
  return new Map([[id, { count, at: now }], ...rest.slice(0, MOST - 1)]);
}

/** The points of an entry for how often and how recently it was chosen. Pure. */
export function points(habits: Habits, id: string, now: number): number {
  const weight = faded(habits.get(id), now);
  return MOST_POINTS * (1 - 1 / (1 + weight));
}

function faded(habit: Habit | undefined, now: number): number {
  if (!habit) return 0;
  return habit.count * 0.5 ** (Math.max(0, now - habit.at) / HALF_LIFE);
}

function isHabit(value: unknown): value is Habit {
  const { count, at } = (value ?? {}) as Partial<Habit>;
  return typeof count === 'number' && count > 0 && typeof at === 'number';
}
