// Gets this page in: the token comes in the URL's fragment, is exchanged for a cookie, and leaves the URL at once.
import { create } from 'zustand';
import { connection } from '../wire/connection';
import type { Failure, OpenSession, Session } from '../wire/gen/types';
import { failureOf, RequestFailed, request, setCsrf } from '../wire/requests';

/** How this page stands with the server. */
export type SessionState =
  | { phase: 'starting' }
  | { phase: 'open'; session: Session }
  /** `token`: there is none, or it is not taken; `gone`: nobody answers; `failed`: something else. */
  | { phase: 'closed'; reason: 'token' | 'gone' | 'failed'; failure: Failure };

/** The session, for components. */
export const useSession = create<{ state: SessionState }>(() => ({ state: { phase: 'starting' } }));

/** Opens the session with the URL's token, else with the cookie of an earlier one, and connects. */
export async function openSession(): Promise<void> {
  useSession.setState({ state: { phase: 'starting' } });
  const token = takeToken();
  try {
    opened(token ? await exchange(token) : await request<Session>('GET', 'session'));
  } catch (error) {
    useSession.setState({ state: closed(error) });
  }
}

/** Opens the session with a token, or a link that has one, that a person pasted. */
export async function signIn(pasted: string): Promise<void> {
  const token = tokenIn(pasted.trim()) ?? pasted.trim();
  try {
    opened(await exchange(token));
  } catch (error) {
    useSession.setState({ state: closed(error) });
  }
}

/** Asks again who we are, after the server was started anew. */
async function renew(): Promise<void> {
  try {
    setCsrf((await request<Session>('GET', 'session')).csrf);
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 401) useSession.setState({ state: closed(error) });
  }
}

function opened(session: Session): void {
  setCsrf(session.csrf);
  useSession.setState({ state: { phase: 'open', session } });
  let server: string | null = null;
  connection.on('hello', (frame) => {
    if (server !== null && server !== frame.server) void renew();
    server = frame.server;
  });
  connection.start();
}

function exchange(token: string): Promise<Session> {
  return request<Session>('POST', 'session', { token } satisfies OpenSession);
}

function closed(error: unknown): SessionState {
  const failure = failureOf(error);
  const status = error instanceof RequestFailed ? error.status : -1;
  if (status === 0) return { phase: 'closed', reason: 'gone', failure };
  return { phase: 'closed', reason: status === 401 || status === 403 ? 'token' : 'failed', failure };
}

/** Takes the token out of the URL, so that it does not stay in the history. */
function takeToken(): string | null {
  const token = tokenIn(location.hash);
  if (token) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

function tokenIn(text: string): string | null {
  return /[#&]token=([^&\s]+)/.exec(text)?.[1] ?? null;
}
