import { expect, test } from 'vitest';
import { descriptor } from '../testing/descriptors';
import { akinActions, bareVerb } from './akin';

const INVITE = descriptor('guest.invite', 'Invite a guest', { phrases: ['invite {name}'] });
const ARCHIVE = descriptor('thread.archive', 'Archive or unarchive a thread', { phrases: [] });
const DELETE = descriptor('thread.delete', 'Delete a thread', { phrases: [] });
const TERMINAL = descriptor('terminal.open', 'Open a terminal', { phrases: ['create a new terminal'] });
const ALL = [INVITE, ARCHIVE, DELETE, TERMINAL];

test.each([
  ['add a collaborator to the workspace', [INVITE]],
  ['archive threads older than a week', [ARCHIVE]],
  ['set workspace color to orange', []],
  ['why is the sky blue today', []],
  ['a of the', []],
  ['open', []],
  ['if README.md exists open it, otherwise create it', []],
  ['terminal', [TERMINAL]],
])('%s', (sentence, expected) => {
  expect(akinActions(sentence, ALL)).toEqual(expected);
});

test('a verb alone asks for its object', () => {
  expect(['open', 'Open it', ' open  the ', 'open plan.md', 'zebra', ''].map(bareVerb)).toEqual([
    'open',
    'open',
    'open',
    null,
    null,
    null,
  ]);
});
