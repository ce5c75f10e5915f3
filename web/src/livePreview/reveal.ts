// Where the source of Markdown is shown: at the cursor, at proposed changes, at the found word.
import { searchPanelOpen } from '@codemirror/search';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';
import { reviewField } from '../review/field';

/** A part of the text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Revealed {
  readonly focused: boolean;
  /** The mouse selects: nothing moves under it until it is let go. */
  readonly pressed: boolean;
  readonly spans: readonly Span[];
}

/** The editor has the keyboard, or has it no longer. */
export const setFocused = StateEffect.define<boolean>();
const setPressed = StateEffect.define<boolean>();

/** The parts whose source is shown. */
export const revealed = StateField.define<Revealed>({
  create: (state) => ({ focused: false, pressed: false, spans: spansOf(state, false) }),
  update(before, transaction) {
    let { focused, pressed } = before;
    for (const effect of transaction.effects) {
      if (effect.is(setFocused)) focused = effect.value;
      if (effect.is(setPressed)) pressed = effect.value;
    }
    const { state, changes, docChanged } = transaction;
    const spans = pressed
      ? docChanged
        ? before.spans.map(({ from, to }) => ({ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) }))
        : before.spans
      : spansOf(state, focused);
    const same = focused === before.focused && pressed === before.pressed && sameSpans(spans, before.spans);
    return same ? before : { focused, pressed, spans };
  },
});

function spansOf(state: EditorState, focused: boolean): Span[] {
  const { hunks } = state.field(reviewField);
  const changes = hunks.map(({ place: { from, to } }) => ({ from, to }));
  const cursors = focused || searchPanelOpen(state) ? state.selection.ranges.map(({ from, to }) => ({ from, to })) : [];
  return [...cursors, ...changes];
}

function sameSpans(some: readonly Span[], others: readonly Span[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ from, to }, at) => from === others[at]?.from && to === others[at]?.to)
  );
}

/** Tells whether the source of a part is shown: a cursor at its edge counts. */
export function isRevealed(state: EditorState, from: number, to: number): boolean {
  return state.field(revealed).spans.some((span) => span.from <= to && span.to >= from);
}

/** Follows the keyboard and the mouse. */
export function followReveal(): Extension {
  return [
    revealed,
    // A window that is left keeps its look: only another place in the page takes the cursor away.
    EditorView.focusChangeEffect.of((_state, focusing) =>
      focusing || document.hasFocus() ? setFocused.of(focusing) : null,
    ),
    ViewPlugin.define((view) => {
      const down = (event: MouseEvent) => {
        if (event.button === 0 && view.contentDOM.contains(event.target as Node))
          view.dispatch({ effects: setPressed.of(true) });
      };
      const up = () => {
        if (view.state.field(revealed).pressed) view.dispatch({ effects: setPressed.of(false) });
      };
      view.dom.addEventListener('mousedown', down, true);
      window.addEventListener('mouseup', up, true);
      window.addEventListener('dragend', up, true);
      return {
        destroy: () => {
          view.dom.removeEventListener('mousedown', down, true);
          window.removeEventListener('mouseup', up, true);
          window.removeEventListener('dragend', up, true);
        },
      };
    }),
  ];
}
