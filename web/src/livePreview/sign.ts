// What all widgets of the preview have in common.
import { type EditorView, WidgetType } from '@codemirror/view';

/** A sign without a life of its own: it is the same wherever its key is. */
export abstract class Sign extends WidgetType {
  constructor(readonly key: string) {
    super();
  }

  override eq(other: WidgetType): boolean {
    return other.constructor === this.constructor && (other as Sign).key === this.key;
  }
}

/** A press puts the cursor into the text that a widget stands for, which shows it: at the line that was pressed. */
export function enterByPress(host: HTMLElement, view: EditorView, lines = 1): void {
  host.addEventListener('mousedown', (event) => {
    const isOwn = event.target instanceof Element && event.target.closest('a, button, input, summary, iframe') !== null;
    if (event.button !== 0 || isOwn) return;
    event.preventDefault();
    const { top, height } = host.getBoundingClientRect();
    const share = Math.max(0, Math.min(0.999, (event.clientY - top) / Math.max(1, height)));
    const first = view.state.doc.lineAt(view.posAtDOM(host));
    const line = view.state.doc.line(Math.min(view.state.doc.lines, first.number + Math.floor(share * lines)));
    view.focus();
    view.dispatch({
      selection: { anchor: lines === 1 ? view.posAtDOM(host) : line.from },
      userEvent: 'select.pointer',
    });
  });
}

/** An element with a class. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
