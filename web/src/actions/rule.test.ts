import { expect, test } from 'vitest';
import { editRecord, hunk } from '../testing/records';
import type { RuleOffer } from '../wire/gen/types';
import { layerWords, pastWords, reachesOf, writtenText } from './rule';

const OFFER: RuleOffer = {
  rule: { name: 'doc.edit-1', ruling: 'allow', action: 'doc.edit' },
  sentence: 'Allows doc.edit.',
  workspace_text: 'here',
  everywhere_text: 'everywhere',
  file: '/home/ada/policy.toml',
  beyond: [],
  past: { matched: 2, of: 9 },
};
const record = editRecord([hunk(0, 1, ['a'], ['b'])]);

test('every layer has words, unknown ones too', () => {
  expect(layerWords('builtin/agent-config')).toContain('can’t be overridden');
  expect(layerWords('moon/phase')).toContain('moon');
});

test('scopes fit the origin and rule file', () => {
  expect(reachesOf(record, OFFER)).toEqual(['turn', 'workspace', 'everywhere']);
  expect(reachesOf({ ...record, origin: { kind: 'cli', user: 'ada' } }, OFFER)).toEqual(['workspace', 'everywhere']);
  expect(reachesOf(record, { ...OFFER, file: null })).toEqual(['turn']);
});

test('the written rule is the shown rule', () => {
  expect(writtenText('workspace', OFFER)).toBe('here');
  expect(writtenText('everywhere', OFFER)).toBe('everywhere');
});

test('says how much it would have allowed', () => {
  expect(pastWords(OFFER)).toContain('2 of the last 9');
  expect(pastWords({ ...OFFER, past: { matched: 0, of: 0 } })).toContain('no earlier');
});
