// Gets this page in: the token comes in the URL's fragment, is exchanged for a cookie, and leaves the URL at once.
import { create } from 'zustand';
import { connection, useConnection } from '../wire/connection';
import type { Failure, OpenSession, Session } from '../wire/gen/types';
import { failureOf, RequestFailed, request, setCsrf } from '../wire/requests';

/** How this page stands with the server. */
export type SessionState =
  | { phase: 'starting' }
  /** `locked`: the server was started anew and does not know us any more; what is open stays as it is. */
  | { phase: 'open'; session: Session; locked: boolean }
  /** `token`: there is none, or it is not taken; `gone`: nobody answers; `failed`: something else. */
  | { phase: 'closed'; reason: 'token' | 'gone' | 'failed'; failure: Failure };

/** The session, for components. */
export const useSession = create<{ state: SessionState }>(() => ({ state: { phase: 'starting' } }));

/** Tells whether the person at this page is a guest of the workspace. */
export function isGuest(state: SessionState = useSession.getState().state): boolean {
  return state.phase === 'open' && !state.session.person.owner;
}

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

/** Opens the session with a token, or a link that has one, that a person pasted; tells whether it was taken. */
export async function signIn(pasted: string): Promise<boolean> {
  try {
    opened(await exchange(tokenIn(pasted) ?? pasted.trim()));
    return true;
  } catch (error) {
    if (useSession.getState().state.phase !== 'open') useSession.setState({ state: closed(error) });
    return false;
  }
}

function opened(session: Session): void {
  setCsrf(session.csrf);
  useSession.setState({ state: { phase: 'open', session, locked: false } });
  connection.start();
  connection.retryNow();
}

// A socket that is refused looks like one that finds nobody: the session tells which.
useConnection.subscribe(({ failed, server }, before) => {
  const restarted = before.server !== null && server !== before.server;
  if (restarted || (failed > 0 && failed !== before.failed)) void askAgain();
});

async function askAgain(): Promise<void> {
  const { state } = useSession.getState();
  if (state.phase !== 'open') return;
  try {
    const session = await request<Session>('GET', 'session');
    setCsrf(session.csrf);
    useSession.setState({ state: { phase: 'open', session, locked: false } });
  } catch (error) {
    if (isRefusal(error)) useSession.setState({ state: { ...state, locked: true } });
  }
}

function exchange(token: string): Promise<Session> {
  return request<Session>('POST', 'session', { token } satisfies OpenSession);
}

function closed(error: unknown): SessionState {
  const failure = failureOf(error);
  if (failure.code === 'offline') return { phase: 'closed', reason: 'gone', failure };
  return { phase: 'closed', reason: isRefusal(error) ? 'token' : 'failed', failure };
}

function isRefusal(error: unknown): boolean {
  return error instanceof RequestFailed && (error.status === 401 || error.status === 403);
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
