// Links in the preview: where they lead, and which of them lead nowhere.
import { type EditorState, type Extension, StateEffect } from '@codemirror/state';
import { ViewPlugin } from '@codemirror/view';
import { linkTarget } from '../markdown/rules';
import { knownTarget, onTargets } from '../notes/targets';
import { notePath } from './place';

/** More is known of where links lead. */
export const linksChanged = StateEffect.define<null>();

/** The attributes of a Markdown link's words. */
export function linkAttributes(state: EditorState, url: string): Record<string, string> {
  const from = state.facet(notePath);
  const address = url.replace(/^<(.*)>$/, '$1');
  const target = linkTarget(address, from);
  if (target?.kind !== 'path') return { 'data-link': address };
  return { 'data-link': address, ...attributesOf(from, address, 'markdown') };
}

/** The attributes of a wiki link's words, from what stands between its brackets. */
export function wikiAttributes(state: EditorState, inside: string): Record<string, string> {
  return { 'data-wiki': inside, ...attributesOf(state.facet(notePath), inside, 'wiki') };
}

function attributesOf(from: string, raw: string, kind: 'wiki' | 'markdown'): Record<string, string> {
  const known = knownTarget(from, raw, kind);
  if (known === undefined) return {};
  if (known.path === null) return { 'data-unresolved': '', title: 'No note has this name yet' };
  return {
    'data-path': known.path,
    ...(!known.anchorFound && { 'data-unresolved': '', title: 'The note has no such heading' }),
  };
}

/** Draws links anew when it is known where they lead. */
export const followTargets: Extension = ViewPlugin.define((view) => ({
  destroy: onTargets(view.state.facet(notePath), () => view.dispatch({ effects: linksChanged.of(null) })),
}));
