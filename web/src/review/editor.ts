/**
 * The review in the editor: an extension that shows the open hunks of its file, removed lines in their place
 * and new ones below, and keeps them in step with the records of actions.
 *
 * Nothing here changes the text: an accepted hunk is shown in place of its old lines at once, and comes back from the
 * server as a change like any other.
 */
import type { EditorState, Extension, Range, StateEffect } from '@codemirror/state';
import { Prec, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter, keymap, ViewPlugin } from '@codemirror/view';
import type * as Y from 'yjs';
import { useActions } from '../actions/store';
import { startActions } from '../actions/sync';
import { followPlans, usePlans } from '../tasks/plans';
import type { WorkspacePath } from '../wire/gen/types';
import { resolveAnchor } from './anchor';
import { answerHunks, answerOf } from './answers';
import { pairLines } from './changed';
import { registerReviewCommands } from './commands';
import { type AnchoredHunk, focusHunk, type PlacedHunk, reviewField, setHunks } from './field';
import { openHunks } from './hunks';
import { refresh } from './refresh';
import { reviewer } from './reviewer';
import { activate, currentReviewer, deactivate } from './store';
import { reviewTheme } from './theme';
import { type HunkAnswers, HunkWidget } from './widget';

/** The extension for the editor of one file; `doc` is the live document that the editor shows. */
export function review(path: WorkspacePath, doc: Y.Doc): Extension {
  startActions();
  followPlans();
  registerReviewCommands();
  return [reviewField, decorationField, signGutter, reviewTheme, follow(path, doc), confirmKey];
}

/** In a change, the key that elsewhere makes a new line accepts the whole proposal. */
const confirmKey = Prec.high(
  keymap.of([
    {
      key: 'Mod-Enter',
      run: () => {
        const current = currentReviewer();
        if (!current?.hasCurrent()) return false;
        current.acceptAction();
        return true;
      },
    },
  ]),
);

/** Sets the hunks of the file whenever a record or a pending answer changes. */
function follow(path: WorkspacePath, doc: Y.Doc): Extension {
  return ViewPlugin.define((view) => {
    let shown: readonly AsShown[] = [];
    const show = () => {
      const open = asShown(path);
      if (sameHunks(open, shown)) return;
      shown = open;
      const hunks = open.map((each) => anchored(each, doc));
      const before = view.state.field(reviewField);
      const more = together.splice(0);
      view.dispatch({ effects: [setHunks.of(hunks), ...more] });
      if (more.length === 0) reveal(view, before.focused);
    };
    /** What is shown with the next change of the hunks: every update of the editor costs what it draws. */
    const together: StateEffect<unknown>[] = [];
    let gone = false;
    queueMicrotask(() => !gone && show());
    const stops = [
      useActions.subscribe((now, before) => {
        if (now.records !== before.records || now.deciding !== before.deciding) show();
      }),
      usePlans.subscribe(show),
    ];
    const own = reviewer(path, view, (more, answer) => {
      together.push(...more);
      answer();
      // An answer that was not given changes no hunk.
      if (together.length > 0) view.dispatch({ effects: together.splice(0) });
    });
    activate(own);
    return {
      update: (update) => {
        if (update.focusChanged && update.view.hasFocus) activate(own);
      },
      destroy: () => {
        gone = true;
        for (const stop of stops) stop();
        deactivate(own);
      },
    };
  });
}

/** When the keys go on to another change, it has to be seen before it can be answered. */
function reveal(view: EditorView, before: string | null): void {
  const { hunks, focused } = view.state.field(reviewField);
  const next = focused === before ? undefined : hunks.find((each) => each.key === focused);
  if (next) view.dispatch({ effects: EditorView.scrollIntoView(next.place.from, { y: 'nearest', yMargin: 100 }) });
}

type AsShown = Omit<AnchoredHunk, 'at'>;

function asShown(path: WorkspacePath): AsShown[] {
  const open = openHunks(useActions.getState().records.values(), usePlans.getState().plans.values(), path);
  return open.map((each) => ({ ...each, answer: answerOf(each) }));
}

/** Most of what is heard of actions is about others: the editor is left alone then. */
function sameHunks(some: readonly AsShown[], others: readonly AsShown[]): boolean {
  const isSame = (one: AsShown, two: AsShown | undefined) =>
    one.key === two?.key && one.hash === two.hash && one.answer === two.answer && one.accepted === two.accepted;
  return some.length === others.length && some.every((each, index) => isSame(each, others[index]));
}

function anchored(open: AsShown, doc: Y.Doc): AnchoredHunk {
  return { ...open, at: open.hunk.anchor ? resolveAnchor(doc, open.hunk.anchor) : null };
}

/** What the buttons in the text do; the place of the cursor stays. */
const answers: HunkAnswers = {
  accept: (hunk) => void answerHunks([hunk], 'approve'),
  reject: (hunk) => void answerHunks([hunk], 'reject'),
  replan: (hunk) => void refresh(hunk),
};

