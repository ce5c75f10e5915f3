// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { editRecord } from '../testing/records';
import type { ActionId, ActionRecord, NoteRow, Preview } from '../wire/gen/types';
import { ActionCard } from './ActionCard';
import { learn, useActions } from './store';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
const sent = vi.hoisted(() => vi.fn());
vi.mock('../wire/actions', () => ({ decideAction: sent, stopAction: sent, undoAction: sent }));

const row = (part: number, before: string | null, after: string): NoteRow => ({
  part,
  path: 'plan.md',
  line: part + 1,
  field: 'todo',
  before,
  after,
});

function table(hash: string): ActionRecord {
  const record = editRecord([]);
  const rows = [row(0, '- [ ] a', '- [x] a'), row(1, '- [ ] b', '- [x] b'), row(1, null, '- [ ] next')];
  const preview = { summary: 'Mark 2 todos as done', body: { kind: 'rows' as const, rows }, warnings: [] };
  const envelope = { ...record.envelope, id: `act_${hash[0]}` as ActionId };
  return { ...record, envelope, approval_hash: hash, preview: { ...preview, completeness: 'full' } };
}

async function shown(record: ActionRecord): Promise<HTMLElement> {
  const host = document.createElement('div');
  learn(record);
  await act(async () => createRoot(host).render(<ActionCard id={record.envelope.id} />));
  await act(async () => vi.advanceTimersByTime(500));
  return host;
}

const button = (host: HTMLElement, label: string) =>
  [...host.querySelectorAll('button')].find((each) => each.textContent === label);

beforeEach(() => {
  vi.useFakeTimers();
  sent.mockReset();
  useActions.setState({ records: new Map(), deciding: new Map(), renewed: new Set(), problems: new Map() });
});

test('a part has one checkbox', async () => {
  const host = await shown(table('a'.repeat(64)));
  expect(host.querySelectorAll('input[type=checkbox]').length).toBe(2);
  expect(host.textContent).toContain('plan.md:1');
  expect(button(host, 'Cancel')).toBeDefined();
});

test('Submit names the checked rows', async () => {
  const record = table('b'.repeat(64));
  const host = await shown(record);
  sent.mockResolvedValue({ record: { ...record, state: 'done' } });
  await act(async () => host.querySelector<HTMLInputElement>('input[type=checkbox]')?.click());
  await act(async () => button(host, 'Submit')?.click());
  expect(sent).toHaveBeenCalledWith('act_b', { decision: 'approve', hash: record.approval_hash, parts: [1] });
});

test('Submit leaves out stale and unchecked rows', async () => {
  const record = table('d'.repeat(64));
  const host = await shown(record);
  await act(async () => host.querySelectorAll<HTMLInputElement>('input[type=checkbox]')[1]?.click());
  const rows = [
    row(0, '- [ ] a', '- [x] a'),
    row(1, '- [ ] b', '- [x] b'),
    { ...row(2, '- [ ] c', '- [x] c'), problem: 'gone' },
  ];
  const preview = { ...(record.preview as Preview), body: { kind: 'rows' as const, rows } };
  const again = {
    ...record,
    approval_hash: 'e'.repeat(64),
    preview,
  };
  const anew = await shown(again);
  expect(
    [...anew.querySelectorAll<HTMLInputElement>('input[type=checkbox]')].map((box) => [box.checked, box.disabled]),
  ).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
  expect(anew.textContent).toContain('Out of date: Gone');
  sent.mockResolvedValue({ record: { ...again, state: 'done' } });
  await act(async () => button(anew, 'Submit')?.click());
  expect(sent).toHaveBeenCalledWith('act_d', { decision: 'approve', hash: again.approval_hash, parts: [0] });
});

test('Submit needs a checked row', async () => {
  const host = await shown(table('c'.repeat(64)));
  for (const box of host.querySelectorAll<HTMLInputElement>('input[type=checkbox]')) await act(async () => box.click());
  expect(button(host, 'Submit')?.disabled).toBe(true);
});
