import { expect, it } from 'vitest';
import { argumentRows, callWords, cellIn, summaryOf } from './words';

const place = (cell: string) => (cell === 'first' ? 'cell 2' : 'a deleted cell');

it('names a call and its cell', () => {
  const words = (name: string, args: Record<string, unknown>) => callWords({ name, args }, place);
  expect(words('modify_cell', { cellId: 'first' })).toBe('Change cell 2');
  expect(words('execute_cell', { cellId: 'x' })).toBe('Run a deleted cell');
  expect(words('create_cell', { cellType: 'markdown' })).toBe('New Markdown cell');
  expect(words('create_cell', {})).toBe('New code cell');
  expect(words('someone_elses', {})).toBe('someone_elses');
});

it('shows the first source line and arguments', () => {
  const args = { cellId: 'first', source: '\n  x = 1\ny = 2', timeout: 30 };
  expect([summaryOf({ args }), cellIn({ args })]).toEqual(['  x = 1', 'first']);
  expect(summaryOf({ args: { source: 'x'.repeat(100) } })).toHaveLength(81);
  expect(argumentRows({ args }).map(({ value }) => value)).toEqual(['first', '\n  x = 1\ny = 2', '30']);
  expect([summaryOf({ args: {} }), cellIn({ args: {} })]).toEqual(['', null]);
});
