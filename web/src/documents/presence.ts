// Where others are in the text: a caret with their name, their selection. And where we are, for them.
import type { Extension, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, WidgetType } from '@codemirror/view';
import type { Awareness } from 'y-protocols/awareness';
import * as Y from 'yjs';

/** Colours that can be told apart; the classes are in presence.css terms below. */
const COLOURS = 6;

interface Peer {
  name: string;
  colour: number;
  anchor: number;
  head: number;
}

/** The extension for an editor that shows `text`. */
export function presence(text: Y.Text, awareness: Awareness): Extension {
  return [ViewPlugin.define((view) => new Presence(view, text, awareness), { decorations: (it) => it.peers }), theme];
}

/** Says who we are to the others. */
export function introduce(awareness: Awareness, name: string): void {
  awareness.setLocalStateField('user', { name, colour: awareness.clientID % COLOURS });
}

class Presence {
  peers: DecorationSet;
  /** What the others see of us is in this editor, and in no other one of the same document. */
  private here = false;

  constructor(
    private readonly view: EditorView,
    private readonly text: Y.Text,
    private readonly awareness: Awareness,
  ) {
    this.peers = this.draw();
    awareness.on('change', this.onChange);
  }

  update(update: ViewUpdate): void {
    if (update.selectionSet || update.docChanged || update.focusChanged) this.publish();
    this.peers = this.draw();
  }

  destroy(): void {
    this.awareness.off('change', this.onChange);
    if (this.here && this.awareness.getLocalState() !== null) this.awareness.setLocalStateField('cursor', null);
  }

  private readonly onChange = ({
    added,
    updated,
    removed,
  }: Record<'added' | 'updated' | 'removed', number[]>): void => {
    const others = [...added, ...updated, ...removed].some((client) => client !== this.awareness.clientID);
    // Not while an update goes on: an edit of ours may be what moved our own cursor.
    if (others) queueMicrotask(() => this.view.dom.isConnected && this.view.dispatch({}));
  };

  private publish(): void {
    const before = this.awareness.getLocalState()?.cursor;
    if (!this.view.hasFocus) {
      if (before && this.here) this.awareness.setLocalStateField('cursor', null);
      this.here = false;
      return;
    }
    this.here = true;
    const { anchor, head } = this.view.state.selection.main;
    const cursor = { anchor: this.relative(anchor), head: this.relative(head) };
    if (JSON.stringify(cursor) !== JSON.stringify(before)) this.awareness.setLocalStateField('cursor', cursor);
  }

  private draw(): DecorationSet {
    const marks: Range<Decoration>[] = [];
    for (const [client, state] of this.awareness.getStates()) {
      const peer = client === this.awareness.clientID ? null : this.peerIn(state);
      if (peer) marks.push(...decorations(peer));
    }
    return Decoration.set(marks, true);
  }

  /** What a peer says of itself, taken with care. */
  private peerIn(state: Record<string, unknown>): Peer | null {
    const cursor = state.cursor as { anchor?: unknown; head?: unknown } | null | undefined;
    const user = state.user as { name?: unknown; colour?: unknown } | null | undefined;
    const anchor = this.absolute(cursor?.anchor);
    const head = this.absolute(cursor?.head);
    if (anchor === null || head === null) return null;
    const name = typeof user?.name === 'string' ? user.name.slice(0, 40) : 'Anonymous';
    const colour = typeof user?.colour === 'number' ? Math.abs(Math.trunc(user.colour)) % COLOURS : 0;
    return { name, colour, anchor, head };
  }

  private relative(index: number): Y.RelativePosition {
    return Y.createRelativePositionFromTypeIndex(this.text, index);
  }

  private absolute(json: unknown): number | null {
    if (typeof json !== 'object' || json === null || !this.text.doc) return null;
    try {
      const position = Y.createRelativePositionFromJSON(json);
      const found = Y.createAbsolutePositionFromRelativePosition(position, this.text.doc);
      return found && found.type === this.text ? Math.min(found.index, this.view.state.doc.length) : null;
    } catch {
      return null;
    }
  }
}

function decorations({ name, colour, anchor, head }: Peer): Range<Decoration>[] {
  const caret = Decoration.widget({ widget: new Caret(name, colour), side: head > anchor ? -1 : 1 }).range(head);
  if (anchor === head) return [caret];
  const selection = Decoration.mark({ class: `cm-peer cm-peer-${colour}` });
  return [selection.range(Math.min(anchor, head), Math.max(anchor, head)), caret];
}

class Caret extends WidgetType {
  constructor(
    private readonly name: string,
    private readonly colour: number,
  ) {
    super();
  }

  override eq(other: Caret): boolean {
    return other.name === this.name && other.colour === this.colour;
  }

  override toDOM(): HTMLElement {
    const caret = document.createElement('span');
    caret.className = `cm-peer-caret cm-peer-${this.colour}`;
    caret.ariaHidden = 'true';
    const label = caret.appendChild(document.createElement('span'));
    label.textContent = this.name;
    return caret;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const HUES = [210, 25, 150, 285, 340, 60];

const theme = EditorView.baseTheme({
  ...Object.fromEntries(
    HUES.map((hue, index) => [
      `.cm-peer-${index}`,
      { '--peer': `light-dark(hsl(${hue} 80% 28%), hsl(${hue} 75% 76%))` },
    ]),
  ),
  '.cm-peer': { backgroundColor: 'color-mix(in srgb, var(--peer) 22%, transparent)' },
  '.cm-peer-caret': {
    position: 'relative',
    borderLeft: '2px solid var(--peer)',
    marginLeft: '-1px',
    marginRight: '-1px',
  },
  '.cm-peer-caret > span': {
    position: 'absolute',
    zIndex: '5',
    left: '-2px',
    bottom: '100%',
    padding: '0 4px',
    borderRadius: 'var(--radius-1) var(--radius-1) var(--radius-1) 0',
    color: 'var(--bg)',
    backgroundColor: 'var(--peer)',
    font: '600 11px/16px var(--font-ui)',
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
  },
  '.cm-line:first-child .cm-peer-caret > span': { bottom: 'auto', top: '100%' },
});
