/** The servers of tools that wait for a person. */
import { useEffect } from 'react';
import { connection, useConnection } from '../wire/connection';
import type { McpServer } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { lookAgain, SERVERS } from './store';

let started = false;

/** Starts once per window: they are read again when one of them changes. */
function start(): void {
  if (started) return;
  started = true;
  connection.on('servers_changed', lookAgain);
  connection.on('hello', lookAgain);
}

/** Those whose tools are others than the person has trusted: nothing of them is used until they are looked at again. */
export function useServersWaiting(): readonly McpServer[] {
  useEffect(start, []);
  const online = useConnection((state) => state.status === 'online');
  const servers = useResource<McpServer[]>(online ? SERVERS : null).data ?? [];
  return servers.filter((server) => server.state === 'changed');
}
