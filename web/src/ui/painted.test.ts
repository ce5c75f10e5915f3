// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';

const { afterPaint } = await vi.importActual<typeof import('./painted')>('./painted');

afterEach(() => vi.restoreAllMocks());

test('what changed is painted before the request is made', async () => {
  const order: string[] = [];
  requestAnimationFrame(() => order.push('frame'));
  const answer = await afterPaint(async () => order.push('sent'));
  expect(order).toEqual(['frame', 'sent']);
  expect(answer).toBe(2);
});

test('a page that paints nothing sends all the same', async () => {
  vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
  expect(await afterPaint(async () => 'sent')).toBe('sent');
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  expect(await afterPaint(async () => 'at once')).toBe('at once');
});
