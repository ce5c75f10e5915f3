// Keeps the URL and what has the attention in step: back and forward walk through what was looked at.
import { create } from 'zustand';
import { focusedView, openFile, openView, useFrames } from '../frames/store';
import type { View } from '../frames/tree';
import { basePath } from './base';
import { formatRoute, parseRoute, type Route } from './routes';

/** The route of this window. The side reads `thread` from it. */
export const useRoute = create<{ route: Route }>(() => ({ route: currentRoute() }));

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
    useRoute.setState({ route: currentRoute() });
    show(currentRoute());
  });
  useFrames.subscribe((state, before) => {
    if (state.frames !== before.frames) followFocus();
  });
}

/** The route that names a view. */
export function routeOf(view: View): Route {
  return view.kind === 'file' ? { kind: 'file', path: view.path } : { kind: view.kind };
}

function followFocus(): void {
  const view = focusedView();
  const { route } = useRoute.getState();
  const next: Route = view ? routeOf(view) : { kind: 'workspace' };
  const same = route.kind === 'file' && next.kind === 'file' ? route.path === next.path : route.kind === next.kind;
  if (!same) setUrl(next, 'push');
}

function show(route: Route): void {
  if (route.kind === 'file') openFile(route.path, { line: route.line, focus: false });
  if (route.kind === 'audit' || route.kind === 'models') openView({ kind: route.kind }, { focus: false });
}

function setUrl(route: Route, how: 'push' | 'replace'): void {
  const url = basePath + formatRoute(workspace, route);
  if (how === 'push') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
  useRoute.setState({ route });
}

function currentRoute(): Route {
  return parseRoute(location.pathname.slice(basePath.length), location.search);
}
