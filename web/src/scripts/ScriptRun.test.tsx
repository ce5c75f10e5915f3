// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { learn, useActions } from '../actions/store';
import { useFrames } from '../frames/store';
import { panesOf } from '../frames/tree';
import type { ActionRecord, ScriptReport } from '../wire/gen/types';
import ScriptRun from './ScriptRun';
import type { ScriptTask } from './scriptTask';
import { run, setScript } from './store';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
const sent = vi.hoisted(() => vi.fn());
vi.mock('../wire/requests', async (original) => ({ ...(await original<object>()), request: sent }));

const report: ScriptReport = {
  path: 'scripts/tidy.ts',
  dry_run: false,
  console: { text: '', truncated: false },
  replayed: 0,
  calls_done: 0,
};

function taskOf(script: Partial<ScriptReport>, more: Partial<ScriptTask> = {}, state = 'completed'): ScriptTask {
  const task = { id: 'tsk_1', goal: 'Tidy', state, paused: null, source: { kind: 'plan' }, actions: [], turns: [] };
  return {
    task,
    actions: [],
    plan: null,
    timeline: [],
    script: { ...report, ...script },
    ...more,
  } as unknown as ScriptTask;
}

const roots: Root[] = [];

async function show(detail: ScriptTask): Promise<HTMLElement> {
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  roots.push(root);
  await act(async () => root.render(<ScriptRun detail={detail} />));
  return host;
}

const button = (host: HTMLElement, words: string) =>
  [...host.querySelectorAll('button')].find((each) => each.textContent?.includes(words));

const press = (host: HTMLElement, words: string) => act(async () => button(host, words)?.click());

beforeEach(() => {
  sent.mockReset();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});

afterEach(async () => {
  vi.useRealTimers();
  await act(async () => {
    for (const root of roots.splice(0)) root.unmount();
  });
  document.body.replaceChildren();
});

test('dry runs list changes by file', async () => {
  const change = (path: string, summary: string, more = {}) => ({
    action_type: 'doc.edit',
    args: { path },
    summary,
    path,
    completeness: 'full' as const,
    asks: false,
    ...more,
  });
  const changes = [
    change('a.md', 'Edit a.md'),
    change('b.md', 'Edit b.md', { completeness: 'opaque', asks: true }),
    change('a.md', 'Edit a.md again'),
  ];
  const host = await show(taskOf({ dry_run: true, changes, completeness: 'partial' }));
  expect(host.querySelector('h3')?.textContent).toBe('A run would make 3 changes in 2 files');
  const groups = [...host.querySelectorAll('tbody')].map((body) => body.textContent);
  expect(groups).toEqual([
    'a.md 2 changesEdit a.md doc.editcompleteEdit a.md again doc.editcomplete',
    'b.mdEdit b.md doc.edit asks younot shown',
  ]);
  await press(host, 'Edit b.md');
  expect(host.textContent).toContain('Arguments');
});

test('a run takes its dry run’s arguments', async () => {
  sent.mockResolvedValue(taskOf({}));
  setScript('scripts/tidy.ts', { args: '{ "n": 1 }', task: null });
  const host = await show(taskOf({ dry_run: true, args: { n: 2 }, changes: [] }));
  expect(host.textContent).toContain('with {"n":2}');
  await press(host, 'Run');
  expect(sent).toHaveBeenCalledWith(
    'POST',
    'scripts',
    expect.objectContaining({ path: 'scripts/tidy.ts', args: { n: 2 }, dry_run: false, shown: 'tsk_1' }),
  );
});

test('an error leads to its line', async () => {
  const error = { code: 'not_found', message: 'There is no `x.md`', line: 12, action_type: 'doc.edit' };
  const host = await show(taskOf({ error }, {}, 'failed'));
  expect(host.querySelector('[role=alert]')?.textContent).toContain('doc.editnot_found');
  await press(host, 'scripts/tidy.ts, line 12');
  const tabs = panesOf(useFrames.getState().frames.root).flatMap(({ tabs }) => tabs);
  const tab = tabs.find(({ view }) => view.kind === 'file' && view.path === 'scripts/tidy.ts');
  expect(useFrames.getState().reveals[tab?.id ?? '']?.line).toBe(12);
});

test('console and result show as they are', async () => {
  const host = await show(taskOf({ console: { text: 'one\ntwo\n', truncated: true }, result: [{ name: 'a', n: 1 }] }));
  expect(host.querySelector('pre')?.textContent).toBe('one\ntwo\n');
  expect(host.textContent).toContain('The console is full');
  expect([...host.querySelectorAll('th, td')].map((cell) => cell.textContent)).toEqual(['name', 'n', 'a', '1']);
  const nothing = await show(taskOf({ result: null }));
  expect(nothing.textContent).toContain('The script returned nothing.');
});

test('one answer covers a class of calls', async () => {
  const record = {
    envelope: { id: 'act_1', action_type: 'file.delete', args: { path: 'b.tmp' }, risk_level: ['destructive'] },
    state: 'awaiting_confirmation',
    approval_hash: 'hash',
    preview: null,
    provenance: { label: 'workspace', sources: [] },
    verdict: { ruling: 'confirm', rule: 'default.destructive', reason: 'it deletes' },
    assessment: { targets: [] },
    marked: [],
    parts: [],
    origin: { kind: 'script' },
    created: 1,
    updated: 1,
  } as unknown as ActionRecord;
  useActions.setState({ records: new Map() });
  learn(record);
  sent.mockResolvedValue({ record });
  const pending = { id: 'act_1', action_type: 'file.delete', risks: ['destructive'], behind: 0, hash: 'hash' };
  const coming = { calls: 2, about: ['b.tmp', 'c.tmp'] };
  const more = { pending: { ...pending, coming } as never };
  const host = await show(taskOf({}, more, 'awaiting_confirmation'));
  await act(async () => vi.advanceTimersByTime(1000));
  expect(host.textContent).toContain('The dry run showed b.tmp, c.tmp.');
  await press(host, 'Accept all 2 × file.delete in this run');
  // What destroys is pressed twice.
  expect(sent.mock.calls.filter(([method]) => method === 'POST')).toEqual([]);
  await press(host, 'Really accept all');
  await act(async () => vi.advanceTimersByTime(1000));
  await vi.waitFor(() =>
    expect(sent).toHaveBeenCalledWith('POST', 'actions/act_1/decision', {
      decision: 'approve',
      scope: 'class',
      hash: 'hash',
    }),
  );
});

test('a run sends path and arguments', async () => {
  sent.mockResolvedValue(taskOf({}));
  setScript('scripts/tidy.ts', { args: '{ "n": ', task: null });
  await run('scripts/tidy.ts', true);
  expect(sent).not.toHaveBeenCalled();
  setScript('scripts/tidy.ts', { args: '{ "n": 1 }' });
  await run('scripts/tidy.ts', true);
  const [method, path, body] = sent.mock.calls[0] ?? [];
  expect([method, path, body.path, body.args, body.dry_run]).toEqual([
    'POST',
    'scripts',
    'scripts/tidy.ts',
    { n: 1 },
    true,
  ]);
  const tabs = panesOf(useFrames.getState().frames.root).flatMap(({ tabs }) => tabs);
  expect(tabs.some(({ view }) => view.kind === 'task' && view.task === 'tsk_1')).toBe(true);
});
