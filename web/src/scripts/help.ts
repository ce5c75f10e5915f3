/** Puts completion and hover of `aside` into the editor of a script; what they need is loaded once the text is one. */
import { Compartment, type Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { wanted } from '../ui/needed';
import { isScript } from './isScript';

/** Milliseconds without a change, so that a long text is not read with every letter. */
const PAUSE = 500;

/** The extension for the editor of a file that may be a script. */
export function scriptHelp(path: string): Extension {
  const help = new Compartment();
  return [help.of([]), ViewPlugin.define((view) => follow(view, path, help))];
}

function follow(view: EditorView, path: string, help: Compartment) {
  let gone = false;
  let begun = false;
  const look = () => {
    if (begun || !isScript(path, view.state.doc.toString())) return;
    begun = true;
    void wanted(() => import('./completion')).then(({ scriptCompletion }) => {
      if (!gone) view.dispatch({ effects: help.reconfigure(scriptCompletion) });
    });
  };
  queueMicrotask(look);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    update: ({ docChanged }: ViewUpdate) => {
      if (!docChanged || begun) return;
      clearTimeout(timer);
      timer = setTimeout(look, PAUSE);
    },
    destroy: () => {
      gone = true;
      clearTimeout(timer);
    },
  };
}
