import { expect, it } from 'vitest';
import { todoMark } from './todoMark';

it.each([
  ['- [ ] do', 3, ' '],
  ['  * [x] do', 5, 'x'],
  ['> 1. [/] do', 6, '/'],
  ['- - [ ] do', 5, ' '],
])('the mark of a todo is found: %s', (line, at, mark) => {
  expect(todoMark(line)).toEqual({ at, mark });
});

it.each(['- [x](url)', '[ ] do', '- [ ]', '- [ ]  ', 'text - [ ] do', '- [xy] do'])('%s is no todo', (line) => {
  expect(todoMark(line)).toBeNull();
});
