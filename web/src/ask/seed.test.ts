import { expect, test } from 'vitest';
import { editRecord } from '../testing/records';
import type { HandOff, TaskDetail } from '../wire/gen/types';
import { seedOfAction, seedOfHandOff, seedOfTask } from './seed';

test('a thread begins with steps, states and results', () => {
  const observation = { text: 'created ideas.md', data: null };
  const record = editRecord([], { state: 'done', outcome: { kind: 'done', observation } as never });
  const step = { number: 1, action: 'act_1', state: 'done', request: { action_type: 'file.create' }, preview: null };
  const detail = {
    task: { goal: 'create file ideas.md', state: 'completed', paused: null, undone_by: null, summary: 'All done.' },
    plan: { steps: [step] },
    actions: [record],
  } as unknown as TaskDetail;
  expect(seedOfTask(detail)).toEqual({
    title: 'create file ideas.md',
    text: [
      'I asked Aside: create file ideas.md',
      'It was done as a quick task (completed):',
      '1. file.create: done',
      '> created ideas.md',
      'All done.',
      '\n',
    ].join('\n'),
  });
});

test('the sentence of an action is kept', () => {
  const record = editRecord([], { state: 'done' });
  const said = { ...record, envelope: { ...record.envelope, audit_context: { said: 'what is in data?' } } };
  expect(seedOfAction(said).title).toBe('what is in data?');
  expect(seedOfAction(record).title).toBe('Edit model.py, 0 changes');
});

test('handed over work keeps goal, files and limits', () => {
  const grant = { id: null, within: [], name: 'Navigator', risks: ['read', 'write'], paths: [['src/**']] };
  const objects = [
    { kind: 'thread', id: 'thr_1' },
    { kind: 'file', id: 'src/a.py' },
  ];
  const offer = { reason: 'it needs many edits', summary: 'Port it.', objects, waiting: [], grant } as HandOff;
  expect(seedOfHandOff('port a.py', offer)).toEqual({
    title: 'port a.py',
    text: 'port a.py\n\nHanded over because it needs many edits.\n\nPort it.\n\nFiles: @src/a.py\n\n',
    begun: { document: 'src/a.py', grant: { risks: ['read', 'write'], paths: ['src/**'] } },
  });
  const wide = { ...offer, objects: [], grant: { ...grant, paths: [], risks: Array(7).fill('read') } } as HandOff;
  expect(seedOfHandOff('port a.py', wide).begun).toEqual({});
});
