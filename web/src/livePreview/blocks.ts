// Constructs of whole lines that are rendered as one: tables, displayed formulas, diagrams, markup, front matter. Only those
// near the lines in sight are made; those that were made stay, so that nothing above changes its height.
import { syntaxTree } from '@codemirror/language';
import {
  type EditorState,
  type Extension,
  Prec,
  type Range,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, ViewPlugin } from '@codemirror/view';
import { BlockWidget, PropertiesWidget } from './drawn';
import { isRevealed, revealed } from './reveal';

/** Characters around the lines in sight in which blocks are made. */
const NEAR = 12_000;
/** A longer block stays as it is written. */
const LONGEST = 40_000;

interface Blocks {
  readonly from: number;
  readonly to: number;
  readonly shown: DecorationSet;
}

const lookAt = StateEffect.define<{ from: number; to: number }>({
  map: ({ from, to }, changes) => ({ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) }),
});

const blocks = StateField.define<Blocks>({
  create: (state) => around(state, { from: 0, to: 0, shown: Decoration.none }, 0, Math.min(state.doc.length, NEAR)),
  update(before, transaction) {
    const seen = transaction.effects.find((effect) => effect.is(lookAt))?.value;
    if (!seen && !isStale(transaction)) return before;
    const { changes, docChanged, state } = transaction;
    const shown = docChanged ? before.shown.map(changes) : before.shown;
    const from = seen?.from ?? changes.mapPos(before.from, -1);
    const to = seen?.to ?? changes.mapPos(before.to, 1);
    return around(state, { from, to, shown }, from, to);
  },
  provide: (field) => EditorView.decorations.from(field, ({ shown }) => shown),
});

// An editor that is open when the look comes had no fields of it before.
function isStale({ state, startState, docChanged }: Transaction): boolean {
  return (
    docChanged ||
    state.field(revealed) !== startState.field(revealed, false) ||
    syntaxTree(state) !== syntaxTree(startState)
  );
}

/** Makes the blocks of a part anew; those outside of it stay. */
function around(state: EditorState, { shown }: Blocks, from: number, to: number): Blocks {
  const add: Range<Decoration>[] = [];
  syntaxTree(state).iterate({
    from,
    to,
    enter: ({ name, from: start, to: end }) => {
      if (LEAVES.has(name)) return false;
      const block = KINDS[name]?.(state, start, end);
      if (block) add.push(...block);
      return block === undefined || block === null;
    },
  });
  const [first, last] = [add[0]?.from ?? from, add.at(-1)?.to ?? to];
  const next = shown.update({
    add,
    sort: true,
    filter: (start, end) => end < Math.min(from, first) || start > Math.max(to, last),
  });
  return { from, to, shown: next };
}

/** Nothing that is a block stands in them. */
const LEAVES: ReadonlySet<string> = new Set([
  'Paragraph',
  'ATXHeading1',
  'ATXHeading2',
  'ATXHeading3',
  'CodeText',
  'Stream',
]);

type Make = (state: EditorState, from: number, to: number) => Range<Decoration>[] | null;

const drawn =
  (lineHeight: number, extra: number): Make =>
  (state, from, to) => {
    if (to - from > LONGEST || isRevealed(state, from, to) || !isWholeLines(state, from, to)) return null;
    return [replaced(from, to, new BlockWidget(state.sliceDoc(from, to), lineHeight, extra))];
  };

const table = drawn(30, 8);

/** While a formula is written, it is shown below as it will be. */
const formula: Make = (state, from, to) => {
  const source = state.sliceDoc(from, to);
  const isClosed = /^(?:\$\$[\s\S]+\$\$|\\\[[\s\S]+\\\]|\\begin[\s\S]+\\end\{[^}]*\})$/.test(source);
  if (!isClosed || !isWholeLines(state, from, to) || to - from > LONGEST) return null;
  const widget = new BlockWidget(source, 24, 16);
  if (!isRevealed(state, from, to)) return [replaced(from, to, widget)];
  return [Decoration.widget({ widget, block: true, side: 1 }).range(to)];
};

