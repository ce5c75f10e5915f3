// What stands in the place of Markdown's signs.
import { type EditorView, WidgetType } from '@codemirror/view';
import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import type { CalloutTone } from '../markdown/noteSyntax';
import { todoMark } from '../notes/todoMark';
import { Icon, type IconName } from '../ui/Icon';
import { drawMath } from './math';
import { BlockText, CopyCode, EmbeddedNote, EmbeddedPicture, Properties } from './parts';
import { notePath } from './place';

/** A sign without a life of its own: it is the same wherever its key is. */
abstract class Sign extends WidgetType {
  constructor(readonly key: string) {
    super();
  }

  override eq(other: WidgetType): boolean {
    return other.constructor === this.constructor && (other as Sign).key === this.key;
  }
}

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
    box.addEventListener('click', (event) => {
      event.preventDefault();
      toggleTodo(view, view.posAtDOM(box));
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

/** A press puts the cursor into the text that a widget stands for, which shows it: at the line that was pressed. */
function enterByPress(host: HTMLElement, view: EditorView, lines = 1): void {
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

const roots = new WeakMap<HTMLElement, { root: Root; stop(): void }>();

/** A part that React draws. Its height is remembered, so that nothing jumps when it comes into sight again. */
export abstract class DrawnWidget extends Sign {
  /** An estimate of its height in pixels, before it was first drawn. */
  protected abstract guess(): number;
  protected abstract draw(view: EditorView): ReactNode;
  /** `div` of a block, `span` of a part of a line. */
  protected readonly tag: 'div' | 'span' = 'div';
  /** The lines of text that it stands for. */
  protected get lines(): number {
    return 1;
  }

  override get estimatedHeight(): number {
    return heights.get(this.key) ?? this.guess();
  }

  override toDOM(view: EditorView): HTMLElement {
    const host = element(this.tag, 'cm-md-drawn');
    enterByPress(host, view, this.lines);
    const root = createRoot(host);
    const known = this.estimatedHeight;
    if (known > 0) host.style.minHeight = `${known}px`;
    root.render(this.draw(view));
    const sizes = new ResizeObserver(() => {
      if (host.firstChild) host.style.minHeight = '';
      const height = host.offsetHeight;
      if (height > 0 && host.firstChild) remember(this.key, height);
      view.requestMeasure();
    });
    sizes.observe(host);
    const drawn = new MutationObserver(() => {
      host.style.minHeight = '';
      drawn.disconnect();
    });
    drawn.observe(host, { childList: true });
    roots.set(host, {
      root,
      stop: () => {
        sizes.disconnect();
        drawn.disconnect();
      },
    });
    return host;
  }

  override destroy(host: HTMLElement): void {
    const drawn = roots.get(host);
    drawn?.stop();
    // React may be drawing just now.
    if (drawn) queueMicrotask(() => drawn.root.unmount());
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const heights = new Map<string, number>();

function remember(key: string, height: number): void {
  if (heights.size > 2000) heights.clear();
  heights.set(key, height);
}

/** A picture of the workspace. */
export class PictureWidget extends DrawnWidget {
  protected override readonly tag = 'span';

  constructor(
    readonly path: string,
    readonly alt: string,
    readonly width: number | null,
  ) {
    super(`picture ${path} ${width} ${alt}`);
  }

  protected override guess = () => -1;
  protected override draw = () => <EmbeddedPicture path={this.path} alt={this.alt} width={this.width} />;
}

/** Another note, or a part of it. */
export class EmbedWidget extends DrawnWidget {
  protected override readonly tag = 'span';

  constructor(readonly inside: string) {
    super(`embed ${inside}`);
  }

  protected override guess = () => -1;
  protected override draw = (view: EditorView) => (
    <EmbeddedNote from={view.state.facet(notePath)} inside={this.inside} />
  );
}

/** Whole lines as they are read: a table, a formula, a diagram, markup. */
export class BlockWidget extends DrawnWidget {
  constructor(
    readonly source: string,
    readonly lineHeight: number,
    readonly extra: number,
  ) {
    super(source);
  }

  protected override get lines(): number {
    return this.source.split('\n').length;
  }

  protected override guess = () => this.lines * this.lineHeight + this.extra;
  protected override draw = (view: EditorView) => (
    <BlockText path={view.state.facet(notePath)} text={this.source} all={view.state.doc} />
  );
}

/** Front matter, folded. */
export class PropertiesWidget extends DrawnWidget {
  constructor(readonly yaml: string) {
    super(`properties ${yaml}`);
  }

  protected override guess = () => 32;
  protected override draw = (view: EditorView) => (
    <Properties
      yaml={this.yaml}
      onEdit={() => {
        view.focus();
        view.dispatch({ selection: { anchor: Math.min(4, view.state.doc.length) } });
      }}
    />
  );
}

/** The first line of fenced code: its language, and a button that copies it. */
export class FenceWidget extends DrawnWidget {
  protected override readonly tag = 'span';

  constructor(
    readonly info: string,
    readonly code: string,
  ) {
    super(`fence ${info} ${code.length} ${code.slice(0, 200)}`);
  }

  override eq(other: WidgetType): boolean {
    return other instanceof FenceWidget && other.info === this.info && other.code === this.code;
  }

  protected override guess = () => -1;
  protected override draw = () => <CopyCode info={this.info} code={this.code} />;
}

const SHAPES: Record<CalloutTone, IconName> = {
  note: 'pencil',
  tip: 'check',
  warn: 'warning',
  err: 'error',
  quote: 'chat',
};

/** The head of a callout: its sign, and its name where it has no title. */
export class CalloutWidget extends DrawnWidget {
  protected override readonly tag = 'span';

  constructor(
    readonly tone: CalloutTone,
    readonly words: string,
  ) {
    super(`callout ${tone} ${words}`);
  }

  protected override guess = () => -1;
  protected override draw = () => (
    <span className="cm-md-callout-sign">
      <Icon name={SHAPES[this.tone]} />
      {this.words}
    </span>
  );
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
