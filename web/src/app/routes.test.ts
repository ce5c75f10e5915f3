import { expect, it } from 'vitest';
import { formatRoute, parseRoute, type Route } from './routes';

it('reads what it writes', () => {
  const routes: Route[] = [
    { kind: 'workspace' },
    { kind: 'file', path: 'a b/ü#?.py' },
    { kind: 'file', path: 'a.py', line: 12 },
    { kind: 'thread', thread: 't1' },
    { kind: 'task', task: 'tsk_1' },
    { kind: 'terminal', terminal: 'trm_1' },
    { kind: 'compare', of: 'from=a%26b.py&to=c.py' },
    { kind: 'tasks', query: 'q=tide' },
    { kind: 'audit', query: '' },
    { kind: 'audit', query: 'person=ada&q=a%20b' },
    { kind: 'needs_you', query: '' },
    { kind: 'models', query: '' },
  ];
  for (const route of routes) {
    const [path, query] = formatRoute('my work', route).split('?');
    expect(parseRoute(path ?? '', query)).toEqual(route);
  }
});

it('takes the unknown for the workspace', () => {
  for (const path of ['', 'x', 'w/a/nothing', 'w/a/f/', 'w/a/thread/', 'w/%E0%A4%A']) {
    expect(parseRoute(path)).toEqual({ kind: 'workspace' });
  }
  expect(parseRoute('w/a/f/b.py', 'line=-3')).toEqual({ kind: 'file', path: 'b.py' });
});
