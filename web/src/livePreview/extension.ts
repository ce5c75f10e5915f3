// The live preview of one editor: on while its file is shown live, with the line at the top kept when that changes.
import { Compartment, type Extension } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';
import { loadedPreview, loadPreview } from './loaded';
import { modeOf, useModes } from './mode';

/** The extension for the editor of a Markdown file. */
export function markdownModes(path: string): Extension {
  const part = new Compartment();
  const now = (): Extension => {
    const parts = loadedPreview();
    return parts ? [parts.noteWriting(path), modeOf(path) === 'live' ? parts.livePreview(path) : []] : [];
  };
  const follow = ViewPlugin.define((view) => {
    let [shown, gone] = [loadedPreview() ? modeOf(path) : null, false];
    const show = () => {
      const mode = modeOf(path);
      if (gone || mode === shown || mode === 'reading' || !loadedPreview()) return;
      shown = mode;
      const top = topOf(view);
      const scroll = EditorView.scrollIntoView(top, { y: 'start' });
      view.dispatch({ effects: [part.reconfigure(now()), ...(top > 0 ? [scroll] : [])] });
    };
    const stop = useModes.subscribe(show);
    void loadPreview().then(show);
    return {
      destroy: () => {
        gone = true;
        stop();
      },
    };
  });
  return [part.of(now()), follow];
}

/** The character at the top of the lines in sight. */
export function topOf(view: EditorView): number {
  const top = view.scrollDOM.getBoundingClientRect().top - view.documentTop;
  return top <= 0 ? 0 : view.lineBlockAtHeight(top).from;
}
