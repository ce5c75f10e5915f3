// Finds the formulas of a text before Markdown reads it, as Jupyter does: a pipe, an underscore or a blank line in a formula
// is no Markdown. Each formula becomes characters of a private-use plane that no Markdown rule knows; `mathNodes.ts` turns
// them back. Pure.
//
//   $x$   \(x\)                                  in the line
//   $$x$$   \[x\]   \begin{align}…\end{align}    displayed
//   \eqref{eq:one}   \ref{eq:one}                a reference to a labelled equation

/** A formula, or a reference to one. */
export interface MathPiece {
  readonly kind: 'inline' | 'display' | 'reference';
  /** As it was written. */
  readonly source: string;
}

const STARTS = { inline: '\u{f0000}', display: '\u{f0001}', reference: '\u{f0002}' } as const;
const END = '\u{f0003}';
/** A character of a formula stands in this plane, at its own number. */
const PLANE = 0x100000;
const OURS = /[\u{f0000}-\u{10ffff}]/u;
const PIECE = /([\u{f0000}-\u{f0002}])([\u{100000}-\u{10ffff}]*)\u{f0003}/gu;

/** The longest formula. */
const LONGEST = 10_000;

/** Writes a formula so that Markdown leaves it alone. */
export function protectedMath({ kind, source }: MathPiece): string {
  let text: string = STARTS[kind];
  for (let at = 0; at < source.length; at++) text += String.fromCodePoint(PLANE + source.charCodeAt(at));
  return text + END;
}

/** Text and formulas of a protected text, in order. */
export function piecesOf(text: string): (string | MathPiece)[] {
  const pieces: (string | MathPiece)[] = [];
  let last = 0;
  for (const found of text.matchAll(PIECE)) {
    const [whole, start, body = ''] = found;
    if (found.index > last) pieces.push(text.slice(last, found.index));
    const kind = start === STARTS.inline ? 'inline' : start === STARTS.display ? 'display' : 'reference';
    pieces.push({ kind, source: decoded(body) });
    last = found.index + whole.length;
  }
  if (last < text.length) pieces.push(text.slice(last));
  return pieces;
}

/** A protected text as it was written. */
export function unprotected(text: string): string {
  if (!OURS.test(text)) return text;
  return piecesOf(text)
    .map((piece) => (typeof piece === 'string' ? piece : piece.source))
    .join('');
}

function decoded(body: string): string {
  return Array.from(body, (char) => String.fromCharCode((char.codePointAt(0) ?? PLANE) - PLANE)).join('');
}

/** Protects the formulas of a text. Code stays as it is. */
export function protectMath(text: string): string {
  if (!/[$\\]/.test(text) || OURS.test(text)) return text;
  return new Scanner(text).run();
}

/** A formula in a text. */
export interface FormulaFound {
  readonly kind: MathPiece['kind'];
  /** Where it ends. */
  readonly end: number;
}

/** The formula that begins at a dollar or a backslash; null if none does. */
export function formulaAt(text: string, at: number): FormulaFound | null {
  const scanner = new Scanner(text, at);
  return text[at] === '$' ? scanner.dollar() : scanner.backslash();
}

/** Walks through a text once. */
class Scanner {
  private result = '';
  /** Where the paragraph ends that was looked at last. */
  private ends = 0;
  /** Environments that end nowhere after a place: they are not looked for again. */
  private readonly endless = new Set<string>();

  constructor(
    private readonly text: string,
    private at = 0,
  ) {}

  run(): string {
    const { text } = this;
    while (this.at < text.length) {
      if (this.isLineStart() && this.takeFence()) continue;
      const char = text[this.at];
      if (char === '`') this.takeCode();
      else if (char === '$') this.takeDollar();
      else if (char === '\\') this.takeBackslash();
      else this.copy(1);
    }
    return this.result;
  }

  private copy(length: number): void {
    this.result += this.text.slice(this.at, this.at + length);
    this.at += length;
  }

  private isLineStart(): boolean {
    return this.at === 0 || this.text[this.at - 1] === '\n';
  }

  /** A fence with all that is in it. */
  private takeFence(): boolean {
    FENCE.lastIndex = this.at;
    const mark = FENCE.exec(this.text)?.[1];
    if (mark === undefined) return false;
    const close = new RegExp(`\\n[ \\t>]*${mark[0]}{${mark.length},}[ \\t]*(?=\\n|$)`, 'g');
    close.lastIndex = this.at;
    const end = close.exec(this.text);
    this.copy((end ? end.index + end[0].length : this.text.length) - this.at);
    return true;
  }

  /** Code between backticks: as many at its end as at its beginning, in one paragraph. */
  private takeCode(): void {
    const ticks = /^`+/.exec(this.text.slice(this.at, this.at + 100))?.[0] ?? '`';
    const rest = this.text.slice(this.at + ticks.length, this.paragraphEnd());
    const end = new RegExp(`(?<!\`)${ticks}(?!\`)`).exec(rest);
    this.copy(end ? 2 * ticks.length + end.index : ticks.length);
  }

  private takeDollar(): void {
    this.take(this.dollar(), this.text[this.at + 1] === '$' ? 2 : 1);
  }

