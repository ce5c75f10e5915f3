/** What is known to be wrong in the workspace's files, as the server says it. */
import { useEffect } from 'react';
import { connection, useConnection } from '../wire/connection';
import type { Problem, Problems } from '../wire/gen/types';
import { request } from '../wire/requests';
import { invalidate, known, type Resource, useResource } from '../wire/resource';
import { placed } from './places';

const ROUTE = 'problems';

let started = false;

/** Starts once per window: what is shown is read again when the server says that it has changed. */
function startProblems(): void {
  if (started) return;
  started = true;
  const again = () => invalidate(ROUTE);
  connection.on('problems_changed', again);
  // What changed while the connection was gone was not heard.
  connection.on('hello', again);
}

/** All problems, the gravest first, then by file and line. */
export function useProblems(): Resource<Problems> {
  useEffect(startProblems, []);
  const online = useConnection((state) => state.status === 'online');
  return useResource<Problems>(online ? ROUTE : null);
}

/** The problems of one file, or of all, where they are by now; for whoever is no component. */
export async function problemsOf(path?: string): Promise<Problem[]> {
  startProblems();
  const all = (await known<Problems>(ROUTE))?.problems ?? [];
  return (path === undefined ? all : all.filter((problem) => problem.path === path)).map(placed);
}

/** The problems of one file as they were found, read anew. */
export async function readProblems(path: string): Promise<Problem[]> {
  return (await request<Problems>('GET', `${ROUTE}?${new URLSearchParams({ path })}`)).problems;
}
