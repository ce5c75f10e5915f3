// The editors of a comparison: two beside each other, or one with the lines that are gone in it. Nothing can be typed in them.
import { foldKeymap } from '@codemirror/language';
import {
  type DiffConfig,
  getChunks,
  goToNextChunk,
  goToPreviousChunk,
  MergeView,
  unifiedMergeView,
} from '@codemirror/merge';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { find } from '../editor/find';
import { loadLanguage } from '../editor/langs';
import { editorTheme } from '../editor/theme';
import { kindOf } from '../files/kind';
import { lineDiff } from './lineDiff';
import { compareTheme } from './theme';

/** How the two texts stand. */
export type Layout = 'split' | 'unified';

/** One text and its name. */
export interface ComparedSide {
  readonly path: string;
  readonly label: string;
  readonly text: string;
}

/** The editors, as their bar needs them. */
export interface MergeEditors {
  readonly count: number;
  /** Goes to the next or the previous change; returns its line in the second text. */
  go(step: 1 | -1): number | null;
  /** The line of the cursor in the second text. */
  line(): number;
  focus(): void;
  destroy(): void;
}

const DIFF: DiffConfig = { override: lineDiff };

/** Unchanged lines around a change, and the fewest that are folded. */
const COLLAPSED = { margin: 3, minSize: 6 };

/** Shows two texts in an element. */
export async function mergeEditors(
  parent: HTMLElement,
  from: ComparedSide,
  to: ComparedSide,
  layout: Layout,
): Promise<MergeEditors> {
  const [ofFrom, ofTo] = await Promise.all([extensions(from), extensions(to)]);
  return layout === 'split' ? split(parent, from, to, ofFrom, ofTo) : unified(parent, from, to, ofTo);
}

function split(parent: HTMLElement, from: ComparedSide, to: ComparedSide, ofFrom: Extension, ofTo: Extension) {
  const merge = new MergeView({
    a: { doc: from.text, extensions: ofFrom },
    b: { doc: to.text, extensions: ofTo },
    parent,
    collapseUnchanged: COLLAPSED,
    diffConfig: DIFF,
    gutter: true,
  });
  const stop = merge.chunks.length > MANY ? alignAtRest(merge) : () => {};
  const destroy = () => {
    stop();
    merge.destroy();
  };
  return handle(merge.b, merge.chunks.length, destroy);
}

/** Changes of which the places in both texts can be brought to one height within a frame. */
const MANY = 300;

/** Milliseconds without scrolling after which more changes than that are. */
const REST = 120;

/**
 * Brings the two texts to one height once nothing scrolls any more: it looks at all changes, not only those in sight, and
 * CodeMirror does so in every frame. Until then they stand as their heights were guessed, at most some lines apart.
 */
function alignAtRest(merge: MergeView): () => void {
  const own = merge as unknown as { measure(): void };
  const align = own.measure.bind(merge);
  let timer = 0;
  own.measure = () => {
    clearTimeout(timer);
    timer = window.setTimeout(align, REST);
  };
  return () => clearTimeout(timer);
}

function unified(parent: HTMLElement, from: ComparedSide, to: ComparedSide, ofTo: Extension) {
  const merge = unifiedMergeView({
    original: from.text,
    mergeControls: false,
    gutter: true,
    collapseUnchanged: COLLAPSED,
    diffConfig: DIFF,
  });
  const view = new EditorView({ state: EditorState.create({ doc: to.text, extensions: [merge, ofTo] }), parent });
  return handle(view, getChunks(view.state)?.chunks.length ?? 0, () => view.destroy());
}

function handle(view: EditorView, count: number, destroy: () => void): MergeEditors {
  const line = () => view.state.doc.lineAt(view.state.selection.main.head).number;
  return {
    count,
    line,
    go: (step) => ((step > 0 ? goToNextChunk : goToPreviousChunk)(view) ? line() : null),
    focus: () => view.focus(),
    destroy,
  };
}

async function extensions({ path, label }: ComparedSide): Promise<Extension> {
  const language = await loadLanguage(kindOf(path)).catch(() => null);
  return [
    lineNumbers(),
    highlightSpecialChars(),
    highlightSelectionMatches(),
    find(),
    EditorState.readOnly.of(true),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label }),
    keymap.of([
      { key: 'Alt-]', run: goToNextChunk, preventDefault: true },
      { key: 'Alt-[', run: goToPreviousChunk, preventDefault: true },
      ...searchKeymap,
      ...foldKeymap,
    ]),
    language ?? [],
    editorTheme,
    compareTheme,
  ];
}