const decorationField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    const asked = transaction.effects.some((effect) => effect.is(setHunks) || effect.is(focusHunk));
    return transaction.docChanged || asked ? decorate(transaction.state) : decorations;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorate(state: EditorState): DecorationSet {
  const { hunks, focused } = state.field(reviewField);
  const ranges = hunks
    .filter((each) => each.answer !== 'reject' && !isApplied(state, each))
    .flatMap((each) => {
      const widget = widgetOf(state, each, hunks.indexOf(each) + 1, hunks.length, each.key === focused);
      return isAccepted(each) ? [instead(each, widget)] : [...oldLines(state, each), block(state, each, widget)];
    });
  return Decoration.set(ranges, true);
}

/** It is shown as it will be: the server's word comes after the eye, and its refusal brings the old lines back. */
function isAccepted({ answer, place, hunk }: PlacedHunk): boolean {
  return answer === 'approve' && !place.stale && hunk.old.length > 0;
}

function instead({ place }: PlacedHunk, widget: HunkWidget): Range<Decoration> {
  return Decoration.replace({ widget, block: true }).range(place.from, place.to);
}

/** An accepted change can arrive before the word that it was accepted: nothing of it is left to show. */
function isApplied(state: EditorState, { answer, hunk, place }: PlacedHunk): boolean {
  if (!answer || !place.stale) return false;
  const first = state.doc.lineAt(place.from).number;
  return hunk.new.every(
    (text, index) => first + index <= state.doc.lines && state.doc.line(first + index).text === text,
  );
}

const removedLine = Decoration.line({ class: 'cm-hunk-old' });
const staleLine = Decoration.line({ class: 'cm-hunk-old-stale' });
const removedText = Decoration.mark({ class: 'cm-hunk-removed' });

function oldLines(state: EditorState, { hunk, place }: PlacedHunk): Range<Decoration>[] {
  if (hunk.old.length === 0) return [];
  const first = state.doc.lineAt(place.from);
  if (place.stale) return [staleLine.range(first.from)];
  const pairs = pairLines(hunk.old, hunk.new);
  return hunk.old.flatMap((_, index) => {
    const line = state.doc.line(first.number + index);
    const pair = pairs[index];
    const changed =
      pair && pair.oldTo > pair.from ? [removedText.range(line.from + pair.from, line.from + pair.oldTo)] : [];
    return [removedLine.range(line.from), ...changed];
  });
}

/** Under the lines it replaces; an insertion before its line, or after the last. */
function block(state: EditorState, { hunk, place }: PlacedHunk, widget: HunkWidget): Range<Decoration> {
  const inserts = hunk.old.length === 0 && place.from === state.doc.lineAt(place.from).from;
  return Decoration.widget({ widget, block: true, side: inserts ? -1 : 1 }).range(inserts ? place.from : place.to);
}

function widgetOf(state: EditorState, hunk: PlacedHunk, number: number, count: number, focused: boolean): HunkWidget {
  const line = state.doc.lineAt(hunk.place.from).number;
  const now = hunk.place.stale ? linesFrom(state, line, hunk.hunk.old.length) : [];
  return new HunkWidget(hunk, number, count, line, focused, now, answers);
}

/** Some lines of the text as it is now, as many as there are. */
function linesFrom(state: EditorState, first: number, count: number): string[] {
  const last = Math.min(first + count - 1, state.doc.lines);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => state.doc.line(first + index).text);
}

/** Minus and plus beside the lines: the colour is not the only sign. */
class Signs extends GutterMarker {
  constructor(
    readonly sign: string,
    readonly times: number,
  ) {
    super();
  }

  override eq(other: Signs): boolean {
    return this.sign === other.sign && this.times === other.times;
  }

  override toDOM(): Node {
    const signs = document.createElement('div');
    signs.className = this.sign === '+' ? 'cm-hunk-plus' : 'cm-hunk-minus';
    signs.textContent = Array.from({ length: this.times }, () => this.sign).join('\n');
    return signs;
  }
}

const MINUS = new Signs('−', 1);

const signGutter = gutter({
  class: 'cm-hunk-gutter',
  lineMarker: (view, line) => {
    const { hunks } = view.state.field(reviewField);
    const removed = hunks.some(
      ({ hunk, place }) => !place.stale && hunk.old.length > 0 && place.from <= line.from && line.from <= place.to,
    );
    return removed ? MINUS : null;
  },
  widgetMarker: (_, widget) =>
    widget instanceof HunkWidget && widget.hunk.hunk.new.length > 0
      ? new Signs('+', widget.hunk.hunk.new.length)
      : null,
  lineMarkerChange: (update) => update.startState.field(reviewField) !== update.state.field(reviewField),
});
