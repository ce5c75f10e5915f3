/** Which lines of a text are gone and which are new. Pure. */

/** A line of both texts, or of one; or words that stand for lines of both that are left out. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new' | 'gap';
  readonly text: string;
}

/** Beyond so many pairs of lines the middle is shown as a whole. */
const MOST_PAIRS = 4_000_000;
/** Lines around a change. */
const AROUND = 3;

/** The lines of two texts, one after the other; of a long piece that is the same only its edges. None if the texts are the same. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [split(before), split(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = between(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  return shortened([...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))]);
}

function split(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** By the longest common run of lines. */
function between(old: string[], now: string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ kind: 'gone', text });
  const fresh = (text: string): DiffLine => ({ kind: 'new', text });
  if (old.length * now.length > MOST_PAIRS) return [...old.map(gone), ...now.map(fresh)];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let one = old.length - 1; one >= 0; one -= 1) {
    for (let two = now.length - 1; two >= 0; two -= 1) {
      const at = one * width + two;
      common[at] =
        old[one] === now[two]
          ? (common[at + width + 1] ?? 0) + 1
          : Math.max(common[at + width] ?? 0, common[at + 1] ?? 0);
    }
  }
  const lines: DiffLine[] = [];
  let [one, two] = [0, 0];
  while (one < old.length || two < now.length) {
    const [left, right] = [old[one], now[two]];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      one += 1;
      two += 1;
    } else if (
      right === undefined ||
      (left !== undefined && (common[(one + 1) * width + two] ?? 0) >= (common[one * width + two + 1] ?? 0))
    ) {
      lines.push(gone(left ?? ''));
      one += 1;
    } else {
      lines.push(fresh(right));
      two += 1;
    }
  }
  return lines;
}

/** Without the lines that no change is near to; how many they are stands in their place. */
function shortened(lines: DiffLine[]): DiffLine[] {
  const shown: DiffLine[] = [];
  let left: DiffLine[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const leaveOut = (before: number) => {
    const out = left.slice(0, Math.max(left.length - before, 0));
    // A gap takes as much room as one line.
    if (out.length > 1) shown.push({ kind: 'gap', text: `${out.length.toLocaleString('en')} unchanged lines` });
    else shown.push(...out);
    shown.push(...left.slice(out.length));
    left = [];
  };
  for (const [at, line] of lines.entries()) {
    if (line.kind !== 'same') {
      leaveOut(AROUND);
      last = at;
    }
    if (at - last <= AROUND) shown.push(line);
    else left.push(line);
  }
  if (shown.length > 0) leaveOut(0);
  return shown;
}
