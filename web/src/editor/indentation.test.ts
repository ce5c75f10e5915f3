import { expect, it, test } from 'vitest';
import { indentationOf } from './indentation';

test('a text is indented as it is already', () => {
  expect(indentationOf('python', 'def f():\n  if x:\n    return 1\n')).toBe('  ');
  expect(indentationOf('javascript', 'f(\n    1,\n)')).toBe('    ');
  expect(indentationOf('c', 'int main() {\n\treturn 0;\n}')).toBe('\t');
});

test('else as its language is mostly written', () => {
  expect(indentationOf('python', 'x = 1\n')).toBe('    ');
  expect(indentationOf('go', '')).toBe('\t');
  expect(indentationOf('yaml', 'a: 1')).toBe('  ');
});

test('the stars of a comment, and what hangs under a bracket far away, are none', () => {
  expect(indentationOf('java', '/**\n * words\n */\n')).toBe('    ');
  expect(indentationOf('python', 'result = function(1,\n                  2)\n')).toBe('    ');
});

it('indentation follows the set tab size', () => {
  expect(indentationOf('python', 'x = 1\n', 2)).toBe('  ');
  expect(indentationOf('python', 'if x:\n    y\n', 2)).toBe('    ');
  expect(indentationOf('go', '', 2)).toBe('\t');
});
