import { Text } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { guideColumns, indentOf } from './guides';

const columns = (lines: string[]) => lines.map((_, at) => guideColumns(Text.of(lines), at + 1, 4));

describe('indent guides', () => {
  it('follow blanks and tabs', () => {
    expect(['x', '    x', '\tx', '  \tx', ' \t\tx'].map((line) => indentOf(line, 4))).toEqual([0, 4, 4, 4, 8]);
    expect(indentOf(' \t', 4)).toBeNull();
  });

  it('go on through blank lines within a block', () => {
    expect(columns(['if a:', '    b', '', '  ', '    c', '', 'd'])).toEqual([0, 4, 4, 4, 4, 0, 0]);
  });

  it('end where the text ends', () => {
    expect(columns(['if a:', '    b', ''])).toEqual([0, 4, 0]);
    expect(columns(['', '    b'])).toEqual([0, 4]);
  });
});
