/** Who asked for an action, in the words of a person. Pure. */
import type { Origin, ThreadId } from '../wire/gen/types';

/** Returns "the assistant, for ada" or "ada, in a terminal". */
export function originWords(origin: Origin): string {
  switch (origin.kind) {
    case 'user':
      return origin.user;
    case 'cli':
      return `${origin.user}, in a terminal`;
    case 'client':
      return `a program with ${origin.user}’s token`;
    case 'turn':
      return `the assistant, for ${origin.user}`;
    case 'mcp':
      return `${origin.client} over MCP${origin.session ? ` (session ${origin.session})` : ''}, for ${origin.user}`;
    case 'sidebar':
      return `the AI history model, for ${origin.user}`;
    case 'script':
      return `a script of ${originWords(origin.by)}`;
  }
}

/** The person in whose name it was asked for. */
export function userOf(origin: Origin): string {
  return origin.kind === 'script' ? userOf(origin.by) : origin.user;
}

/** Whether a model chose it: the assistant, that of the AI history, or a program that speaks MCP, which is a model's. */
export function isModels(origin: Origin): boolean {
  if (origin.kind === 'script') return isModels(origin.by);
  return origin.kind === 'turn' || origin.kind === 'mcp' || origin.kind === 'sidebar';
}

/** The conversation it was asked for in, if it was. */
export function threadOf(origin: Origin): ThreadId | null {
  if (origin.kind === 'script') return threadOf(origin.by);
  return origin.kind === 'turn' ? origin.thread : null;
}
