// The servers of tools and what files propose, read and changed. What changes them are actions.
import { useEffect } from 'react';
import { doAction } from '../app/actionFlow';
import type { McpServer } from '../wire/gen/types';
import { invalidate } from '../wire/resource';
import { nextLook } from './nextLook';

export const SERVERS = 'mcp/servers';
export const PROPOSALS = 'mcp/proposals';

/** Asks for a change of the servers; tells whether it was made. */
export async function changeServers(action_type: string, args: unknown, done: string): Promise<boolean> {
  const changed = await doAction({ action_type, args }, { done });
  lookAgain();
  return changed;
}

/** Reads the servers again for as long as one of them is tried again by itself, and when the person comes back. */
export function useFreshServers(servers: readonly McpServer[] | undefined): void {
  useEffect(() => {
    window.addEventListener('focus', lookAgain);
    return () => window.removeEventListener('focus', lookAgain);
  }, []);
  useEffect(() => {
    const wait = nextLook(servers ?? []);
    if (wait === null) return;
    const timer = setTimeout(() => invalidate(SERVERS), wait);
    return () => clearTimeout(timer);
  }, [servers]);
}

/** Reads again what can have changed with a server. */
export function lookAgain(): void {
  for (const path of [SERVERS, PROPOSALS, 'catalog']) invalidate(path);
}
