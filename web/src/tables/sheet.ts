// A table over the bytes of a file: its columns, and which rows are shown in which order. Long work is a generator, so that
// whoever runs it can stop in between. Pure.
import { type Dialect, dialectOf, RowIndex } from './csv';
import { type ColumnKind, type FieldTest, isNothing, kindOf, numberIn } from './values';

/** A column. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Its width in characters. */
  readonly width: number;
}

/** The most columns that are shown. */
export const MOST_COLUMNS = 2000;
/** The most bytes of a field that are read to show it, or to sort by it. */
export const FIELD = 2000;
const SAMPLE_ROWS = 200;
const NARROWEST = 5;
const WIDEST = 40;

/** A table. */
export class Sheet {
  readonly index: RowIndex;
  /** Fractions begin with a comma: fields are then kept apart by something else. */
  readonly comma: boolean;

  constructor(
    readonly bytes: Uint8Array,
    path: string,
    readonly dialect: Dialect = dialectOf(bytes, path),
  ) {
    this.index = new RowIndex(bytes, dialect);
    this.comma = dialect.delimiter === 0x3b;
  }

  /** Scans for rows; each step is some milliseconds at most. */
  *scanned(): Generator<number, void> {
    while (!this.index.done) {
      this.index.scan(1 << 19);
      yield this.index.progress;
    }
  }

  /** The fields of a row of the file; what is beyond its columns is left out. */
  row(row: number, first = 0, last = MOST_COLUMNS): string[] {
    return this.index.fields(row, first, last, FIELD);
  }

  /** Tells whether the first row names the columns: it has no numbers, and those below it do, or it repeats nothing. */
  guessHeader(): boolean {
    const names = this.row(0);
    if (this.index.count < 2 || names.some((name) => numberIn(name, this.comma) !== null || name.trim() === ''))
      return false;
    return new Set(names).size === names.length;
  }

  /** The columns, from the rows that are known so far. */
  columns(header: boolean): Column[] {
    const from = header ? 1 : 0;
    const rows = Array.from({ length: Math.max(0, Math.min(SAMPLE_ROWS, this.index.count - from)) }, (_, at) =>
      this.row(from + at),
    );
    const names = header ? this.row(0) : [];
    const count = Math.max(names.length, ...rows.slice(0, 20).map((row) => row.length), 1);
    return Array.from({ length: Math.min(MOST_COLUMNS, count) }, (_, at) => {
      const fields = rows.map((row) => row[at] ?? '');
      const name = names[at]?.trim() || `Column ${at + 1}`;
      const longest = Math.max(name.length + 3, ...fields.map((field) => field.length));
      return { name, kind: kindOf(fields, this.comma), width: Math.min(WIDEST, Math.max(NARROWEST, longest)) };
    });
  }
}

/** The order of rows by a column. */
export interface Order {
  readonly column: number;
  readonly descending: boolean;
}

/** The rows of the file that filters let through, in their order there. */
export function* filtered(
  sheet: Sheet,
  from: number,
  anywhere: FieldTest | null,
  tests: readonly { readonly column: number; readonly test: FieldTest }[],
): Generator<unknown, Uint32Array> {
  const { count } = sheet.index;
  const rows = new Uint32Array(Math.max(0, count - from));
  let kept = 0;
  for (let row = from; row < count; row++) {
    const fits = tests.every(({ column, test }) => test(sheet.index.field(row, column, FIELD)));
    if (fits && (anywhere === null || sheet.row(row).some(anywhere))) rows[kept++] = row;
    if (row % 64 === 0) yield;
  }
  return rows.subarray(0, kept);
}

/** Rows in the order of a column; fields without a value come last, and rows that are alike keep their order. */
export function* sorted(
  sheet: Sheet,
  rows: Uint32Array,
  { column, descending }: Order,
  kind: ColumnKind,
): Generator<unknown, Uint32Array> {
  const keys: (number | string | null)[] = new Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const text = sheet.index.field(rows[at] as number, column, FIELD);
    keys[at] = isNothing(text) ? null : kind === 'number' ? numberIn(text, sheet.comma) : text;
    if (at % 256 === 0) yield;
  }
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const compare = (one: number, two: number): number => {
    const [a, b] = [keys[one], keys[two]];
    if (a == null || b == null) return Number(a == null) - Number(b == null) || one - two;
    const order = typeof a === 'number' ? a - (b as number) : collator.compare(a, b as string);
    return (descending ? -order : order) || one - two;
  };
  const places = yield* mergeSort(rows.length, compare);
  return places.map((place) => rows[place] as number);
}

/** Rows that are sorted at once; runs of them are then merged. */
const RUN = 4096;

function* mergeSort(count: number, compare: (one: number, two: number) => number): Generator<unknown, Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, at) => at);
  let to = new Uint32Array(count);
  for (let at = 0; at < count; at += RUN) {
    from.subarray(at, at + RUN).sort(compare);
    yield;
  }
  for (let width = RUN; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, count), Math.min(start + 2 * width, count)];
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        const takesLeft = left < middle && (right >= end || compare(from[left] as number, from[right] as number) <= 0);
        to[at] = from[takesLeft ? left++ : right++] as number;
        if (at % 1024 === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Facts about the values of a column. */
export interface Summary {
  readonly count: number;
  readonly empty: number;
  /** Of numbers. */
  readonly numbers: {
    readonly min: number;
    readonly max: number;
    readonly mean: number;
    readonly bins: number[];
  } | null;
  /** How many different values there are; null if more than are counted. */
  readonly distinct: number | null;
  /** The most frequent values, the first the most. */
  readonly top: readonly (readonly [string, number])[];
}

const MOST_DISTINCT = 10_000;
const TOP = 8;
const BINS = 24;

/** Looks through a column of some rows. */
export function* summarised(
  sheet: Sheet,
  rows: Uint32Array,
  column: number,
  kind: ColumnKind,
): Generator<unknown, Summary> {
  const counts = new Map<string, number>();
  const numbers = new Float64Array(kind === 'number' ? rows.length : 0);
  let [empty, found, overflowed] = [0, 0, false];
  for (let at = 0; at < rows.length; at++) {
    const text = sheet.index.field(rows[at] as number, column, FIELD);
    const number = kind === 'number' ? numberIn(text, sheet.comma) : null;
    if (isNothing(text)) empty++;
    else if (counts.has(text) || counts.size < MOST_DISTINCT) counts.set(text, (counts.get(text) ?? 0) + 1);
    else overflowed = true;
    if (number !== null) numbers[found++] = number;
    if (at % 256 === 0) yield;
  }
  const top = [...counts].sort((one, two) => two[1] - one[1]).slice(0, TOP);
  return {
    count: rows.length,
    empty,
    numbers: found > 0 ? describe(numbers.subarray(0, found)) : null,
    distinct: overflowed ? null : counts.size,
    top: overflowed ? [] : top,
  };
}

function describe(numbers: Float64Array): Summary['numbers'] {
  let [min, max, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const number of numbers) {
    min = Math.min(min, number);
    max = Math.max(max, number);
    sum += number;
  }
  const bins = new Array<number>(BINS).fill(0);
  for (const number of numbers) {
    const bin = max === min ? 0 : Math.min(BINS - 1, Math.floor(((number - min) / (max - min)) * BINS));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return { min, max, mean: sum / numbers.length, bins };
}
