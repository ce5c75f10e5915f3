// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { availableCommands, runCommand } from '../app/commands';
import { setFocus } from '../editor/focus';
import type { AiLevel } from '../wire/gen/types';
import { registerThreadCommands } from './commands';

const level = vi.hoisted(() => ({ now: 'full' as AiLevel }));
const help = vi.hoisted(() => vi.fn());
const PROBLEM = { path: 'a.py', message: 'bad' };
vi.mock('../assistant/level', () => ({ helpLevel: () => level.now }));
vi.mock('../problems/help', () => ({ help }));
vi.mock('../problems/store', () => ({ problemsOf: async () => [PROBLEM] }));

const offered = () =>
  availableCommands()
    .map(({ id }) => id)
    .filter((id) => id.startsWith('problem.'));

beforeEach(() => {
  help.mockReset();
  registerThreadCommands();
  setFocus({ path: 'a.py' });
});

test('help is offered as far as AI goes', () => {
  const at = (now: AiLevel) => {
    level.now = now;
    return offered();
  };
  expect(at('full')).toEqual(['problem.fix', 'problem.hint']);
  expect(at('partial')).toEqual(['problem.hint']);
  expect(at('off')).toEqual([]);
});

test('palette help shows the question without a model', async () => {
  level.now = 'full';
  runCommand('problem.fix');
  runCommand('problem.hint');
  await vi.waitFor(() =>
    expect(help.mock.calls).toEqual([
      [{ problem: PROBLEM }, false],
      [{ problem: PROBLEM }, true],
    ]),
  );
});
