// What runs while a workspace is open: the kept arrangement, the URL, files that change, things asked by the server.
import { useEffect } from 'react';
import { focusedView, openFile, useFrames } from '../frames/store';
import { connection } from '../wire/connection';
import type { Failure, ServerFrame, Session, Status } from '../wire/gen/types';
import { request } from '../wire/requests';
import { invalidateWhere } from '../wire/resource';
import { followHistory } from './history';
import { followMoves } from './moves';

/** Starts all of it once there is a session. */
export function useWorkspace(session: Session | null): void {
  const workspace = session?.workspace;
  useEffect(() => {
    if (workspace === undefined) return;
    document.title = `${workspace} – Aside`;
    void restoreLayout(workspace);
    const stops = [
      connection.on('ui_action', answerUiAction),
      followMoves(),
      connection.on('files_changed', () => invalidateWhere((path) => path === 'files/names')),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [workspace]);
}

async function restoreLayout(workspace: string): Promise<void> {
  if (useFrames.getState().ready) return;
  const { keepLayout } = await import('../frames/layout');
  const kept = await keepLayout();
  useFrames.setState({ ready: true });
  followHistory(workspace);
  if (!kept && !focusedView()) await showTour();
}

/** The sample workspace begins with its list of things to try. */
async function showTour(): Promise<void> {
  const { demo } = await request<Status>('GET', 'status');
  if (demo && !focusedView()) openFile('Welcome.md', { focus: false });
}

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
