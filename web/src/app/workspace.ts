// What runs while a workspace is open: the kept arrangement, the URL, files that change, things asked by the server.
import { useEffect } from 'react';
import { type FramesState, focusedView, openFile, useFrames } from '../frames/store';
import { needed } from '../ui/needed';
import { connection } from '../wire/connection';
import type { Listing, ServerFrame, Session } from '../wire/gen/types';
import { request } from '../wire/requests';
import { invalidateWhere } from '../wire/resource';
import { followHistory } from './history';
import { followMoves } from './moves';
import { useShell } from './shell';

type UiAction = Extract<ServerFrame, { type: 'ui_action' }>;

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
      followActions(),
      followMoves(),
      useFrames.subscribe(uncover),
      connection.on('files_changed', () => invalidateWhere((path) => path === 'files/names')),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [workspace]);
}

/** Does what actions ask this window for. An action that comes before the code for it is kept until it is there. */
function followActions(): () => void {
  const early: UiAction[] = [];
  let stop = connection.on('ui_action', (frame) => early.push(frame));
  let isOver = false;
  void needed(() => import('../window/follow')).then(({ followWindow }) => {
    stop();
    if (!isOver) stop = followWindow(early);
  });
  return () => {
    isOver = true;
    stop();
  };
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
