// The small signs in the place of Markdown's own: bullets, boxes, rules, formulas.
import { type EditorView, WidgetType } from '@codemirror/view';
import { todoMark } from '../notes/todoMark';
import { drawMath } from './math';
import { element, enterByPress, Sign } from './sign';

/** The dot of an item. */
export class BulletWidget extends Sign {
  constructor() {
    super('');
  }

  override toDOM(): HTMLElement {
    const dot = element('span', 'cm-md-bullet');
    dot.textContent = '•';
    return dot;
  }
}

/** The indent of an item in columns. */
export class SpacerWidget extends Sign {
  constructor(readonly columns: number) {
    super(String(columns));
  }

  override toDOM(): HTMLElement {
    const spacer = element('span', 'cm-md-spacer');
    spacer.style.inlineSize = `${this.columns * 0.5}em`;
    return spacer;
  }
}

/** A rule between two parts of a text. */
export class RuleWidget extends Sign {
  constructor() {
    super('');
  }

  override toDOM(): HTMLElement {
    const rule = element('span', 'cm-md-rule');
    rule.setAttribute('role', 'separator');
    return rule;
  }
}

/** The checkbox of a todo: a press changes the one character between its brackets. */
export class CheckboxWidget extends WidgetType {
  constructor(
    readonly state: string,
    readonly words: string,
  ) {
    super();
  }

  override eq(other: CheckboxWidget): boolean {
    return this.state === other.state && this.words === other.words;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = element('input', 'cm-md-checkbox');
    box.type = 'checkbox';
    this.show(box);
    box.addEventListener('mousedown', (event) => event.preventDefault());
    // The browser has ticked it already; a text that can't be changed takes that back.
    box.addEventListener('click', () => {
      if (!toggleTodo(view, view.posAtDOM(box))) box.checked = !box.checked;
    });
    return box;
  }

  /** A tick keeps the element, and the keyboard in it. */
  override updateDOM(box: HTMLElement): boolean {
    this.show(box as HTMLInputElement);
    return true;
  }

  private show(box: HTMLInputElement): void {
    box.checked = /[xX]/.test(this.state);
    box.indeterminate = !/[ xX]/.test(this.state);
    box.dataset.state = this.state;
    box.disabled = false;
    box.setAttribute('aria-label', this.words);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Ticks the todo in the line of a place, or takes its tick away; tells whether there is one. */
export function toggleTodo(view: EditorView, at: number): boolean {
  const line = view.state.doc.lineAt(at);
  const found = todoMark(line.text);
  if (!found || view.state.readOnly) return false;
  const from = line.from + found.at;
  const insert = /[xX]/.test(found.mark) ? ' ' : 'x';
  view.dispatch({ changes: { from, to: from + found.mark.length, insert }, userEvent: 'input.toggle' });
  return true;
}

/** A formula in a line. */
export class MathWidget extends Sign {
  constructor(
    readonly source: string,
    readonly block: boolean,
  ) {
    super(`${block} ${source}`);
  }

  override toDOM(view: EditorView): HTMLElement {
    const host = element('span', this.block ? 'cm-md-formula cm-md-display' : 'cm-md-formula');
    drawMath(this.source, this.block, host, view);
    enterByPress(host, view);
    return host;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
