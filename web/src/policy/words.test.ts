import { expect, it } from 'vitest';
import type { LayerView, RuleCheck } from '../wire/gen/types';
import { emptyWords, exampleArguments, readArguments, splitChecks, wouldWords } from './words';

function check(rule: string, rest: Partial<RuleCheck>): RuleCheck {
  return { layer: 'user', rule, ruling: 'allow', default: false, matched: false, decided: false, unmet: null, ...rest };
}

it('the deciding rule comes first', () => {
  const checks = [
    check('builtin/a', { unmet: 'no command runs' }),
    check('user/b', { matched: true }),
    check('user/c', { matched: true, decided: true }),
  ];
  const { matched, unmet } = splitChecks(checks);
  expect(matched.map((each) => each.rule)).toEqual(['user/c', 'user/b']);
  expect(unmet.map((each) => each.rule)).toEqual(['builtin/a']);
});

it('empty files explain rules, broken ones do not', () => {
  const layer: LayerView = { layer: 'user', file: '/h/policy.toml', problem: null, rules: [] };
  expect(emptyWords(layer)).toContain('Accept and remember');
  expect(emptyWords({ ...layer, problem: 'policy.toml:3: not a risk' })).toBeNull();
});

it('reads arguments and names their problem', () => {
  expect(readArguments(' ')).toEqual({ args: {}, problem: null });
  expect(readArguments('{"path": "a"}')).toEqual({ args: { path: 'a' }, problem: null });
  expect(readArguments('{path').problem).toContain('JSON');
});

it('arguments begin with the action’s example', () => {
  expect(exampleArguments([], 'doc.edit')).toBeNull();
});

it('each ruling has its result', () => {
  expect(['allow', 'confirm', 'deny'].map((ruling) => wouldWords(ruling as 'allow'))).toEqual([
    'It would run without asking.',
    'It would wait for your approval.',
    'It would not run.',
  ]);
});
