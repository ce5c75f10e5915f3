import { expect, test } from 'vitest';
import { descriptor } from '../testing/descriptors';
import { akinActions } from './akin';

const INVITE = descriptor('guest.invite', 'Invite a guest', { phrases: ['invite {name}'] });
const ARCHIVE = descriptor('thread.archive', 'Archive or unarchive a thread', { phrases: [] });
const DELETE = descriptor('thread.delete', 'Delete a thread', { phrases: [] });
const ALL = [INVITE, ARCHIVE, DELETE];

test.each([
  ['add a collaborator to the workspace', [INVITE]],
  ['archive threads older than a week', [ARCHIVE]],
  ['set workspace color to orange', []],
  ['why is the sky blue today', []],
  ['a of the', []],
])('%s', (sentence, expected) => {
  expect(akinActions(sentence, ALL)).toEqual(expected);
});
