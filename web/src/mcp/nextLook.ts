// When it is worth to look again how servers of tools stand. Pure.
import type { McpServer } from '../wire/gen/types';

/** Milliseconds until it is worth to look again how servers stand; none if nothing goes on by itself. */
export function nextLook(servers: readonly McpServer[]): number | null {
  const rests = servers.flatMap(({ retry_in }) => (retry_in === undefined ? [] : [retry_in]));
  return rests.length === 0 ? null : (Math.min(...rests, 4) + 1) * 1000;
}