  private takeBackslash(): void {
    WORD.lastIndex = this.at;
    this.take(this.backslash(), WORD.exec(this.text)?.[0].length ?? 2);
  }

  /** Takes a formula, or some characters that are none. */
  private take(found: FormulaFound | null, otherwise: number): void {
    if (found) this.put(found.kind, found.end);
    else this.copy(otherwise);
  }

  dollar(): FormulaFound | null {
    const { text, at } = this;
    if (text[at + 1] !== '$') {
      const end = this.closingDollar();
      return end === null ? null : { kind: 'inline', end: end + 1 };
    }
    const end = this.closing('$$', at + 2);
    const isEmpty = end !== null && text.slice(at + 2, end).trim() === '';
    return end === null || isEmpty ? null : { kind: 'display', end: end + 2 };
  }

  backslash(): FormulaFound | null {
    const { text, at } = this;
    const next = text[at + 1];
    if (next === '(' || next === '[') {
      const end = this.closing(next === '(' ? '\\)' : '\\]', at + 2);
      // `\[x\]` may be brackets that are no link.
      const isFormula = end !== null && (next === '(' || OPERATOR.test(text.slice(at + 2, end)));
      return isFormula ? { kind: next === '(' ? 'inline' : 'display', end: end + 2 } : null;
    }
    WORD.lastIndex = at;
    const [whole, command, name = ''] = WORD.exec(text) ?? [];
    if (whole === undefined) return null;
    if (command !== 'begin') return { kind: 'reference', end: at + whole.length };
    const end = ENVIRONMENTS.test(name) ? this.environmentEnd(name) : null;
    return end === null ? null : { kind: 'display', end };
  }

  /** The end of an environment, past others of its name in it. */
  private environmentEnd(name: string): number | null {
    if (this.endless.has(name)) return null;
    const [begin, end] = [`\\begin{${name}}`, `\\end{${name}}`];
    let [depth, from] = [1, this.at + begin.length];
    while (depth > 0) {
      const ends = this.text.indexOf(end, from);
      if (ends < 0 || ends - this.at > LONGEST) {
        if (ends < 0) this.endless.add(name);
        return null;
      }
      const begins = this.text.indexOf(begin, from);
      const isInner = begins >= 0 && begins < ends;
      depth += isInner ? 1 : -1;
      from = isInner ? begins + begin.length : ends + end.length;
    }
    return from;
  }

  /** Where a formula ends; null if its paragraph does before. */
  private closing(mark: string, from: number): number | null {
    const end = this.text.indexOf(mark, from);
    const isOwnLine = mark === '$$' && this.isLineStart() && this.text[from] === '\n';
    // A formula between two lines of dollars may have blank lines.
    const limit = isOwnLine ? this.at + LONGEST : this.paragraphEnd();
    return end >= 0 && end < limit ? end : null;
  }

  /** As Pandoc: no space inside, no digit after. Prices and names of variables are no formulas. */
  private closingDollar(): number | null {
    const { text, at } = this;
    if (/\s/.test(text[at + 1] ?? ' ')) return null;
    const limit = Math.min(this.paragraphEnd(), at + 1000);
    for (let end = at + 1; end < limit; end++) {
      if (text[end] === '\\') end++;
      else if (text[end] === '$') {
        const isEnd = !/\s/.test(text[end - 1] ?? '') && !/[\d$]/.test(text[end + 1] ?? '');
        return isEnd && isFormula(text.slice(at + 1, end), text[end + 1] ?? '') ? end : null;
      }
    }
    return null;
  }

  private paragraphEnd(): number {
    if (this.at < this.ends) return this.ends;
    BLANK.lastIndex = this.at;
    this.ends = BLANK.exec(this.text)?.index ?? this.text.length;
    return this.ends;
  }

  private put(kind: MathPiece['kind'], end: number): void {
    this.result += protectedMath({ kind, source: this.text.slice(this.at, end) });
    this.at = end;
  }
}

const FENCE = /[ \t>]*(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/y;
const BLANK = /\n[ \t>]*(?=\n)/g;
const OPERATOR = /[\\^_=+*/<>|{}-]/;
const WORD = /\\(begin|eqref|ref)\{([^{}\n]{1,100})\}/y;
/** The environments that are formulas outside of any. */
export const ENVIRONMENTS =
  /^(?:equation|align|alignat|flalign|gather|multline|eqnarray|math|displaymath|split|aligned|gathered|array|cases|CD|[bBpvV]?matrix|smallmatrix)\*?$/;

/** Whether text between two dollars is a formula; `next` comes after it. */
function isFormula(text: string, next: string): boolean {
  if (/^[a-zA-Z]$/.test(text)) return true;
  const isTex = /[\\^_={}]/.test(text);
  // `$5/…$`, `$20 and`
  if (!isTex && /^\d[\d.,]*\s*(?:[-–/,;:]?$|[a-zA-Z]{3,})/.test(text) && !/^[\d.,]+$/.test(text)) return false;
  // `$HOME/$PATH`, `$a and b$c`
  if (!isTex && /\w/.test(next)) return false;
  return isTex || !/(?:^|[^a-zA-Z])[a-zA-Z]{3,}\s+[a-zA-Z]{3,}/.test(text);
}
