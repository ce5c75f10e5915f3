/** Puts the problems of its file into an editor; what draws them is loaded with the first problem. */
import { Compartment, type Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import { connection } from '../wire/connection';
import type { Problem } from '../wire/gen/types';
import { readProblems } from './store';

/** The extension for the editor of one file. */
export function problemMarks(path: string): Extension {
  const drawing = new Compartment();
  return [drawing.of([]), ViewPlugin.define((view) => follow(view, path, drawing))];
}

function follow(view: EditorView, path: string, drawing: Compartment) {
  let gone = false;
  let loaded = false;
  const show = async () => {
    const problems = await readProblems(path).catch((): Problem[] => []);
    if (gone || (problems.length === 0 && !loaded)) return;
    const { problemGutter, showProblems } = await import('./gutter');
    if (gone) return;
    if (!loaded) view.dispatch({ effects: drawing.reconfigure(problemGutter) });
    loaded = true;
    showProblems(view, problems);
  };
  queueMicrotask(() => void show());
  const stop = connection.on('problems_changed', () => void show());
  return {
    destroy: () => {
      gone = true;
      stop();
    },
  };
}
