// What a terminal would show of printed text: carriage returns and backspaces rewrite the line, escape sequences colour
// it or go to lines above, all others are left out. Lines that were rewritten keep only their last state, as progress bars
// want it.
//
//   linesOf('50%\r\x1b[32m100%\x1b[0m\n')   →   [[{ text: '100%', style: { fg: 2 } }], []]

/** How a piece of text looks. Colours are numbers of the palette of 256, or `#rrggbb`. */
export interface Style {
  readonly fg?: number | string;
  readonly bg?: number | string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
}

/** Text that looks the same. */
export interface Piece {
  readonly text: string;
  readonly style: Style;
}

/** As a terminal shows text that nothing was said of. */
export const PLAIN: Style = {};

/** The lines of printed text, each in pieces. */
export function linesOf(text: string): Piece[][] {
  const screen = new Screen();
  let at = 0;
  for (const { index, 0: found } of text.matchAll(CONTROL)) {
    if (index > at) screen.print(text.slice(at, index));
    screen.control(found);
    at = index + found.length;
  }
  if (at < text.length) screen.print(text.slice(at));
  return screen.lines();
}

/** The same without colours. */
export function plainText(text: string): string {
  return linesOf(text)
    .map((line) => line.map((piece) => piece.text).join(''))
    .join('\n');
}

/** Escape sequences (with parameters, of the operating system, and of two characters) and the characters that move. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds.
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000a-\u001f\u007f\u009b]/g;

class Screen {
  /** All lines; that of the row is older than `line`, until the row is left. */
  private readonly rows: Piece[][] = [[]];
  private row = 0;
  private line: Piece[] = [];
  /** Where the next character goes in the line, in UTF-16 units. */
  private column = 0;
  private length = 0;
  private style = PLAIN;

  print(text: string): void {
    if (this.column === this.length) {
      const last = this.line.at(-1);
      if (last && last.style === this.style) this.line[this.line.length - 1] = { ...last, text: last.text + text };
      else this.line.push({ text, style: this.style });
      this.length += text.length;
    } else {
      const rest = cut(this.line, this.column + text.length, this.length);
      this.line = [...cut(this.line, 0, this.column), { text, style: this.style }, ...rest];
      this.length = Math.max(this.length, this.column + text.length);
    }
    this.column += text.length;
  }

  control(found: string): void {
    if (found === '\n') this.goTo(this.row + 1, 0);
    else if (found === '\r') this.column = 0;
    else if (found === '\b') this.column = Math.max(0, this.column - 1);
    else if (found.startsWith('\u001b[')) this.sequence(found.at(-1) ?? '', found.slice(2, -1));
  }

  lines(): Piece[][] {
    this.rows[this.row] = this.line;
    return this.rows;
  }

  /** To another line, a new one below all if need be. */
  private goTo(row: number, column: number): void {
    this.rows[this.row] = this.line;
    this.row = Math.min(Math.max(0, row), this.rows.length);
    this.line = this.rows[this.row] ?? [];
    this.length = lengthOf(this.line);
    this.moveTo(column);
  }

  private sequence(end: string, parameters: string): void {
    const first = Math.min(Number.parseInt(parameters, 10) || 0, MOST_COLUMNS);
    if (end === 'm') this.style = styled(this.style, parameters);
    else if (end === 'K') this.erase(first);
    else if (end === 'D') this.column = Math.max(0, this.column - (first || 1));
    else if (end === 'C') this.moveTo(this.column + (first || 1));
    else if (end === 'G') this.moveTo((first || 1) - 1);
    else if (end === 'A') this.goTo(this.row - (first || 1), this.column);
    else if (end === 'B') this.goTo(Math.min(this.row + (first || 1), this.rows.length - 1), this.column);
    else if (end === 'F') this.goTo(this.row - (first || 1), 0);
    else if (end === 'E') this.goTo(Math.min(this.row + (first || 1), this.rows.length - 1), 0);
  }

  private moveTo(column: number): void {
    const wanted = Math.min(column, MOST_COLUMNS);
    if (wanted > this.length) {
      this.column = this.length;
      const style = this.style;
      this.style = PLAIN;
      this.print(' '.repeat(wanted - this.length));
      this.style = style;
    }
    this.column = wanted;
  }

  private erase(what: number): void {
    if (what === 0) this.line = cut(this.line, 0, this.column);
    else if (what === 1)
      this.line = [{ text: ' '.repeat(this.column), style: PLAIN }, ...cut(this.line, this.column, this.length)];
    else this.line = [];
    this.length = lengthOf(this.line);
    if (this.column > this.length) this.moveTo(this.column);
  }
}

const lengthOf = (line: readonly Piece[]) => line.reduce((sum, piece) => sum + piece.text.length, 0);

/** Further right is nobody's screen. */
const MOST_COLUMNS = 1000;

/** What of a line is between two columns. */
function cut(line: readonly Piece[], from: number, to: number): Piece[] {
  const kept: Piece[] = [];
  let at = 0;
  for (const { text, style } of line) {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (part !== '') kept.push({ text: part, style });
    at += text.length;
  }
  return kept;
}

/** The style after a sequence of "select graphic rendition". */
function styled(before: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => Number.parseInt(code, 10) || 0);
  let style: Style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = longColour(codes.slice(at + 1));
      if (colour !== null) style = { ...style, [code === 38 ? 'fg' : 'bg']: colour };
      at += used;
    } else style = code === 0 ? PLAIN : { ...style, ...change(code) };
  }
  return style;
}

function change(code: number): Style {
  if (code >= 30 && code <= 37) return { fg: code - 30 };
  if (code >= 90 && code <= 97) return { fg: code - 82 };
  if (code >= 40 && code <= 47) return { bg: code - 40 };
  if (code >= 100 && code <= 107) return { bg: code - 92 };
  return CHANGES[code] ?? PLAIN;
}

const CHANGES: Record<number, Style> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: undefined, dim: undefined },
  23: { italic: undefined },
  24: { underline: undefined },
  27: { inverse: undefined },
  29: { strike: undefined },
  39: { fg: undefined },
  49: { bg: undefined },
};

/** `5;n` or `2;r;g;b`: the colour, and how many numbers it took. */
function longColour([kind, ...rest]: number[]): [colour: number | string | null, used: number] {
  if (kind === 5) return [Math.min(255, rest[0] ?? 0), 2];
  if (kind !== 2) return [null, 1];
  const hex = rest.slice(0, 3).map((part) => Math.min(255, part).toString(16).padStart(2, '0'));
  return [hex.length === 3 ? `#${hex.join('')}` : null, 4];
}

/** A colour of the palette beyond the sixteen that the theme names, as the terminals of the field have it. */
export function paletteColour(index: number): string {
  if (index >= 232) return hex([0, 1, 2].map(() => 8 + (index - 232) * 10));
  const cube = index - 16;
  return hex(
    [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((part) => (part === 0 ? 0 : 55 + part * 40)),
  );
}

function hex(parts: number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
