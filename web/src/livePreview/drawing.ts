// Collects the decorations of a part of the text.
import type { EditorState, Range } from '@codemirror/state';
import { Decoration, type WidgetType } from '@codemirror/view';
import { isRevealed } from './reveal';

const HIDDEN = Decoration.replace({});

/** The drawing of a part of the text. */
export class Drawing {
  readonly ranges: Range<Decoration>[] = [];

  constructor(
    readonly state: EditorState,
    /** The part that is drawn. */
    readonly from: number,
    readonly to: number,
  ) {}

  text(from: number, to: number): string {
    return this.state.sliceDoc(from, to);
  }

  /** Whether a cursor touches a part. */
  touched(from: number, to: number): boolean {
    return isRevealed(this.state, from, to);
  }

  /** Whether a cursor is in the lines of a part. */
  linesTouched(from: number, to = from): boolean {
    const { doc } = this.state;
    return isRevealed(this.state, doc.lineAt(from).from, doc.lineAt(to).to);
  }

  hide(from: number, to: number): void {
    if (this.isInLine(from, to)) this.ranges.push(HIDDEN.range(from, to));
  }

  /** Text of several lines is not taken away here: the editor would have to know before it measures. */
  private isInLine(from: number, to: number): boolean {
    return from < to && this.state.doc.lineAt(from).to >= to;
  }

  /** Puts a widget in the place of text of one line. */
  replace(from: number, to: number, widget: WidgetType): void {
    if (this.isInLine(from, to)) this.ranges.push(Decoration.replace({ widget }).range(from, to));
  }

  mark(from: number, to: number, className: string, attributes?: Record<string, string>): void {
    if (from < to)
      this.ranges.push(Decoration.mark({ class: className, ...(attributes && { attributes }) }).range(from, to));
  }

  /** Gives a line a class, and a style. */
  line(at: number, className: string, attributes?: Record<string, string>): void {
    const { from } = this.state.doc.lineAt(at);
    this.ranges.push(Decoration.line({ class: className, ...(attributes && { attributes }) }).range(from));
  }

  /** The same for all lines of a part that are drawn. */
  lines(
    from: number,
    to: number,
    classOf: (index: number, isLast: boolean) => string,
    attributes?: Record<string, string>,
  ): void {
    const { doc } = this.state;
    const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number];
    const start = Math.max(first, doc.lineAt(Math.max(from, this.from)).number);
    for (let number = start; number <= last; number++) {
      const line = doc.line(number);
      if (line.from > this.to) break;
      this.line(line.from, classOf(number - first, number === last), attributes);
    }
  }

  /** Where the white space after a place ends, in its line. */
  spaceAfter(at: number): number {
    const line = this.state.doc.lineAt(at);
    return at + (/^[ \t]*/.exec(line.text.slice(at - line.from))?.[0].length ?? 0);
  }
}
