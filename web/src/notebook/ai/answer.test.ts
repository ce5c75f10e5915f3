import { expect, it } from 'vitest';
import type { CellOutput } from '../../wire/gen/types';
import { modelIn, openAction, partsOf } from './answer';

const display = (data: Record<string, unknown>, metadata: unknown = {}, omitted = {}): CellOutput => ({
  type: 'display',
  data,
  metadata,
  is_result: false,
  omitted,
});
const said = (text: string) =>
  display(
    { 'text/markdown': text },
    { anode: { role: 'assistant', ai_provider: 'ollama', ai_model: 'qwen3:8b', iteration: 1 } },
  );
const call = (id: string, status: string, action?: string) =>
  display(
    {
      'application/vnd.anode.aitool+json': {
        tool_call_id: id,
        tool_name: 'modify_cell',
        arguments: { cellId: 'first' },
        status,
      },
      'text/markdown': `\`modify_cell\` ${status}`,
    },
    { anode: { role: 'function_call' }, ...(action && { aside: { action } }) },
  );
const result = (id: string, text: string) =>
  display({
    'application/vnd.anode.aitool.result+json': { tool_call_id: id, result: text, status: 'success' },
    'text/plain': text,
  });

it('puts what came of a call to the call, and names the model that answered', () => {
  const parts = partsOf([said('I look.'), call('a', 'success', 'act_1'), result('a', 'Modified'), said('Done.')]);
  expect(parts.map((part) => part.kind)).toEqual(['text', 'call', 'text']);
  expect(parts[1]).toMatchObject({ name: 'modify_cell', action: 'act_1', result: 'Modified', resultAt: 2 });
  expect(modelIn(parts)).toBe('ollama/qwen3:8b');
});

it('finds the action that an answer waits for, and none once something came of it', () => {
  expect(openAction([said('I look.'), call('a', 'pending', 'act_1')])).toBe('act_1');
  expect(openAction([call('a', 'success', 'act_1'), result('a', 'x')])).toBeNull();
  expect(openAction([])).toBeNull();
});

it('tells a limit and a failure from what was said', () => {
  const limit = display({ 'text/markdown': 'Reached maximum iterations (3). Run a cell that says how to go on.' });
  const failed: CellOutput = {
    type: 'error',
    name: 'needs_consent',
    value: 'nothing was sent',
    traceback: 'nothing was sent\nallow it under Models',
  };
  expect(partsOf([limit, failed])).toEqual([
    { kind: 'limit', at: 0, steps: 3 },
    { kind: 'end', at: 1, code: 'needs_consent', message: 'nothing was sent', hint: 'allow it under Models' },
  ]);
});

it('shows what another program wrote as any other output', () => {
  const odd = [
    display({ 'text/markdown': 'of another program' }),
    display({ 'application/vnd.anode.aitool+json': 'no object', 'text/plain': 'words' }),
    result('nobody asked', 'words'),
    display({ 'text/plain': 'x' }, null, { 'text/markdown': 90_000 }),
  ];
  expect(partsOf(odd).map((part) => part.kind)).toEqual(['other', 'other', 'other', 'other']);
});

it('takes a result that was too long to be sent to the call before it', () => {
  const long = display(
    { 'text/plain': 'the beginning' },
    {},
    { 'application/vnd.anode.aitool.result+json': 90_000, 'text/plain': 0 },
  );
  expect(partsOf([call('a', 'success'), long])[0]).toMatchObject({ result: 'the beginning', resultAt: 1 });
});
