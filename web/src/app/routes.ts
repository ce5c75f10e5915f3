// URLs, below the base path. The URL names the focused thing; the arrangement is in the layout document. Pure.
//
//   w/:workspace                                the workspace with its last arrangement
//   w/:workspace/f/*path?line=N                 a file in the focused pane
//   w/:workspace/thread/:id                     a thread in the side
//   w/:workspace/audit, w/:workspace/settings/models

/** What a URL names. */
export type Route =
  | { kind: 'workspace' }
  | { kind: 'file'; path: string; line?: number }
  | { kind: 'thread'; thread: string }
  | { kind: 'audit' }
  | { kind: 'models' };

/** Reads a path below the base path (without leading slash) and its query; what it does not know is the workspace. */
export function parseRoute(path: string, query = ''): Route {
  const [root, , section, ...rest] = path.split('/').map(decode);
  if (root !== 'w') return { kind: 'workspace' };
  switch (section) {
    case 'f':
      return rest.some(Boolean) ? fileRoute(rest.filter(Boolean).join('/'), query) : { kind: 'workspace' };
    case 'thread':
      return rest[0] ? { kind: 'thread', thread: rest[0] } : { kind: 'workspace' };
    case 'audit':
      return { kind: 'audit' };
    case 'settings':
      return { kind: 'models' };
    default:
      return { kind: 'workspace' };
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
    case 'audit':
      return `${start}/audit`;
    case 'models':
      return `${start}/settings/models`;
  }
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
