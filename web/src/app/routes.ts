// URLs, below the base path. The URL names the focused thing; the arrangement is in the layout document. Pure.
//
//   w/:workspace                                the workspace with its last arrangement
//   w/:workspace/f/*path?line=N                 a file in the focused pane
//   w/:workspace/thread/:id                     a thread in the side
//   w/:workspace/task/:id                       a task
//   w/:workspace/terminal/:id                   a terminal
//   w/:workspace/compare?from=…&to=…            two files or versions
//   w/:workspace/audit?…, needs-you, tasks?…, settings/…        a page, with what it is asked to show
import type { Page } from '../frames/tree';

/** What a URL names. A page keeps what it shows in the query, so that a link shows the same. */
export type Route =
  | { kind: 'workspace' }
  | { kind: 'file'; path: string; line?: number }
  | { kind: 'thread'; thread: string }
  | { kind: 'task'; task: string }
  | { kind: 'terminal'; terminal: string }
  | { kind: 'compare'; of: string }
  | { kind: Page; query?: string };

const PAGE_PATHS: Record<Page, string> = {
  settings: 'settings',
  audit: 'audit',
  needs_you: 'needs-you',
  tasks: 'tasks',
  todos: 'todos',
  models: 'settings/models',
  policy: 'settings/rules',
  grants: 'settings/access',
  programs: 'settings/programs',
  problems: 'problems',
  history: 'history',
  statistics: 'statistics',
  coverage: 'coverage',
  launcher: 'new',
};

/** Reads a path below the base path (without leading slash) and its query; what it does not know is the workspace. */
export function parseRoute(path: string, query = ''): Route {
  const [root, , section, ...rest] = path.split('/').map(decode);
  if (root !== 'w') return { kind: 'workspace' };
  switch (section) {
    case 'f':
      return rest.some(Boolean) ? fileRoute(rest.filter(Boolean).join('/'), query) : { kind: 'workspace' };
    case 'thread':
      return rest[0] ? { kind: 'thread', thread: rest[0] } : { kind: 'workspace' };
    case 'task':
      return rest[0] ? { kind: 'task', task: rest[0] } : { kind: 'workspace' };
    case 'terminal':
      return rest[0] ? { kind: 'terminal', terminal: rest[0] } : { kind: 'workspace' };
    case 'compare':
      return { kind: 'compare', of: query.replace(/^\?/, '') };
    default:
      return pageRoute([section, ...rest].filter(Boolean).join('/'), query);
  }
}

/** The path below the base path for a route. */
export function formatRoute(workspace: string, route: Route): string {
  const start = `w/${encodeURIComponent(workspace)}`;
  switch (route.kind) {
    case 'workspace':
      return start;
    case 'file': {
      const path = route.path.split('/').map(encodeURIComponent).join('/');
      return `${start}/f/${path}${route.line ? `?line=${route.line}` : ''}`;
    }
    case 'thread':
      return `${start}/thread/${encodeURIComponent(route.thread)}`;
    case 'task':
      return `${start}/task/${encodeURIComponent(route.task)}`;
    case 'terminal':
      return `${start}/terminal/${encodeURIComponent(route.terminal)}`;
    case 'compare':
      return `${start}/compare?${route.of}`;
    default:
      return `${start}/${PAGE_PATHS[route.kind]}${route.query ? `?${route.query}` : ''}`;
  }
}

function pageRoute(path: string, query: string): Route {
  const kind = (Object.keys(PAGE_PATHS) as Page[]).find((page) => PAGE_PATHS[page] === path);
  return kind ? { kind, query: query.replace(/^\?/, '') } : { kind: 'workspace' };
}

function fileRoute(path: string, query: string): Route {
  const line = Number(new URLSearchParams(query).get('line'));
  return Number.isSafeInteger(line) && line > 0 ? { kind: 'file', path, line } : { kind: 'file', path };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
