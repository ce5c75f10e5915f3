/** Puts the problems of its file into an editor; what draws them is loaded with the first problem. */
import { Compartment, type Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import type * as Y from 'yjs';
import { connection } from '../wire/connection';
import { anchor } from './anchors';
import { readProblems } from './store';

/** The extension for the editor of one file, which shows this text of it. */
export function problemMarks(path: string, text: Y.Text): Extension {
  const drawing = new Compartment();
  return [drawing.of([]), ViewPlugin.define((view) => follow(view, path, text, drawing))];
}

function follow(view: EditorView, path: string, text: Y.Text, drawing: Compartment) {
  let gone = false;
  let loaded = false;
  /** How often it was asked: only the last answer counts. */
  let asked = 0;
  const show = async () => {
    const turn = ++asked;
    const problems = await readProblems(path).catch(() => null);
    if (gone || problems === null || turn !== asked) return;
    anchor(path, text, problems);
    if (problems.length === 0 && !loaded) return;
    const { problemGutter, showProblems } = await import('./gutter');
    if (gone || turn !== asked) return;
    if (!loaded) view.dispatch({ effects: drawing.reconfigure(problemGutter) });
    loaded = true;
    showProblems(view, problems);
  };
  queueMicrotask(() => void show());
  const again = () => void show();
  // What changed while the connection was gone was not heard.
  const stops = [connection.on('problems_changed', again), connection.on('hello', again)];
  return {
    destroy: () => {
      gone = true;
      for (const stop of stops) stop();
    },
  };
}
