import { expect, test } from 'vitest';
import type { PolicyRule } from '../wire/gen/types';
import { draftOf, editOf, patternsAround } from './draft';

const rule = (rest: Partial<PolicyRule>): PolicyRule => ({
  name: 'r',
  ruling: 'allow',
  action: 'doc.edit',
  ...rest,
});

test('an unchanged draft keeps the rule', () => {
  const parts = {
    paths: ['a.md'],
    commands: [['cargo', 'test'], { exact: ['git', 'log', '--format=%h %s'] }],
    args: { to: { equals: 'ada' }, count: { equals: 3 } },
  };
  expect(editOf(draftOf(rule(parts)))).toEqual(parts);
});

test('a command’s words keep their spaces', () => {
  const draft = draftOf(
    rule({
      commands: [
        ['cargo', 'test'],
        ['git', 'log', 'a b'],
      ],
    }),
  );
  expect(draft.commands.map((each) => each.fixed !== null)).toEqual([false, true]);
  const [first, second] = draft.commands;
  if (!first || !second) throw new Error('there are two');
  const changed = { ...draft, commands: [{ ...first, text: ' cargo  test -p x ', exact: true }, second] };
  expect(editOf(changed).commands).toEqual([{ exact: ['cargo', 'test', '-p', 'x'] }, ['git', 'log', 'a b']]);
});

test('unrestricted arguments and empty paths drop out', () => {
  const draft = draftOf(rule({ paths: ['a.md'], args: { to: { equals: 'ada' } } }));
  const args = draft.args.map((each) => ({ ...each, how: 'any' as const }));
  expect(editOf({ ...draft, args, paths: [' '], expires: '2026-12-31' })).toEqual({
    paths: [],
    commands: [],
    args: {},
    expires: '2026-12-31',
  });
});

test('patterns go from the file to its folders', () => {
  expect(patternsAround('notes/tides/a.md')).toEqual([
    'notes/tides/a.md',
    'notes/tides/*.md',
    'notes/tides/**',
    'notes/**',
    '**/*.md',
  ]);
  expect(patternsAround('Makefile')).toEqual(['Makefile']);
});
