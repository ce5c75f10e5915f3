import { expect, test } from 'vitest';
import { editRecord } from '../testing/records';
import type { ActionRecord } from '../wire/gen/types';
import { cardOf } from './card';
import { commandResultOf } from './command';

function ran(data: unknown): ActionRecord {
  const record = editRecord([]);
  return {
    ...record,
    envelope: { ...record.envelope, action_type: 'shell.run' },
    state: 'done',
    outcome: { kind: 'done', observation: { text: '', data, label: 'external' } },
  };
}

test('a command’s result has words, output and changes', () => {
  const output = { text: 'ok\n', cut: true, handle: 'abc', lines: 9 };
  expect(commandResultOf(ran({ summary: 'Exit status 0.', output, diffs: [], diffs_cut: true }))).toEqual({
    good: false,
    word: 'interrupted',
    summary: 'Exit status 0.',
    output: 'ok\n',
    handle: 'abc',
    lines: 9,
    diffs: [],
    cut: true,
  });
  expect(commandResultOf(ran({ summary: 'Broke off.', output: null }))?.output).toBe('');
  expect(commandResultOf(ran({ summary: '', output: { ...output, cut: false } }))?.handle).toBeNull();
});

test('a command’s end names its card', () => {
  const words = (data: object) => {
    const { word, tone, open, buttons } = cardOf({ ...ran({ summary: '', ...data }), can_undo: true });
    return [word, tone, open, buttons[0]?.label];
  };
  expect(words({ ended: 'exited', exit: 0 })).toEqual(['done', 'ok', false, 'Undo']);
  expect(words({ ended: 'exited', exit: 3 })).toEqual(['exit status 3', 'warn', true, 'Undo']);
  expect(words({ ended: 'exited', exit: null, signal: 9 })).toEqual(['ended by a signal', 'warn', true, 'Undo']);
  expect(words({ ended: 'stopped' })).toEqual(['stopped', 'warn', true, 'Undo']);
});

test('other actions have no command result', () => {
  expect(commandResultOf({ ...ran({ summary: '' }), envelope: editRecord([]).envelope })).toBeNull();
  for (const data of [null, 'text', {}, [1]]) expect(commandResultOf(ran(data))).toBeNull();
});
