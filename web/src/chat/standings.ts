// Where people are in the chats, for badges: small, since it is needed before any chat is opened. The messages
// themselves are in messages.ts.
import { useEffect } from 'react';
import { create } from 'zustand';
import { useSession } from '../app/session';
import { connection, useConnection } from '../wire/connection';
import type { ChatMessage, ChatStanding, Chats, Person, PersonHere, PersonId, RenamePerson } from '../wire/gen/types';
import { request } from '../wire/requests';

/** What is known of chats and people. */
export const useStandings = create<{
  me: PersonId | null;
  standings: readonly ChatStanding[];
  people: readonly PersonHere[];
}>(() => ({ me: null, standings: [], people: [] }));

/** How far the person is beside a document; null if nobody has said anything there. */
export function useStanding(path: string | null): ChatStanding | null {
  return useStandings(({ standings }) => standings.find(({ chat }) => chat.document === path) ?? null);
}

/** Takes in how far the person is in a chat now. */
export function learnStanding(standing: ChatStanding): void {
  useStandings.setState(({ standings }) => ({
    standings: [standing, ...standings.filter(({ chat }) => chat.id !== standing.chat.id)].sort(byLatest),
  }));
}

/** The chats with something unread: those that name the person first, then the latest. */
export function unreadChats(standings: readonly ChatStanding[]): ChatStanding[] {
  return standings
    .filter(({ unread }) => unread > 0)
    .sort((one, two) => two.mentions - one.mentions || byLatest(one, two));
}

/** Names the people a message may name. */
export function usePeople(): readonly PersonHere[] {
  return useStandings((state) => state.people);
}

type Heard = (message: ChatMessage, seq: number) => void;

const listeners = new Set<Heard>();

/** Calls `heard` for each message that is said, changed or taken back while the window is open. */
export function onMessage(heard: Heard): () => void {
  listeners.add(heard);
  return () => listeners.delete(heard);
}

/** Follows chats and people while there is a connection; mounted once, by the shell. */
export function useFollowChats(ready: boolean): void {
  const online = useConnection((state) => state.status === 'online');
  useEffect(() => {
    if (!ready || !online) return;
    void readChats();
    void readPeople();
    const stops = [
      connection.on('chat_changed', ({ standing, message, seq }) => {
        learnStanding(standing);
        if (message && seq !== undefined) for (const heard of listeners) heard(message, seq);
      }),
      connection.on('chats_missed', () => void readChats()),
      connection.on('people_changed', () => void readPeople()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [ready, online]);
}

/** Changes the person's own name, here and for everybody else. */
export async function renameMe(name: string): Promise<void> {
  const person = await request<Person>('PUT', 'people/me', { name } satisfies RenamePerson);
  useSession.setState(({ state }) =>
    state.phase === 'open' ? { state: { ...state, session: { ...state.session, user: person.name, person } } } : {},
  );
  await readPeople();
}

async function readChats(): Promise<void> {
  try {
    const { me, chats } = await request<Chats>('GET', 'chats');
    useStandings.setState({ me, standings: chats });
  } catch {
    // The next connection tries again; until then there is no badge.
  }
}

async function readPeople(): Promise<void> {
  try {
    useStandings.setState({ people: await request<PersonHere[]>('GET', 'people') });
  } catch {
    // As above: nobody can be named until then.
  }
}

function byLatest(one: ChatStanding, two: ChatStanding): number {
  return two.chat.last < one.chat.last ? -1 : 1;
}
