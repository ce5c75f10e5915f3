/** Widgets that React draws: pictures, embedded notes, blocks, heads of code and callouts. */
import type { EditorView, WidgetType } from '@codemirror/view';
import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import type { CalloutTone } from '../markdown/noteSyntax';
import { Icon, type IconName } from '../ui/Icon';
import { BlockText, CopyCode, EmbeddedNote, EmbeddedPicture, Properties } from './parts';
import { notePath } from './place';
import { element, enterByPress, Sign } from './sign';

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

  protected override get lines(): number {
    return this.yaml.split('\n').length + 2;
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
