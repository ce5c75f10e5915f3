// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { learn, useActions } from '../actions/store';
import { learnTasks } from '../tasks/known';
import type { ActionRecord, Task } from '../wire/gen/types';
import { ScriptOfCall } from './ScriptOfCall';
import './ScriptRun';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
const sent = vi.hoisted(() => vi.fn());
vi.mock('../wire/requests', async (original) => ({ ...(await original<object>()), request: sent }));

function call(action_type: string, state = 'running'): ActionRecord {
  return {
    envelope: { id: 'act_1', action_type, args: { source: 'await one();\nreturn 1;\n' }, risk_level: ['read'] },
    state,
    outcome: null,
    approval_hash: null,
    provenance: { label: 'workspace', sources: [] },
    origin: { kind: 'turn', user: 'ada' },
    created: 1,
    updated: 1,
  } as unknown as ActionRecord;
}

const task = (id: string, more: Partial<Task> = {}) =>
  ({
    id,
    goal: 'Tidy',
    state: 'completed',
    paused: null,
    source: { kind: 'script', path: null, action: 'act_1' },
    turns: [],
    actions: [],
    ...more,
  }) as unknown as Task;

const detail = (of: Task, more = {}) => ({
  task: of,
  actions: [],
  timeline: [],
  script: { dry_run: false, console: { text: '', truncated: false }, replayed: 0, calls_done: 0, ...more },
});

let root: Root;

async function show(): Promise<HTMLElement> {
  const host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
  await act(async () => root.render(<ScriptOfCall action="act_1" />));
  await vi.waitFor(() => act(async () => expect(host.querySelector('[aria-label=Script]')).toBeTruthy()));
  return host;
}

beforeEach(() => {
  sent.mockReset();
  useActions.setState({ records: new Map() });
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

test('changes stand before the folded script', async () => {
  const change = { action_type: 'doc.edit', args: {}, summary: 'Edit a.md', path: 'a.md', completeness: 'full' };
  sent.mockResolvedValue(detail(task('tsk_1'), { dry_run: true, changes: [change], completeness: 'full' }));
  learn(call('script.run'));
  learnTasks(task('tsk_1'));
  const host = await show();
  await vi.waitFor(() => act(async () => expect(host.textContent).toContain('A run would make 1 change in 1 file')));
  const fold = host.querySelector('details');
  expect([fold?.open, fold?.querySelector('summary')?.textContent]).toEqual([false, 'Script of 2 lines']);
  const text = host.textContent ?? '';
  expect(text.indexOf('Edit a.md')).toBeLessThan(text.indexOf('Script of 2 lines'));
});

test('a held run says why and resumes', async () => {
  const held = task('tsk_2', { state: 'running', paused: 'person' });
  const timeline = [
    { at: 1, phase: 'plan', text: 'The dry run did not show this call.', step: null, action: null, state: null },
    { at: 2, phase: 'observe', text: 'file.copy: copied', step: 1, action: 'act_2', state: 'done' },
  ];
  sent.mockResolvedValue({ ...detail(held), timeline });
  learn(call('script.run'));
  learnTasks(held);
  const host = await show();
  expect(host.textContent).toContain('The dry run did not show this call.');
  const resume = [...host.querySelectorAll('button')].find(({ textContent }) => textContent === 'Resume');
  await act(async () => resume?.click());
  expect(sent).toHaveBeenCalledWith('POST', 'tasks/tsk_2/resume', undefined);
});

test('other actions show no script', async () => {
  learn(call('file.list'));
  const host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
  await act(async () => root.render(<ScriptOfCall action="act_1" />));
  expect(host.textContent).toBe('');
});
