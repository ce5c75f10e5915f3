// Links in the source of Markdown: with Ctrl or Cmd, a press follows them, as in VS Code.
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { lineOfHeading } from '../markdown/headings';
import { follow, targetFrom } from '../markdown/places';
import { linkAt, wikiAt } from '../markdown/sourceLinks';

/** Follows links of the Markdown file at a path: by a press with Ctrl or Cmd, and with Alt-Enter at the cursor. */
export function sourceLinks(path: string): Extension {
  return [
    EditorView.domEventHandlers({
      mousedown: (event, view) => {
        if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at === null || !followAt(view, at, path)) return false;
        event.preventDefault();
        return true;
      },
    }),
    keymap.of([{ key: 'Alt-Enter', run: (view) => followAt(view, view.state.selection.main.head, path) }]),
  ];
}

function followAt(view: EditorView, at: number, path: string): boolean {
  const line = view.state.doc.lineAt(at);
  const wiki = wikiAt(line.text, at - line.from);
  if (wiki !== null && !wiki.trim().startsWith('#')) {
    void import('../notes/follow').then(({ followWiki }) => followWiki(path, wiki));
    return true;
  }
  const url = linkAt(line.text, at - line.from);
  return url !== null && goTo(url, path, view);
}

function goTo(url: string, from: string, view: EditorView): boolean {
  const place = { from, goTo: (heading: string) => showHeading(view, heading) };
  const target = targetFrom(url, place);
  if (target === null) return false;
  if (target.kind === 'path' || target.kind === 'heading') follow(target, place);
  else window.open(target.href, '_blank', 'noopener,noreferrer');
  return true;
}

function showHeading(view: EditorView, heading: string): void {
  const { doc } = view.state;
  const number = lineOfHeading(doc.toString(), heading);
  if (number === null) return;
  const { from } = doc.line(number);
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'start' }) });
}
