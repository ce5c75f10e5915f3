import { describe, expect, it } from 'vitest';
import { headingsIn, hiddenBy, levelOf } from './headings';

describe('headings', () => {
  it('are those outside of code', () => {
    const source = '# A *big* one #\n```\n# no\n```\ntext\n### [Link](http://x)\n####### no\n#no';
    expect(headingsIn('k', source)).toEqual([
      { key: 'k', level: 1, text: 'A big one' },
      { key: 'k', level: 3, text: 'Link' },
    ]);
    expect([levelOf('markdown', source), levelOf('code', '# x'), levelOf('markdown', 'x')]).toEqual([1, null, null]);
  });

  it('hide what is under them, up to the next of their level', () => {
    const cells = [
      { key: 'a', level: 1, collapsed: false },
      { key: 'b', level: 2, collapsed: true },
      { key: 'c', level: null, collapsed: false },
      { key: 'd', level: 3, collapsed: true },
      { key: 'e', level: 2, collapsed: false },
    ];
    const { hidden, counts } = hiddenBy(cells);
    expect([...hidden]).toEqual(['c', 'd']);
    expect([...counts]).toEqual([['b', 2]]);
  });
});
