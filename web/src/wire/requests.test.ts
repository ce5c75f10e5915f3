import { afterEach, expect, it, vi } from 'vitest';
import { RequestFailed, requestLines } from './requests';

vi.mock('../app/base', () => ({ basePath: '/' }));
afterEach(() => vi.unstubAllGlobals());

/** Answers with these pieces of a body. */
function answering(pieces: readonly string[], status = 200): AbortController {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  vi.stubGlobal('fetch', async () => new Response(body, { status }));
  return new AbortController();
}

async function linesOf(pieces: readonly string[]): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of requestLines('models/pull', {}, answering(pieces).signal)) lines.push(line);
  return lines;
}

it('gives line by line what comes in pieces, also the last without an end', async () => {
  expect(await linesOf(['{"a":1}\n{"b"', ':2}\n', '\n{"c":', '3}'])).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }]);
  expect(await linesOf([])).toEqual([]);
});

it('says what the server said when it did not take the request', async () => {
  const { signal } = answering(['{"error":{"code":"x","message":"Not now.","data":null}}'], 409);
  const read = requestLines('models/pull', {}, signal).next();
  await expect(read).rejects.toThrowError(new RequestFailed(409, { code: 'x', message: 'Not now.', data: null }));
});
