// Links in the source of Markdown: with Ctrl or Cmd, a press follows them, as in VS Code.
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { lineOfHeading } from '../markdown/headings';
import { follow, targetFrom } from '../markdown/places';
import { linkAt, wikiAt } from '../markdown/sourceLinks';

/** Follows links of the Markdown file at a path. */
export function sourceLinks(path: string): Extension {
  return EditorView.domEventHandlers({
    mousedown: (event, view) => {
      if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      const line = at === null ? null : view.state.doc.lineAt(at);
      const wiki = line && at !== null ? wikiAt(line.text, at - line.from) : null;
      if (wiki !== null && !wiki.trim().startsWith('#')) {
        event.preventDefault();
        void import('../notes/follow').then(({ followWiki }) => followWiki(path, wiki));
        return true;
      }
      const url = line && at !== null ? linkAt(line.text, at - line.from) : null;
      if (url === null || !goTo(url, path, view)) return false;
      event.preventDefault();
      return true;
    },
  });
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
