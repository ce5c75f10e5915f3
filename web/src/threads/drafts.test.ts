// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';

/** Two windows on one machine: modules of their own, one storage. */
async function openWindow() {
  vi.resetModules();
  const { setDraft, useDrafts } = await import('./drafts');
  const { attach, attachedTo, detach } = await import('./attached');
  return { setDraft, attach, attachedTo, detach, drafts: () => useDrafts.getState().drafts };
}

vi.mock('../wire/connection', () => ({ connection: {}, useConnection: () => {} }));

beforeEach(() => localStorage.clear());

test('windows keep their own drafts', async () => {
  const [one, two] = [await openWindow(), await openWindow()];
  one.setDraft('thr_1', 'mine');
  two.setDraft('thr_2', 'also mine');
  expect((await openWindow()).drafts()).toEqual({ thr_1: 'mine', thr_2: 'also mine' });
  two.setDraft('thr_2', '');
  expect((await openWindow()).drafts()).toEqual({ thr_1: 'mine' });
});

test('attachments outlive the window', async () => {
  const thread = { kind: 'thread', thread: 'thr_2' } as const;
  const window = await openWindow();
  window.attach('thr_1', thread);
  expect((await openWindow()).attachedTo('thr_1')).toEqual([thread]);
  window.detach('thr_1', ...window.attachedTo('thr_1'));
  expect((await openWindow()).attachedTo('thr_1')).toEqual([]);
});

test('invalid drafts are ignored', async () => {
  localStorage.setItem('aside.drafts', '{"thr_1":1,"thr_2":"two"}');
  localStorage.setItem('aside.attached', '{"thr_1":"x","thr_2":[],"thr_3":[1]}');
  const window = await openWindow();
  expect(window.drafts()).toEqual({ thr_2: 'two' });
  expect([window.attachedTo('thr_1'), window.attachedTo('thr_3')]).toEqual([[], []]);
});
