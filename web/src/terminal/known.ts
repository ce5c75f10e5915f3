// What this window knows of the terminals that are open: their names stand on tabs before anything of them is shown.
import { useEffect } from 'react';
import { create } from 'zustand';
import { connection, useConnection } from '../wire/connection';
import type { OpenTerminal } from '../wire/gen/types';
import { request } from '../wire/requests';
import { giveName, givenNames, onNamed } from './names';

/** Terminals as the server lists them, and by the names that this person gave them. */
interface Known {
  readonly listed: readonly OpenTerminal[];
  readonly terminals: readonly OpenTerminal[] | null;
}

const useKnown = create<Known>(() => ({ listed: [], terminals: null }));

let following = false;

function read(): void {
  void request<OpenTerminal[]>('GET', 'terminals').then(
    learn,
    // A tab that can't be named keeps its general name; its page says why.
    () => {},
  );
}

function learn(listed: readonly OpenTerminal[]): void {
  const names = givenNames();
  const terminals = listed.map((terminal) => ({ ...terminal, name: names[terminal.id] ?? terminal.name }));
  useKnown.setState({ listed, terminals });
}

function follow(): void {
  if (following) return;
  following = true;
  if (useConnection.getState().status === 'online') read();
  for (const frame of ['hello', 'terminals_changed'] as const) connection.on(frame, read);
  onNamed(() => learn(useKnown.getState().listed));
}

/** A terminal, for components; null while none is known by that id. */
export function useTerminal(id: string | null): OpenTerminal | null {
  useEffect(() => {
    if (id !== null) follow();
  }, [id]);
  return useKnown(({ terminals }) => terminals?.find((terminal) => terminal.id === id) ?? null);
}

/** Takes in a terminal that was just opened. */
export function learnTerminal(opened: OpenTerminal): void {
  learn([...useKnown.getState().listed.filter(({ id }) => id !== opened.id), opened]);
}

/** Names a terminal in this browser; an empty name brings the server's back. */
export function renameTerminal(id: string, name: string): void {
  giveName(id, name);
  learn(useKnown.getState().listed);
}

/** A terminal as it is known now. */
export function knownTerminal(id: string): OpenTerminal | null {
  return useKnown.getState().terminals?.find((terminal) => terminal.id === id) ?? null;
}

/** The words on the tab of a terminal. */
export function nameOf({ name, running }: OpenTerminal): string {
  return running ? `${name}: ${running}` : name;
}
