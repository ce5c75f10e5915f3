/** A preview of the note behind a link, while the mouse rests on it. */
import type { Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import { createRoot } from 'react-dom/client';
import { linkTarget } from '../markdown/rules';
import { linkAt, wikiAt } from '../markdown/sourceLinks';
import { type LinkSyntax, type ResolvedLink, resolveLink } from './api';
import { LinkPreview } from './LinkPreview';

/** The previews of the links of the note at a path. */
export function linkHover(path: string): Extension {
  return hoverTooltip((view, pos) => preview(view, pos, path), { hoverTime: 400, hideOnChange: true });
}

async function preview(view: EditorView, pos: number, path: string): Promise<Tooltip | null> {
  const line = view.state.doc.lineAt(pos);
  const link = linkIn(line.text, pos - line.from, path);
  if (!link) return null;
  const found = await resolveLink(path, link.target, link.kind).catch(() => null);
  if (!found?.is_note || found.to === null || found.excerpt.trim() === '') return null;
  const shown = found;
  return { pos, above: true, create: () => ({ dom: drawn(shown) }) };
}

function linkIn(text: string, at: number, path: string): { target: string; kind: LinkSyntax } | null {
  const wiki = wikiAt(text, at);
  if (wiki !== null) return { target: wiki.split('|')[0]?.trim() ?? '', kind: 'wiki' };
  const url = linkAt(text, at);
  return url !== null && linkTarget(url, path)?.kind === 'path' ? { target: url, kind: 'markdown' } : null;
}

function drawn(found: ResolvedLink): HTMLElement {
  const dom = document.createElement('div');
  createRoot(dom).render(<LinkPreview found={found} />);
  return dom;
}
