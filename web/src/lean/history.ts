// In place of CodeMirror's commands for the keys of other editors: undo and redo are those of the document, which other people
// and models change as well. See `build/lean.ts`.
import type { EditorView } from '@codemirror/view';
import { documentUndo } from '../editor/undoKeys';

export * from '@codemirror/commands';

export function undo({ state }: EditorView): boolean {
  const history = state.facet(documentUndo);
  history?.undo();
  return history !== null;
}

export function redo({ state }: EditorView): boolean {
  const history = state.facet(documentUndo);
  history?.redo();
  return history !== null;
}
