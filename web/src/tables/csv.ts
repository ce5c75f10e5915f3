// Delimited text as rows and fields over its bytes: an index of where rows begin, and fields that are read when they are
// shown. Nothing of it makes a string of the whole file. Pure.
//
//   row    = field *( delimiter field ) ( "\n" / "\r\n" / "\r" / end )
//   field  = anything but delimiters and line ends / quote *( anything / quote quote ) quote

/** How a file separates its fields. */
export interface Dialect {
  /** The byte between two fields. */
  readonly delimiter: number;
  /** A field in quotes may have delimiters and line ends in it. */
  readonly quotes: boolean;
}

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
/** Comma, semicolon, tab, pipe: the most frequent one in the first lines wins. */
const DELIMITERS = [0x2c, 0x3b, 0x09, 0x7c];

/** The bytes at the beginning that are looked at to guess. */
const SAMPLE = 64 * 1024;

/** Guesses how a file separates its fields, from its name and its first lines. */
export function dialectOf(bytes: Uint8Array, path: string): Dialect {
  if (/\.tsv$/i.test(path)) return { delimiter: 0x09, quotes: true };
  if (/\.psv$/i.test(path)) return { delimiter: 0x7c, quotes: true };
  const head = bytes.subarray(0, SAMPLE);
  const scores = DELIMITERS.map((delimiter) => scoreOf(head, delimiter));
  const best = scores.indexOf(Math.max(...scores));
  return { delimiter: DELIMITERS[(scores[best] ?? 0) > 0 ? best : 0] as number, quotes: true };
}

/** How many fields the first rows agree on; those of the row that has fewest count. */
function scoreOf(head: Uint8Array, delimiter: number): number {
  const rows = new RowIndex(head, { delimiter, quotes: true });
  rows.scan(head.length);
  // The last row may be cut off by the sample.
  const counts = Array.from(
    { length: Math.min(20, Math.max(1, rows.count - 1)) },
    (_, row) => rows.fieldCount(row) - 1,
  );
  return Math.min(...counts);
}

/** Where the rows of a text begin. It is scanned in parts, so that a large file keeps the window live. */
export class RowIndex {
  private starts = new Uint32Array(1024);
  private found = 0;
  private at = 0;
  private inQuotes = false;
  /** Where the field that is in quotes began, to go back to if its end never comes. */
  private quoteAt = 0;
  private fieldStart = true;
  private quotes: boolean;
  /** The row with a quote that never ends; fields are read without quotes from there on. */
  openQuote: number | null = null;

  constructor(
    readonly bytes: Uint8Array,
    readonly dialect: Dialect,
  ) {
    this.quotes = dialect.quotes;
    if (bytes.length > 0) this.add(0);
  }

  /** Rows found so far; an empty line at the end is none. */
  get count(): number {
    return this.found > 0 && (this.starts[this.found - 1] as number) >= this.bytes.length ? this.found - 1 : this.found;
  }

  /** Everything has been scanned. */
  get done(): boolean {
    return this.at >= this.bytes.length && !this.inQuotes;
  }

  /** The share that has been scanned, from 0 to 1. */
  get progress(): number {
    return this.bytes.length === 0 ? 1 : this.at / this.bytes.length;
  }

  /** Scans that many bytes more. */
  scan(most: number): void {
    const { bytes } = this;
    const { delimiter } = this.dialect;
    const end = Math.min(bytes.length, this.at + most);
    let { at, inQuotes, fieldStart } = this;
    while (at < end) {
      const byte = bytes[at] as number;
      if (inQuotes) {
        if (byte === QUOTE) {
          if (bytes[at + 1] === QUOTE) at++;
          else inQuotes = false;
        }
      } else if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) {
        this.add(at + 1);
        fieldStart = true;
        at++;
        continue;
      } else if (fieldStart && byte === QUOTE && this.quotes) {
        inQuotes = true;
        this.quoteAt = at;
      }
      fieldStart = !inQuotes && byte === delimiter;
      at++;
    }
    Object.assign(this, { at: Math.min(at, bytes.length), inQuotes, fieldStart });
    if (inQuotes && this.at >= bytes.length) this.closeQuote();
  }

  /** A quote that never ends is a character like others, and so are all after it. */
  private closeQuote(): void {
    this.openQuote ??= this.found - 1;
    this.quotes = false;
    this.inQuotes = false;
    this.fieldStart = false;
    this.at = this.quoteAt + 1;
  }

  /** The first byte of a row, and the one after its last, without its line end. */
  range(row: number): [number, number] {
    const start = this.starts[row] as number;
    let end = row + 1 < this.found ? (this.starts[row + 1] as number) : this.bytes.length;
    if (end > start && this.bytes[end - 1] === LF) end--;
    if (end > start && this.bytes[end - 1] === CR) end--;
    return [start, end];
  }

  /** How many fields a row has. */
  fieldCount(row: number): number {
    let count = 0;
    this.walk(row, Number.POSITIVE_INFINITY, () => {
      count++;
      return true;
    });
    return count;
  }

  /** The text of one field, cut after that many bytes; empty where the row has no such field. */
  field(row: number, column: number, most: number): string {
    let text = '';
    this.walk(row, column + 1, (start, end, at) => {
      if (at === column) text = this.text(start, end, most);
      return at < column;
    });
    return text;
  }

  /** The texts of the fields from `first` up to, not including, `last`. */
  fields(row: number, first: number, last: number, most: number): string[] {
    const texts: string[] = [];
    this.walk(row, last, (start, end, at) => {
      if (at >= first) texts.push(this.text(start, end, most));
      return at + 1 < last;
    });
    return texts;
  }

  /** Calls `each` with the bytes of each field until it says no. */
  private walk(row: number, most: number, each: (start: number, end: number, column: number) => boolean): void {
    const [from, end] = this.range(row);
    const { bytes } = this;
    const { delimiter } = this.dialect;
    const quotes = this.dialect.quotes && (this.openQuote === null || row < this.openQuote);
    let start = from;
    for (let column = 0; column < most; column++) {
      let at = start;
      if (quotes && bytes[at] === QUOTE) at = afterQuotes(bytes, at, end);
      while (at < end && bytes[at] !== delimiter) at++;
      if (!each(start, at, column) || at >= end) return;
      start = at + 1;
    }
  }

  private text(start: number, end: number, most: number): string {
    const cut = Math.min(end, start + most);
    const text = utf8.decode(this.bytes.subarray(start, cut));
    const shown = cut < end ? `${text.replace(/\uFFFD$/, '')}…` : text;
    return this.dialect.quotes && shown.startsWith('"') ? unquoted(shown) : shown;
  }

  private add(start: number): void {
    if (this.found === this.starts.length) {
      const grown = new Uint32Array(2 * this.found);
      grown.set(this.starts);
      this.starts = grown;
    }
    this.starts[this.found++] = start;
  }
}

const utf8 = new TextDecoder();

function afterQuotes(bytes: Uint8Array, quote: number, end: number): number {
  let at = quote + 1;
  while (at < end) {
    if (bytes[at] !== QUOTE) at++;
    else if (bytes[at + 1] === QUOTE) at += 2;
    else return at + 1;
  }
  return end;
}

/** A field without its quotes; one whose quotes don't close stays as it is written. */
function unquoted(text: string): string {
  const close = text.lastIndexOf('"');
  if (close === 0) return text.endsWith('…') ? text.slice(1) : text;
  const inner =
    text.endsWith('…') && close !== text.length - 2 ? text.slice(1) : text.slice(1, close) + text.slice(close + 1);
  return inner.replaceAll('""', '"');
}
