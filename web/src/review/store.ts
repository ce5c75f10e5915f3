/** Which editors show a review, and what the keys and the bar do with the one that has the attention. */
import { EditorView } from '@codemirror/view';
import { create } from 'zustand';
import { accept, reject } from '../actions/store';
import type { WorkspacePath } from '../wire/gen/types';
import { currentHunk, focusHunk, nextHunk, type PlacedHunk, reviewField } from './field';
import { actionsAmong } from './hunks';

interface Reviewed {
  readonly path: WorkspacePath;
  readonly view: EditorView;
}

/** The editors that are open, the one used last at the end. */
const useReviewed = create<{ readonly editors: readonly Reviewed[] }>(() => ({ editors: [] }));

/** Says that an editor is used now. */
export function activate(path: WorkspacePath, view: EditorView): void {
  useReviewed.setState(({ editors }) => ({
    editors: [...editors.filter((each) => each.view !== view), { path, view }],
  }));
}

/** Says that an editor is gone. */
export function deactivate(_path: WorkspacePath, view: EditorView): void {
  useReviewed.setState(({ editors }) => ({ editors: editors.filter((each) => each.view !== view) }));
}

/** The editor of a file that was used last, or the last of all that have something to review. */
function editorOf(path?: WorkspacePath): EditorView | null {
  const { editors } = useReviewed.getState();
  const fits = (each: Reviewed) => (path ? each.path === path : each.view.state.field(reviewField).hunks.length > 0);
  return editors.findLast(fits)?.view ?? null;
}

/** Tells whether some open editor shows a change that waits. */
export function hasReview(): boolean {
  return editorOf() !== null;
}

/** Goes to the next or previous change; returns what to say about it. */
export function goTo(step: 1 | -1, path?: WorkspacePath): string | null {
  const view = editorOf(path);
  const hunk = view && nextHunk(view.state, step);
  if (!view || !hunk) return null;
  const { hunks } = view.state.field(reviewField);
  view.dispatch({
    selection: { anchor: hunk.place.from },
    effects: [focusHunk.of(hunk.key), EditorView.scrollIntoView(hunk.place.from, { y: 'center' })],
  });
  view.focus();
  return describe(view, hunk, hunks.indexOf(hunk) + 1, hunks.length);
}

/** Goes to one change of an action, from its card. */
export function goToPart(path: WorkspacePath, key: string): boolean {
  const view = editorOf(path);
  const hunk = view?.state.field(reviewField).hunks.find((each) => each.key === key);
  if (!view || !hunk) return false;
  view.dispatch({ effects: [focusHunk.of(key), EditorView.scrollIntoView(hunk.place.from, { y: 'center' })] });
  return true;
}

/** Accepts the change the keys are about, or goes to one if they are about none. */
export function acceptCurrent(): string | null {
  return answer((hunk) => void accept(hunk.action, [hunk.part]));
}

/** Rejects the change the keys are about, or goes to one if they are about none. */
export function rejectCurrent(): string | null {
  return answer((hunk) => void reject(hunk.action, undefined, [hunk.part]));
}

function answer(give: (hunk: PlacedHunk) => void): string | null {
  const view = editorOf();
  const hunk = view && currentHunk(view.state);
  if (!view || !hunk) return goTo(1);
  if (hunk.deciding) return null;
  view.dispatch({ effects: focusHunk.of(hunk.key) });
  give(hunk);
  return null;
}

/** Tells whether the keys are about a change, so that Ctrl-Enter means its whole action. */
export function hasCurrent(): boolean {
  const view = editorOf();
  return Boolean(view?.hasFocus) && view !== null && currentHunk(view.state) !== null;
}

/** Accepts all changes of the action the keys are about. */
export function acceptAction(): void {
  const view = editorOf();
  const hunk = view && currentHunk(view.state);
  if (hunk) void accept(hunk.action);
}

/** Accepts or rejects every open change of a file, action by action. */
export async function decideAll(path: WorkspacePath, choice: 'accept' | 'reject'): Promise<void> {
  const view = editorOf(path);
  const hunks = view?.state.field(reviewField).hunks ?? [];
  for (const action of actionsAmong(hunks)) {
    const parts = hunks.filter((hunk) => hunk.action === action).map((hunk) => hunk.part);
    await (choice === 'accept' ? accept(action, parts) : reject(action, undefined, parts));
  }
  view?.focus();
}

function describe(view: EditorView, { hunk, place }: PlacedHunk, number: number, count: number): string {
  const line = view.state.doc.lineAt(place.from).number;
  const lines = (many: number) => (many === 1 ? '1 line' : `${many} lines`);
  const stale = place.stale ? ', stale' : '';
  return `Change ${number} of ${count}, line ${line}${stale}: removes ${lines(hunk.old.length)}, adds ${lines(hunk.new.length)}`;
}
