import { expect, test } from 'vitest';
import { parseArguments } from './schema';

const SCHEMA = {
  type: 'object',
  required: ['path'],
  properties: { path: { type: 'string' }, start: { type: ['integer', 'null'] }, edits: { type: 'array' }, on: {} },
  additionalProperties: false,
};
const problem = (text: string) => {
  const parsed = parseArguments(text, SCHEMA);
  return 'problem' in parsed ? parsed.problem : null;
};

test('accepts valid arguments', () => {
  expect(parseArguments('{"path": "a", "start": null, "edits": [], "on": 1}', SCHEMA)).toEqual({
    value: { path: 'a', start: null, edits: [], on: 1 },
  });
  expect(parseArguments('{"any": 1}', null)).toEqual({ value: { any: 1 } });
});

test('names invalid arguments', () => {
  expect(problem('{"path": ')).toContain('Not valid JSON');
  expect(problem('[]')).toContain('an object');
  expect(problem('{}')).toBe('“path” is missing.');
  expect(problem('{"path": 3}')).toBe('“path” must be text.');
  expect(problem('{"path": "a", "start": 1.5}')).toBe('“start” must be a whole number or null.');
  expect(problem('{"path": "a", "pth": "b"}')).toContain('Known arguments: path, start, edits, on.');
});
