/**
 * Builds, as a person asks for them: by the button, by a key, or with every save.
 *
 * The server runs one build of a document at a time and lets one wait; a document that waits for the person's word is not
 * asked about a second time.
 */
import { create } from 'zustand';
import { learn, stop, useActions, waitingRecords } from '../actions/store';
import { announce } from '../ui/Announcer';
import { toastFailure } from '../ui/Toast';
import { submitAction } from '../wire/actions';
import type { ActionId, ActionRecord, LatexState } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { latexOf, readLatexAgain } from './state';

const KEY = 'aside.latex.on_save';

interface Builds {
  /** Main files of which a request is on its way. */
  sending: ReadonlySet<string>;
  /** Main files that are built with every save. */
  onSave: ReadonlySet<string>;
}

/** What this window knows of its builds. */
export const useBuilds = create<Builds>(() => ({ sending: new Set(), onSave: kept() }));

/** Builds the document of a file; if a save asks for it, only what the last build has not taken in. */
export async function build(path: string, saved?: string): Promise<void> {
  const main = (await latexOf(path))?.main ?? path;
  if (waitingBuild(main)) return announce('The build is waiting for your approval');
  if (useBuilds.getState().sending.has(main)) return;
  sending(main, true);
  try {
    const { record } = await submitAction({
      action_type: 'latex.build',
      args: { path: main, ...(saved && { saved }) },
    });
    learn(record);
    const failure = record.outcome && 'failure' in record.outcome ? record.outcome.failure : null;
    if (failure && failure.code !== 'build_failed' && failure.code !== 'stopped') toastFailure(failure);
  } catch (error) {
    toastFailure(failureOf(error));
  } finally {
    sending(main, false);
    readLatexAgain();
  }
}

/** Builds again after a save, if that is wanted; one more while one runs is enough, which the server sees to. */
export function saved(main: string, path: string): void {
  if (useBuilds.getState().onSave.has(main) && !waitingBuild(main)) void again(main, path);
}

/** The file that was saved last, by the main file. */
const wanted = new Map<string, string>();

/** While this window's own request is under way, one more is remembered. */
async function again(main: string, path: string): Promise<void> {
  if (useBuilds.getState().sending.has(main)) {
    wanted.set(main, path);
    return;
  }
  await build(main, path);
  const next = wanted.get(main);
  if (next !== undefined) {
    wanted.delete(main);
    await again(main, next);
  }
}

/** Says whether a document is built with every save. */
export function setOnSave(main: string, on: boolean): void {
  // Another window may have kept others.
  const onSave = new Set(kept());
  if (on) onSave.add(main);
  else onSave.delete(main);
  useBuilds.setState({ onSave });
  localStorage.setItem(KEY, JSON.stringify([...onSave]));
  if (on) void build(main);
}

/** Stops the build that runs. */
export function stopBuild(state: LatexState): void {
  if (state.running) void stop(state.running);
}

/** The build of a main file that waits for the person's answer, whoever asked for it and in whichever window. */
export function useWaitingBuild(main: string | undefined): ActionId | null {
  return useActions(({ records }) => (main ? waitingIn(records, main) : null));
}

function waitingBuild(main: string): ActionId | null {
  return waitingIn(useActions.getState().records, main);
}

function waitingIn(records: ReadonlyMap<ActionId, ActionRecord>, main: string): ActionId | null {
  const waiting = waitingRecords(records).find(({ envelope: { action_type, args } }) => {
    return action_type === 'latex.build' && isBuildOf(args, main);
  });
  return waiting?.envelope.id ?? null;
}

function isBuildOf(args: unknown, main: string): boolean {
  return typeof args === 'object' && args !== null && 'path' in args && args.path === main;
}

function sending(main: string, on: boolean): void {
  const sending = new Set(useBuilds.getState().sending);
  if (on) sending.add(main);
  else sending.delete(main);
  useBuilds.setState({ sending });
}

function kept(): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Set(Array.isArray(value) ? value.filter((path) => typeof path === 'string') : []);
  } catch {
    return new Set();
  }
}
