// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';

vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {} }));
const { pathFor } = await import('./follow');
const { pictureLink } = await import('./paste');

it.each([
  ['notes/a.md', 'Plan', 'notes/Plan.md'],
  ['a.md', 'Plan.v2', 'Plan.v2'],
  ['notes/a.md', 'other/Plan', 'other/Plan.md'],
  ['a.md', '../Plan', 'Plan.md'],
])('missing note of %s: %s is %s', (from, name, path) => {
  expect(pathFor(from, name)).toBe(path);
});

it('links to pictures survive spaces and brackets', () => {
  expect(pictureLink('my chart (1).png')).toBe('![my chart (1)](my%20chart%20%281%29.png)');
});
