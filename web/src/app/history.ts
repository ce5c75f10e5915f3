// Keeps the URL and what has the attention in step: back and forward walk through what was looked at.
import { create } from 'zustand';
import { keepRecent } from '../frames/recent';
import { focusedView, openFile, openView, useFrames } from '../frames/store';
import { isPage, type Page, type View } from '../frames/tree';
import { basePath } from './base';
import { formatRoute, parseRoute, type Route } from './routes';
import { useShell } from './shell';

interface Where {
  /** The route of this window. */
  readonly route: Route;
  /** What each page was last asked to show. */
  readonly queries: Readonly<Partial<Record<Page, string>>>;
}

/** Where this window is. */
export const useRoute = create<Where>(() => at(currentRoute(), {}));

let workspace = '';

/** Goes to a route: the URL, and what it names. */
export function navigate(route: Route): void {
  setUrl(route, 'push');
  show(route);
}

/** Starts following: called once the kept arrangement is there. The URL's own wish comes first. */
export function followHistory(workspaceName: string): void {
  workspace = workspaceName;
  const wish = currentRoute();
  show(wish);
  const view = focusedView();
  setUrl(wish.kind === 'workspace' && view ? routeOf(view) : wish, 'replace');
  window.addEventListener('popstate', () => {
    useRoute.setState(({ queries }) => at(currentRoute(), queries));
    show(currentRoute());
  });
  useFrames.subscribe((state, before) => {
    if (state.frames !== before.frames) followFocus();
    if (state.reveals !== before.reveals) uncover();
  });
}

/** The route that names a view. */
export function routeOf(view: View): Route {
  if (view.kind === 'file') return { kind: 'file', path: view.path };
  if (view.kind === 'task') return { kind: 'task', task: view.task };
  if (view.kind === 'terminal') return { kind: 'terminal', terminal: view.terminal };
  if (view.kind === 'compare') return { kind: 'compare', of: view.of };
  const query = useRoute.getState().queries[view.kind];
  return { kind: view.kind, ...(query && { query }) };
}

/** The address that shows a route, for another window or another person. */
export function linkTo(route: Route): string {
  return new URL(basePath + formatRoute(workspace, route), location.origin).href;
}

/** Who goes to a document wants to see it; the URL names the one that has the attention. */
export function uncover(): void {
  if (!useShell.getState().full) return;
  useShell.setState({ full: false });
  followFocus();
}

/** What a page is asked to show, as in its URL. */
export function usePageQuery(page: Page): string {
  return useRoute(({ queries }) => queries[page] ?? '');
}

/** Asks a page to show something else. The URL follows without a step for Back: a filter is typed letter by letter. */
export function setPageQuery(page: Page, query: string): void {
  useRoute.setState(({ queries }) => ({ queries: { ...queries, [page]: query } }));
  if (useRoute.getState().route.kind === page) setUrl({ kind: page, ...(query && { query }) }, 'replace');
}

function followFocus(): void {
  const view = focusedView();
  const { route } = useRoute.getState();
  const next: Route = view ? routeOf(view) : { kind: 'workspace' };
  if (view?.kind === 'file') keepRecent(view.path);
  if (!sameThing(route, next)) setUrl(next, 'push');
}

/** Tells whether two routes name the same, whatever it is asked to show. */
function sameThing(one: Route, two: Route): boolean {
  if (one.kind === 'file') return two.kind === 'file' && one.path === two.path;
  if (one.kind === 'task') return two.kind === 'task' && one.task === two.task;
  if (one.kind === 'terminal') return two.kind === 'terminal' && one.terminal === two.terminal;
  if (one.kind === 'compare') return two.kind === 'compare' && one.of === two.of;
  return one.kind === two.kind;
}

function show(route: Route): void {
  if (route.kind === 'file') openFile(route.path, { line: route.line, focus: false });
  if (route.kind === 'task') openView({ kind: 'task', task: route.task }, { focus: false });
  if (route.kind === 'terminal') openView({ kind: 'terminal', terminal: route.terminal }, { focus: false });
  if (route.kind === 'compare') openView({ kind: 'compare', of: route.of }, { focus: false });
  // The side brings its own part of the program.
  if (route.kind === 'thread') {
    const { thread } = route;
    void import('../threads/openThread').then(({ openLinkedThread }) => openLinkedThread(thread));
  }
  if (isPage(route.kind)) openView({ kind: route.kind }, { focus: false });
}

function setUrl(route: Route, how: 'push' | 'replace'): void {
  const url = basePath + formatRoute(workspace, route);
  if (how === 'push') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
  useRoute.setState(({ queries }) => at(route, queries));
}

/** The state of being there. A page's empty query clears what it showed, none leaves it. */
function at(route: Route, queries: Where['queries']): Where {
  return 'query' in route ? { route, queries: { ...queries, [route.kind]: route.query ?? '' } } : { route, queries };
}

function currentRoute(): Route {
  return parseRoute(location.pathname.slice(basePath.length), location.search);
}
