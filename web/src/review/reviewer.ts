/** The review of one CodeMirror editor: going from change to change, and answering. */
import type { StateEffect } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { announce } from '../ui/Announcer';
import type { WorkspacePath } from '../wire/gen/types';
import { acceptWhole, answerHunks } from './answers';
import { goElsewhere } from './elsewhere';
import { currentHunk, focusHunk, nextHunk, type PlacedHunk, reviewField } from './field';
import { proposalOf, proposalsAmong } from './hunks';
import { refresh } from './refresh';
import type { Reviewer } from './store';

/** Gives an answer, and shows what comes of it in one update of the editor with some more. */
export type Together = (more: readonly StateEffect<unknown>[], answer: () => void) => void;

/** Makes the review of an editor. */
export function reviewer(path: WorkspacePath, view: EditorView, together: Together): Reviewer {
  const hunks = () => view.state.field(reviewField).hunks;
  const goTo = (target: 1 | -1 | string) => show(view, hunkAt(view, target));
  return {
    path,
    count: () => hunks().length,
    hasCurrent: () => view.hasFocus && currentHunk(view.state) !== null,
    goTo,
    answer: (choice) => {
      const hunk = currentHunk(view.state);
      return hunk ? answer({ path, view, together }, hunk, choice) : goTo(1);
    },
    acceptAction: () => {
      const hunk = currentHunk(view.state);
      if (!hunk) return;
      const fits = fitting(hunks().filter((each) => proposalOf(each) === proposalOf(hunk)));
      // What it does in other files is shown with them, and accepted with it.
      if (fits.stale === 0) void acceptWhole(hunk, fits.open);
      else acceptFitting(fits);
    },
    decideAll: async (choice) => {
      let stale = 0;
      for (const ofOne of proposalsAmong(hunks())) {
        const fits = fitting(ofOne);
        if (choice === 'reject') {
          await answerHunks(ofOne.filter(isUnanswered), 'reject');
          continue;
        }
        stale += fits.stale;
        await answerHunks(fits.open, 'approve');
      }
      if (stale > 0) sayStale(stale);
      view.focus();
    },
  };
}

function isUnanswered({ accepted }: PlacedHunk): boolean {
  return !accepted;
}

/** What is left to answer. */
interface Fitting {
  readonly open: readonly PlacedHunk[];
  readonly stale: number;
}

/** The changes of a proposal without an answer that are still what was proposed, and how many are not. */
function fitting(ofOne: readonly PlacedHunk[]): Fitting {
  const open = ofOne.filter((hunk) => isUnanswered(hunk) && !hunk.place.stale);
  return { open, stale: ofOne.filter(({ place }) => place.stale).length };
}

/** One change whose lines are others by now must not keep the rest from being made: it stays, and can be asked for anew. */
function acceptFitting({ open, stale }: Fitting): void {
  void answerHunks(open, 'approve');
  sayStale(stale);
}

function sayStale(count: number): void {
  const words = count === 1 ? '1 change is out of date' : `${count} changes are out of date`;
  announce(`${words}. Choose Refresh to request a new proposal`, 'assertive');
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

/** An editor under review. */
interface Reviewed {
  readonly path: WorkspacePath;
  readonly view: EditorView;
  readonly together: Together;
}

/** Gives an answer and goes on to the next change without one, where it can be seen. */
function answer({ path, view, together }: Reviewed, hunk: PlacedHunk, choice: 'accept' | 'reject'): null {
  // A yes that is only kept can be taken back.
  if (hunk.answer && !(hunk.accepted && choice === 'reject')) return null;
  const { hunks } = view.state.field(reviewField);
  const at = hunks.indexOf(hunk);
  const next = [...hunks.slice(at + 1), ...hunks.slice(0, at)].find((each) => !each.answer) ?? null;
  const seen = next ? [EditorView.scrollIntoView(next.place.from, { y: 'nearest', yMargin: 100 })] : [];
  together([focusHunk.of(next?.key ?? null), ...seen], () => {
    if (choice === 'accept' && hunk.place.stale) void refresh(hunk);
    else void answerHunks([hunk], choice === 'accept' ? 'approve' : 'reject');
  });
  if (!next) goElsewhere(hunk, path);
  return null;
}

function describe(view: EditorView, hunk: PlacedHunk): string {
  const { hunks } = view.state.field(reviewField);
  const line = view.state.doc.lineAt(hunk.place.from).number;
  const lines = (many: number) => (many === 1 ? '1 line' : `${many} lines`);
  const stale = hunk.place.stale ? ', out of date' : '';
  const number = hunks.indexOf(hunk) + 1;
  const change = `removes ${lines(hunk.hunk.old.length)}, adds ${lines(hunk.hunk.new.length)}`;
  return `Change ${number} of ${hunks.length}, line ${line}${stale}: ${change}`;
}
