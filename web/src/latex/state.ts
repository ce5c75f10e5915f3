/** How the LaTeX document of a file stands, as the server says it. */
import { useEffect } from 'react';
import { connection, useConnection } from '../wire/connection';
import type { LatexState } from '../wire/gen/types';
import { invalidateWhere, known, type Resource, useResource } from '../wire/resource';

const ROUTE = 'latex?';
const keyOf = (path: string) => `${ROUTE}${new URLSearchParams({ path })}`;

let started = false;

/** Starts once per window: what is shown is read again when a build begins or ends, and when files come or go. */
function start(): void {
  if (started) return;
  started = true;
  connection.on('latex_changed', readLatexAgain);
  connection.on('files_changed', readLatexAgain);
  connection.on('hello', readLatexAgain);
}

/** Reads it again wherever it shows. */
export function readLatexAgain(): void {
  invalidateWhere((key) => key.startsWith(ROUTE));
}

/** The document that a LaTeX file belongs to; a failure if it belongs to none. */
export function useLatex(path: string): Resource<LatexState> {
  useEffect(start, []);
  const online = useConnection((state) => state.status === 'online');
  return useResource<LatexState>(online ? keyOf(path) : null);
}

/** The same for whoever is no component. */
export function latexOf(path: string): Promise<LatexState | undefined> {
  return known<LatexState>(keyOf(path));
}

/** Tells whether a file is a text that LaTeX sets, by its name. */
export function isLatex(path: string): boolean {
  return /\.(tex|ltx|rnw|rtex)$/i.test(path);
}

/** Tells whether a file may be a part of a LaTeX document, by its name: a bibliography, a package and a class, too. */
export function mayBeLatex(path: string): boolean {
  return isLatex(path) || /\.(bib|sty|cls)$/i.test(path);
}
