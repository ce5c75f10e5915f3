import { expect, it } from 'vitest';
import { lineOfHeading } from './headings';
import { linkAt } from './sourceLinks';

it.each([
  ['see [x](a.md#Two) now', 6, 'a.md#Two'],
  ['see [x](a.md#Two) now', 1, null],
  ['[a](<b c.md> "title")', 1, 'b c.md'],
  ['[[notes/today]]', 3, 'notes/today.md'],
  ['[[Plan#Next steps|words]]', 3, 'Plan.md#Next steps'],
  ['![[picture.png]]', 5, 'picture.png'],
  ['[[#Here]]', 3, '#Here'],
  ['<https://a.example/x> and https://b.example/y', 30, 'https://b.example/y'],
  ['[ref]: sub/x.md', 8, 'sub/x.md'],
])('the link in %j at %i is %j', (line, at, wanted) => expect(linkAt(line, at)).toBe(wanted));

it('headings are found by the names in links', () => {
  const text = '# One\n```\n# no\n```\n## Part *two*: the end\n<a id="here"></a>\n';
  expect(lineOfHeading(text, 'part-two-the-end')).toBe(5);
  expect(lineOfHeading(text, 'Part-two:-the-end')).toBe(5);
  expect(lineOfHeading(text, 'no')).toBeNull();
  expect(lineOfHeading(text, 'here')).toBe(6);
});
