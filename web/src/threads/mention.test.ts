import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mentionOf } from './mention';

/** The server's own, so that what is written here is read there. */
const cases = JSON.parse(readFileSync('../crates/aside-agent/src/mentions/cases.json', 'utf8')) as [string, string][];

test('a file mention has the server’s spelling', () => {
  for (const [path, spelled] of cases) expect(mentionOf(path)).toBe(spelled);
});