const diagram: Make = (state, from, to) => {
  const isDiagram = /^[`~]{3,}\s*\{?mermaid\b/i.test(state.sliceDoc(from, Math.min(to, from + 40)));
  if (!isDiagram || !/\n[ \t]*[`~]{3,}$/.test(state.sliceDoc(Math.max(from, to - 20), to))) return null;
  return drawn(0, 240)(state, from, to);
};

const frontMatter: Make = (state, from, to) => {
  const text = state.sliceDoc(from, to);
  const end = text.endsWith('\n') ? to - 1 : to;
  // The cursor of a note that was just opened stands before it.
  if (isRevealed(state, from + 1, end) || !/\n(?:---|\.\.\.)[ \t]*\n?$/.test(text)) return null;
  const yaml = text.replace(/^\ufeff?---[ \t]*\n/, '').replace(/(?:^|\n)(?:---|\.\.\.)[ \t]*\n?$/, '');
  return [replaced(from, end, new PropertiesWidget(yaml))];
};

const KINDS: Readonly<Record<string, Make>> = {
  Table: table,
  BlockMath: formula,
  FencedCode: diagram,
  HTMLBlock: drawn(22, 0),
  Frontmatter: frontMatter,
};

const replaced = (from: number, to: number, widget: BlockWidget | PropertiesWidget): Range<Decoration> =>
  Decoration.replace({ widget, block: true }).range(from, to);

/** In a list or a quote a block shares its lines with other marks. */
function isWholeLines({ doc }: EditorState, from: number, to: number): boolean {
  return doc.lineAt(from).from === from && doc.lineAt(to).to === to;
}

/** Whether a construct is rendered as one now. */
export function isDrawnAsBlock(state: EditorState, name: string, from: number, to: number): boolean {
  if (!(name in KINDS)) return false;
  let found = false;
  state.field(blocks).shown.between(from, to, (start, end) => {
    found ||= start === from && end > start && end <= to;
  });
  return found;
}

/** Makes blocks as they come near. */
const follow = ViewPlugin.define((view) => {
  let frame = 0;
  const look = () => {
    frame = 0;
    const { from, to } = view.viewport;
    const { doc } = view.state;
    view.dispatch({
      effects: lookAt.of({
        from: doc.lineAt(Math.max(0, from - NEAR)).from,
        to: doc.lineAt(Math.min(doc.length, to + NEAR)).to,
      }),
    });
  };
  const soon = () => {
    const known = view.state.field(blocks);
    const { from, to } = view.viewport;
    const isKnown = known.from <= from && (known.to >= to || known.to >= view.state.doc.length);
    if (!isKnown && frame === 0) frame = requestAnimationFrame(look);
  };
  soon();
  return {
    update: ({ viewportChanged, docChanged }) => (viewportChanged || docChanged) && soon(),
    destroy: () => cancelAnimationFrame(frame),
  };
});

/**
 * The arrows go into the source of a block that stands in for lines: the editor itself would step over it. `step` is 1 down,
 * -1 up.
 */
function enter(view: EditorView, step: 1 | -1): boolean {
  const { doc, selection } = view.state;
  const { main, ranges } = selection;
  if (ranges.length > 1 || !main.empty) return false;
  const line = doc.lineAt(main.head);
  const next = line.number + step;
  if (next < 1 || next > doc.lines) return false;
  const at = doc.line(next);
  const there = view.moveVertically(main, step === 1).head;
  const isOver = step === 1 ? there > at.to || there === main.head : there < at.from || there === main.head;
  if (!isOver || !isHidden(view.state, at.from, at.to)) return false;
  view.dispatch({ selection: { anchor: at.from }, scrollIntoView: true, userEvent: 'select' });
  return true;
}

function isHidden(state: EditorState, from: number, to: number): boolean {
  let found = false;
  state.field(blocks).shown.between(from, to, (start, end) => {
    found ||= end > start && start <= from && end >= to;
  });
  return found;
}

const arrows = Prec.high(
  keymap.of([
    { key: 'ArrowDown', run: (view) => enter(view, 1) },
    { key: 'ArrowUp', run: (view) => enter(view, -1) },
  ]),
);

/** All of it. */
export const blockPreview: Extension = [blocks, follow, arrows];
