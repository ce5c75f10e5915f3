/** The review of one CodeMirror editor: going from change to change, and answering. */
import { EditorView } from '@codemirror/view';
import { accept, reject } from '../actions/store';
import { announce } from '../ui/Announcer';
import type { ActionId, WorkspacePath } from '../wire/gen/types';
import { currentHunk, focusHunk, nextHunk, type PlacedHunk, reviewField } from './field';
import { actionsAmong } from './hunks';
import { refresh } from './refresh';
import type { Reviewer } from './store';

/** Makes the review of an editor. */
export function reviewer(path: WorkspacePath, view: EditorView): Reviewer {
  const hunks = () => view.state.field(reviewField).hunks;
  const goTo = (target: 1 | -1 | string) => show(view, hunkAt(view, target));
  return {
    path,
    count: () => hunks().length,
    hasCurrent: () => view.hasFocus && currentHunk(view.state) !== null,
    goTo,
    answer: (choice) => {
      const hunk = currentHunk(view.state);
      return hunk ? answer(view, hunk, choice) : goTo(1);
    },
    acceptAction: () => {
      const hunk = currentHunk(view.state);
      if (!hunk) return;
      const fits = fitting(hunks(), hunk.action);
      // What it does in other files is shown with them, and accepted with it.
      if (fits.stale === 0) void accept(hunk.action);
      else acceptFitting(hunk.action, fits);
    },
    decideAll: async (choice) => {
      const open = hunks();
      let stale = 0;
      for (const action of actionsAmong(open)) {
        const fits = fitting(open, action);
        if (choice === 'reject') {
          await reject(action, { parts: open.filter((hunk) => hunk.action === action).map((hunk) => hunk.part) });
          continue;
        }
        stale += fits.stale;
        if (fits.parts.length > 0) await accept(action, { parts: fits.parts });
      }
      if (stale > 0) sayStale(stale);
      view.focus();
    },
  };
}

/** The changes of an action that are still what was proposed, and how many are not. */
function fitting(open: readonly PlacedHunk[], action: ActionId): { parts: number[]; stale: number } {
  const ofAction = open.filter((hunk) => hunk.action === action);
  const parts = ofAction.filter(({ place }) => !place.stale).map(({ part }) => part);
  return { parts, stale: ofAction.length - parts.length };
}

/** One change whose lines are others by now must not keep the rest from being made: it stays, and can be asked for anew. */
function acceptFitting(action: ActionId, { parts, stale }: { parts: number[]; stale: number }): void {
  if (parts.length > 0) void accept(action, { parts });
  sayStale(stale);
}

function sayStale(count: number): void {
  const words = count === 1 ? 'One change is stale and stays' : `${count} changes are stale and stay`;
  announce(`${words}: Refresh asks for it again`, 'assertive');
}

function hunkAt(view: EditorView, target: 1 | -1 | string): PlacedHunk | null {
  if (typeof target === 'number') return nextHunk(view.state, target);
  return view.state.field(reviewField).hunks.find((each) => each.key === target) ?? null;
}

/** Moves the cursor there, so that what is typed and what is answered are at one place. */
function show(view: EditorView, hunk: PlacedHunk | null): string | null {
  if (!hunk) return null;
  view.dispatch({
    selection: { anchor: hunk.place.from },
    effects: [focusHunk.of(hunk.key), EditorView.scrollIntoView(hunk.place.from, { y: 'center' })],
  });
  view.focus();
  return describe(view, hunk);
}

/** Gives an answer and goes on to the next change without one, where it can be seen. */
function answer(view: EditorView, hunk: PlacedHunk, choice: 'accept' | 'reject'): null {
  if (hunk.answer) return null;
  const { hunks } = view.state.field(reviewField);
  const at = hunks.indexOf(hunk);
  const next = [...hunks.slice(at + 1), ...hunks.slice(0, at)].find((each) => !each.answer) ?? null;
  const seen = next ? [EditorView.scrollIntoView(next.place.from, { y: 'nearest', yMargin: 100 })] : [];
  view.dispatch({ effects: [focusHunk.of(next?.key ?? null), ...seen] });
  const parts = [hunk.part];
  if (choice === 'accept' && hunk.place.stale) void refresh(hunk);
  else if (choice === 'accept') void accept(hunk.action, { parts });
  else void reject(hunk.action, { parts });
  return null;
}

function describe(view: EditorView, hunk: PlacedHunk): string {
  const { hunks } = view.state.field(reviewField);
  const line = view.state.doc.lineAt(hunk.place.from).number;
  const lines = (many: number) => (many === 1 ? '1 line' : `${many} lines`);
  const stale = hunk.place.stale ? ', stale' : '';
  const number = hunks.indexOf(hunk) + 1;
  const change = `removes ${lines(hunk.hunk.old.length)}, adds ${lines(hunk.hunk.new.length)}`;
  return `Change ${number} of ${hunks.length}, line ${line}${stale}: ${change}`;
}
