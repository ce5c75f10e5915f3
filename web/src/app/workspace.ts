// What runs while a workspace is open: the kept arrangement, the URL, files that change, things asked by the server.
import { useEffect } from 'react';
import { type FramesState, focusedView, openFile, useFrames } from '../frames/store';
import { needed } from '../ui/needed';
import { connection } from '../wire/connection';
import type { Failure, Listing, ServerFrame, Session } from '../wire/gen/types';
import { request } from '../wire/requests';
import { invalidateWhere } from '../wire/resource';
import { followHistory } from './history';
import { followMoves } from './moves';
import { useShell } from './shell';

/** Starts all of it once there is a session. */
export function useWorkspace(session: Session | null): void {
  const workspace = session?.workspace;
  const folder = session?.folder;
  useEffect(() => {
    if (folder === undefined) return;
    let stop = () => {};
    let isOver = false;
    void needed(() => import('../documents/recovery')).then(({ followStoredChanges }) => {
      if (!isOver) stop = followStoredChanges(folder);
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [folder]);
  useEffect(() => {
    if (workspace === undefined) return;
    document.title = `${workspace} – Aside`;
    void restoreLayout(workspace);
    const stops = [
      connection.on('ui_action', answerUiAction),
      followMoves(),
      useFrames.subscribe(uncover),
      connection.on('files_changed', () => invalidateWhere((path) => path === 'files/names')),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [workspace]);
}

async function restoreLayout(workspace: string): Promise<void> {
  if (useFrames.getState().ready) return;
  const { keepLayout } = await needed(() => import('../frames/layout'));
  const kept = await keepLayout();
  useFrames.setState({ ready: true });
  followHistory(workspace);
  // Nobody misses it if it can't be read.
  if (!kept && !focusedView()) await openWelcome().catch(() => {});
}

/** What lies over the documents in a narrow window makes way for one that somebody went to. */
function uncover(state: FramesState, before: FramesState): void {
  const { width } = useShell.getState();
  const went = Object.entries(state.reveals).some(
    ([tab, { focus }]) => focus && state.reveals[tab] !== before.reveals[tab],
  );
  if (width === 'narrow' && went) useShell.setState({ nav: false, side: false });
}

/** The first time, the workspace speaks for itself. */
async function openWelcome(): Promise<void> {
  const { entries } = await request<Listing>('GET', 'files?folder=');
  const names = entries.filter((entry) => !entry.folder).map((entry) => entry.path);
  const welcome = WELCOMES.find((name) => names.includes(name));
  if (welcome && !focusedView()) openFile(welcome, { focus: false });
}

const WELCOMES = ['Welcome.md', 'README.md', 'README.rst', 'README.txt', 'README'];

/** Does in this window what an action asks for, and says how it went. */
function answerUiAction(frame: Extract<ServerFrame, { type: 'ui_action' }>): void {
  const { action } = frame;
  try {
    connection.send({ type: 'ui_result', action, result: doUiAction(frame), failure: null });
  } catch (error) {
    const failure: Failure = {
      code: 'ui',
      message: String(error instanceof Error ? error.message : error),
      data: null,
    };
    connection.send({ type: 'ui_result', action, result: null, failure });
  }
}

function doUiAction({ action_type, args }: Extract<ServerFrame, { type: 'ui_action' }>): unknown {
  if (action_type !== 'ui.open') throw new Error(`This window can’t do ${action_type}.`);
  const { path, line } = args as { path?: unknown; line?: unknown };
  if (typeof path !== 'string') throw new Error('No path was given.');
  openFile(path, { line: typeof line === 'number' ? line : undefined, focus: false });
  return { opened: path };
}
