// Places in a notebook that links name: headings, anchors, labelled equations.
import { flushSync } from 'react-dom';
import { hasAnchor, namesHeading } from '../markdown/headings';
import { kindOf, sourceText } from './cells';
import { bringOut, select } from './edits';
import { headingsIn } from './headings';
import { only } from './selection';
import type { NotebookView } from './view';

/** Goes to the first place with that name; does nothing if there is none. */
export function goToPlace(view: NotebookView, name: string): void {
  const { doc } = view.observed;
  const keys = view.observed.keys().filter((key) => kindOf(doc, key) === 'markdown');
  const heading = keys
    .flatMap((key) => headingsIn(key, sourceText(doc, key)))
    .find(({ text }) => namesHeading(name, text));
  const key = heading?.key ?? keys.find((key) => hasAnchor(sourceText(doc, key), name));
  if (key === undefined) return;
  const cell = shown(view, key);
  const headings = [...(cell?.querySelectorAll('[data-depth]') ?? [])];
  const place = headings.find(({ textContent }) => namesHeading(name, textContent ?? '')) ?? cell;
  place?.scrollIntoView({ block: 'start' });
}

/** Goes to a cell; does nothing if there is none with that key. */
export function goToCell(view: NotebookView, key: string): void {
  if (view.observed.keys().includes(key)) shown(view, key)?.scrollIntoView({ block: 'nearest' });
}

/** Goes to a cell by its number from 1, which is the line of a notebook in a list of results. */
export function goToNumber(view: NotebookView, number: number): void {
  const key = view.observed.keys()[number - 1];
  if (key !== undefined) goToCell(view, key);
}

/** Selects a cell, unfolds what hides it, and returns its element. */
function shown(view: NotebookView, key: string): Element | null {
  flushSync(() => {
    bringOut(view, key);
    select(view, only(key));
  });
  return document.querySelector(`[data-notebook="${CSS.escape(view.path)}"] [data-cell="${CSS.escape(key)}"]`);
}
