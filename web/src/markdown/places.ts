// Where links lead from: a document names files from its own folder, and its headings can be gone to.
import { createContext } from 'react';
import { openFile } from '../frames/store';
import type { WorkspacePath } from '../wire/gen/types';
import { type LinkTarget, linkTarget } from './rules';

/** Where a text with links stands. */
export interface LinkPlace {
  /** The document; null for an answer, which names files from the workspace's folder. */
  readonly from: WorkspacePath | null;
  /** Goes to a heading or another named place of the document; null where there is none to go to. */
  readonly goTo: ((heading: string) => void) | null;
}

/** The place of an answer. */
export const ANSWER: LinkPlace = { from: null, goTo: null };

/** The place of the text that is shown. */
export const LinkContext = createContext<LinkPlace>(ANSWER);

/** Where a link leads from a place; null if nothing can be followed. */
export function targetFrom(url: string, { from, goTo }: LinkPlace): LinkTarget | null {
  const target = linkTarget(url, from);
  return target?.kind === 'heading' && !goTo ? null : target;
}

/** Goes to a file or a heading; other targets are the browser's to follow. */
export function follow(target: LinkTarget, { goTo }: LinkPlace): void {
  if (target.kind === 'heading') goTo?.(target.heading);
  if (target.kind !== 'path') return;
  const { path, line, heading } = target;
  openFile(path, { ...(line && { line }), ...(heading && { heading }) });
}
