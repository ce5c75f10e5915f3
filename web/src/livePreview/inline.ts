// What is rendered inside lines: for the lines in sight only, anew when they, the cursor or the syntax change.
import { syntaxTree } from '@codemirror/language';
import type { Extension, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { isDrawnAsBlock } from './blocks';
import { Drawing } from './drawing';
import { linksChanged } from './links';
import { NODES } from './nodes';
import { revealed } from './reveal';

/** The decorations of the lines in sight. */
export const inlinePreview: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    /** They were only moved along while an input method was at work. */
    private isMoved = false;

    constructor(view: EditorView) {
      this.decorations = draw(view);
    }

    update(update: ViewUpdate): void {
      const { view, state, startState } = update;
      // Between the keys of an input method its text must stay the browser's own.
      if (view.composing && update.docChanged) {
        this.decorations = this.decorations.map(update.changes);
        this.isMoved = true;
      } else if (
        (this.isMoved && !view.composing) ||
        update.docChanged ||
        update.viewportChanged ||
        state.field(revealed) !== startState.field(revealed, false) ||
        syntaxTree(state) !== syntaxTree(startState) ||
        update.transactions.some(({ effects }) => effects.some((effect) => effect.is(linksChanged)))
      ) {
        this.decorations = draw(view);
        this.isMoved = false;
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function draw(view: EditorView): DecorationSet {
  const { state } = view;
  const tree = syntaxTree(state);
  const ranges: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    const drawing = new Drawing(state, from, to);
    tree.iterate({
      from,
      to,
      enter: (node) => {
        if (isDrawnAsBlock(state, node.name, node.from, node.to)) return false;
        return NODES[node.name]?.(drawing, node) !== false;
      },
    });
    ranges.push(...drawing.ranges);
  }
  return Decoration.set(ranges, true);
}
