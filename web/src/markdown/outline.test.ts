import { expect, it } from 'vitest';
import { outlineOf } from './outline';

it('headings have their lines and plain words', () => {
  const text =
    '---\ntitle: x\n# no\n---\n# One *two* ##\n\n```\n# no\n```\n\nUnder\n---\n\n- a\n---\n### [[Plan|The plan]] `code`\n';
  expect(outlineOf(text)).toEqual([
    { line: 5, level: 1, text: 'One two' },
    { line: 11, level: 2, text: 'Under' },
    { line: 16, level: 3, text: 'The plan code' },
  ]);
});
