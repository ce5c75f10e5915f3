// Where a cell stands among the others: a text that sorts between those of its neighbours, so that moving a cell changes
// nothing but the cell. The same rules as the server's (`notebook_document/position.rs`); a test pins that they agree.

/** In the order in which texts sort. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = DIGITS.length;
/** Digits of a position that was given without a neighbour after it. */
const WIDTH = 4;

const encoder = new TextEncoder();

/** Returns a position after `low` and before `high`. What two people give at one place at once differs by the cell's key. */
export function between(low: string, high: string | null, key: string): string {
  const digits = high === null ? after(read(low)) : middle(read(low), read(high));
  return written([...digits, ...toldApart(key)]);
}

/** Orders texts as the server does: by their bytes in UTF-8. */
export function compareTexts(one: string, other: string): number {
  // What is ASCII, as all positions are that were given here, needs no second look.
  if (!WIDE.test(one) && !WIDE.test(other)) return one < other ? -1 : one > other ? 1 : 0;
  const [left, right] = [encoder.encode(one), encoder.encode(other)];
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}

const WIDE = /[^\u0020-\u007e]/;

/** The next one with room before it, as long as there is one of the usual width. */
function after(low: number[]): number[] {
  let number = 0;
  for (let at = 0; at < WIDTH; at++) number = number * BASE + (low[at] ?? 0);
  const next = (Math.floor(number / BASE) + 1) * BASE;
  return next < BASE ** WIDTH ? digitsOf(next) : middle(low, []);
}

/** Digits between two positions; beyond the end of `high` there is no limit. */
function middle(low: number[], high: number[]): number[] {
  const digits: number[] = [];
  let limited = true;
  for (let at = 0; ; at++) {
    const least = low[at] ?? 0;
    const most: number = (limited ? high[at] : undefined) ?? BASE;
    if (most > least + 1) return [...digits, least + Math.floor((most - least) / 2)];
    digits.push(least);
    limited &&= most <= least;
  }
}

/** Two digits that follow from a key (FNV-1a), the last of them not zero: there is always something before it. */
function toldApart(key: string): number[] {
  let sum = 0x811c9dc5;
  for (const byte of encoder.encode(key)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return [sum % BASE, 1 + (Math.floor(sum / BASE) % (BASE - 1))];
}

function digitsOf(number: number): number[] {
  const digits = new Array<number>(WIDTH).fill(0);
  for (let at = WIDTH - 1, rest = number; at >= 0; at--, rest = Math.floor(rest / BASE)) digits[at] = rest % BASE;
  return digits;
}

/** What another peer wrote may be anything: what is no digit counts as the one it would sort after. */
function read(position: string): number[] {
  return [...encoder.encode(position)].map((byte) => {
    let digit = BASE - 1;
    while (digit > 0 && DIGITS.charCodeAt(digit) > byte) digit--;
    return digit;
  });
}

function written(digits: number[]): string {
  return digits.map((digit) => DIGITS[digit]).join('');
}
