// REST requests: JSON in and out, the CSRF header on changes, failures as errors with the server's words.
//
//   const threads = await request<Thread[]>('GET', 'threads');
//   await request<TurnStarted>('POST', `threads/${id}/turns`, body satisfies StartTurn);
//
// Throws RequestFailed; its `failure` has code, message, hint. `failureOf(error)` makes one of anything thrown.
import { basePath } from '../app/base';
import type { Failure } from './gen/types';

/** How a request is made. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An answer that is not a success, or no answer (`status` 0, code `offline`). */
export class RequestFailed extends Error {
  constructor(
    readonly status: number,
    readonly failure: Failure,
  ) {
    super(failure.message);
  }
}

let csrf = '';

/** Remembers what the server wants to see with every change. */
export function setCsrf(token: string): void {
  csrf = token;
}

/** Sends a request to `/api/v1/{path}` and returns the answer's body. */
export async function request<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const answer = await send(method, path, body, signal);
  const text = await answer.text().catch((error: unknown) => lost(error, signal));
  if (!answer.ok) throw new RequestFailed(answer.status, failureIn(text, answer.status));
  return (text ? JSON.parse(text) : undefined) as T;
}

/**
 * Sends a request that is answered line by line, and gives each line as it comes; one without a body only looks. Whoever stops reading, or aborts the
 * signal, closes the connection.
 */
export async function* requestLines<T>(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<T> {
  const answer = await send(body === undefined ? 'GET' : 'POST', path, body, signal);
  if (!answer.ok || !answer.body) throw new RequestFailed(answer.status, failureIn(await answer.text(), answer.status));
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((error: unknown) => lost(error, signal));
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as T;
      if (done) return;
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** Sends bytes as they are to `/api/v1/{path}`, and returns the answer's body. */
export async function sendBytes<T>(path: string, bytes: Blob): Promise<T> {
  const headers = { Accept: 'application/json', 'X-Aside-CSRF': csrf, 'Content-Type': 'application/octet-stream' };
  const init: RequestInit = { method: 'POST', headers, body: bytes, credentials: 'same-origin' };
  const answer = await fetch(`${basePath}api/v1/${path}`, init).catch((error: unknown) => lost(error));
  const text = await answer.text();
  if (!answer.ok) throw new RequestFailed(answer.status, failureIn(text, answer.status));
  return JSON.parse(text) as T;
}

/** A key for one intent: retries of it use the same key and run once. */
export function newKey(): string {
  return crypto.randomUUID();
}

/** What went wrong, in words, whatever was thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RequestFailed) return error.failure;
  return { code: 'internal', message: error instanceof Error ? error.message : String(error), data: null };
}

async function send(method: Method, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (method !== 'GET') headers['X-Aside-CSRF'] = csrf;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(`${basePath}api/v1/${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      credentials: 'same-origin',
    });
  } catch (error) {
    return lost(error, signal);
  }
}

/** No answer came, or not all of it. */
function lost(error: unknown, signal?: AbortSignal): never {
  if (signal?.aborted) throw error;
  const message = 'Can’t reach Aside.';
  throw new RequestFailed(0, {
    code: 'offline',
    message,
    hint: 'If it has stopped, start it again in the terminal.',
    data: null,
  });
}

function failureIn(text: string, status: number): Failure {
  try {
    const { error } = JSON.parse(text) as { error?: Failure };
    if (typeof error?.message === 'string') return error;
  } catch {
    // Not ours: a proxy's page, say.
  }
  return { code: 'http', message: `The server responded with status ${status}.`, data: null };
}
