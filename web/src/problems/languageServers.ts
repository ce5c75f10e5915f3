/** The language servers that the person set up, as the server says it. */
import { useEffect } from 'react';
import { isGuest } from '../app/session';
import { toastFailure } from '../ui/Toast';
import { connection, useConnection } from '../wire/connection';
import type { FileKind, LanguageServer, LanguageServers } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate, useResource } from '../wire/resource';

const ROUTE = 'language-servers';

let started = false;

/** How they stand is told with the problems: both change together. */
function start(): void {
  if (started) return;
  started = true;
  const again = () => invalidate(ROUTE);
  connection.on('problems_changed', again);
  connection.on('hello', again);
}

/** All of them; nothing for a guest, who starts none. */
export function useLanguageServers(): LanguageServers | undefined {
  useEffect(start, []);
  const online = useConnection((state) => state.status === 'online');
  return useResource<LanguageServers>(online && !isGuest() ? ROUTE : null).data;
}

/** Starts one anew; how it stands then is told. */
export async function restartServer(name: string): Promise<void> {
  try {
    await request('POST', `${ROUTE}/${encodeURIComponent(name)}/restart`);
  } catch (error) {
    toastFailure(failureOf(error));
  }
  invalidate(ROUTE);
}

/** The one that has to be spoken of where a file of a kind is edited. */
export function needsWord(all: readonly LanguageServer[], kind: FileKind): LanguageServer | undefined {
  const ofKind = all.filter((server) => server.languages.includes(kind));
  return ofKind.find(({ state }) => state !== 'resting' && state !== 'ready');
}
