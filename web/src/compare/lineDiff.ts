// The difference of two long texts: lines first, then the letters of lines that changed. CodeMirror's own goes by letters and
// gives up in a long text, so that all of it is one change, which it then draws anew with every scroll. Pure.
import { Change, diff } from '@codemirror/merge';

/** Characters of a changed part, both sides together, that are compared by letter. */
const LETTERS = 4000;

/** Lines that are inserted or deleted in a part without a unique line before it counts as changed whole. */
const STEPS = 400;

/** Lines from a number up to another one, in both texts. */
interface Part {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/** Returns the changes from one text to another, in order. */
export function lineDiff(a: string, b: string): readonly Change[] {
  const [linesA, linesB] = [a.split('\n'), b.split('\n')];
  const [startsA, startsB] = [startsOf(linesA), startsOf(linesB)];
  return changedLines(linesA, linesB).flatMap((part) => {
    const { fromA, toA, fromB, toB } = charactersOf(part, startsA, startsB);
    if (toA - fromA + (toB - fromB) > LETTERS) return [new Change(fromA, toA, fromB, toB)];
    const letters = diff(a.slice(fromA, toA), b.slice(fromB, toB), { scanLimit: 500 });
    return letters.map(
      (each) => new Change(each.fromA + fromA, each.toA + fromA, each.fromB + fromB, each.toB + fromB),
    );
  });
}

/** Returns the ranges of lines that differ, in order. */
export function changedLines(a: readonly string[], b: readonly string[]): Part[] {
  const [one, two] = numbered(a, b);
  const changed: Part[] = [];
  // A stack in place of recursion: a text may have as many anchors as lines. The first part is the last on it.
  const open: Part[] = [{ fromA: 0, toA: one.length, fromB: 0, toB: two.length }];
  for (let part = open.pop(); part; part = open.pop()) {
    const rest = trimmed(one, two, part);
    if (rest.fromA === rest.toA && rest.fromB === rest.toB) continue;
    if (rest.fromA === rest.toA || rest.fromB === rest.toB) {
      changed.push(rest);
      continue;
    }
    const between = partsBetween(rest, anchors(one, two, rest));
    if (between.length > 1) open.push(...between.reverse());
    else changed.push(...(shortest(one, two, rest) ?? [rest]));
  }
  return changed;
}

/** Lines as numbers, equal ones with equal numbers. */
function numbered(a: readonly string[], b: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  };
  return [Int32Array.from(a, numberOf), Int32Array.from(b, numberOf)];
}

/** A part without the lines that both sides begin and end with. */
function trimmed(a: Int32Array, b: Int32Array, { fromA, toA, fromB, toB }: Part): Part {
  let [startA, startB, endA, endB] = [fromA, fromB, toA, toB];
  while (startA < endA && startB < endB && a[startA] === b[startB]) [startA, startB] = [startA + 1, startB + 1];
  while (startA < endA && startB < endB && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  return { fromA: startA, toA: endA, fromB: startB, toB: endB };
}

type Pair = readonly [a: number, b: number];

/** The lines that are there once on each side, as far as they stand in the same order. */
function anchors(a: Int32Array, b: Int32Array, { fromA, toA, fromB, toB }: Part): Pair[] {
  const [onceA, onceB] = [once(a, fromA, toA), once(b, fromB, toB)];
  const pairs = [...onceA].flatMap(([line, at]): Pair[] => {
    const other = onceB.get(line);
    return at >= 0 && other !== undefined && other >= 0 ? [[at, other]] : [];
  });
  return increasing(pairs);
}

/** The place of each line; -1 of one that is there more than once. */
function once(lines: Int32Array, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? -1;
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

/** The longest run of pairs, in order of the first text, that is in order in the second one as well. */
function increasing(pairs: readonly Pair[]): Pair[] {
  // The last pair of the best run of each length, and the pair before each pair in its run.
  const ends: number[] = [];
  const before = new Int32Array(pairs.length);
  pairs.forEach(([, b], at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < b) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = at;
  });
  const run: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) run.push(pair);
  }
  return run.reverse();
}

/** The parts before, between and after anchors. */
function partsBetween({ fromA, toA, fromB, toB }: Part, pairs: readonly Pair[]): Part[] {
  const parts: Part[] = [];
  let [startA, startB] = [fromA, fromB];
  for (const [a, b] of [...pairs, [toA, toB] as const]) {
    parts.push({ fromA: startA, toA: a, fromB: startB, toB: b });
    [startA, startB] = [a + 1, b + 1];
  }
  return parts;
}

/** The shortest way from one side of a part to the other (Myers); null if it has too many steps. */
function shortest(a: Int32Array, b: Int32Array, part: Part): Part[] | null {
  const [n, m] = [part.toA - part.fromA, part.toB - part.fromB];
  const most = Math.min(n + m, STEPS);
  const reach = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let steps = 0; steps <= most; steps++) {
    trace.push(reach.slice());
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const at = most + 1 + diagonal;
      const [left, right] = [reach[at - 1] ?? 0, reach[at + 1] ?? 0];
      let x = diagonal === -steps || (diagonal !== steps && left < right) ? right : left + 1;
      while (x < n && x - diagonal < m && a[part.fromA + x] === b[part.fromB + x - diagonal]) x++;
      reach[at] = x;
      if (x >= n && x - diagonal >= m) return walkedBack(part, trace, most);
    }
  }
  return null;
}

/** The changes of a found way, from its steps. */
function walkedBack({ fromA, toA, fromB, toB }: Part, trace: readonly Int32Array[], most: number): Part[] {
  const parts: Part[] = [];
  let [x, y] = [toA - fromA, toB - fromB];
  for (let steps = trace.length - 1; steps > 0; steps--) {
    const reach = trace[steps];
    const at = most + 1 + x - y;
    const [left, right] = [reach?.[at - 1] ?? 0, reach?.[at + 1] ?? 0];
    const inserted = x - y === -steps || (x - y !== steps && left < right);
    const beforeX = inserted ? right : left;
    const beforeY = beforeX - (x - y + (inserted ? 1 : -1));
    const part = {
      fromA: fromA + beforeX,
      toA: fromA + beforeX + (inserted ? 0 : 1),
      fromB: fromB + beforeY,
      toB: fromB + beforeY + (inserted ? 1 : 0),
    };
    const next = parts.at(-1);
    // Steps without an equal line between them are one change.
    if (next && next.fromA === part.toA && next.fromB === part.toB) {
      parts[parts.length - 1] = { ...part, toA: next.toA, toB: next.toB };
    } else parts.push(part);
    [x, y] = [beforeX, beforeY];
  }
  return parts.reverse();
}

/** Where each line begins, and where one after the last would. */
function startsOf(lines: readonly string[]): Int32Array {
  const starts = new Int32Array(lines.length + 1);
  lines.forEach((line, at) => {
    starts[at + 1] = (starts[at] ?? 0) + line.length + 1;
  });
  return starts;
}

/** The characters of some lines. The last line has no end of its own: lines after it begin with the one before. */
function charactersOf({ fromA, toA, fromB, toB }: Part, startsA: Int32Array, startsB: Int32Array): Change {
  const [endA, endB] = [startsA.length - 1, startsB.length - 1];
  const isAfter = fromA === endA || fromB === endB;
  const isLast = toA === endA || toB === endB;
  const place = (starts: Int32Array, line: number, back: boolean) => (starts[line] ?? 0) - (back ? 1 : 0);
  return new Change(
    place(startsA, fromA, isAfter),
    place(startsA, toA, isLast),
    place(startsB, fromB, isAfter),
    place(startsB, toB, isLast),
  );
}
