import { expect, it } from 'vitest';
import { calloutOf, frontMatterOf, hashtagAt, propertiesOf, wikiLinkOf, wikiWords } from './noteSyntax';

it.each([
  ['Plan', { target: 'Plan', anchor: null, alias: null }, 'Plan'],
  ['Plan#Next|the plan', { target: 'Plan', anchor: 'Next', alias: 'the plan' }, 'the plan'],
  ['a/b#A#B', { target: 'a/b', anchor: 'A#B', alias: null }, 'a/b › A › B'],
  ['#^block', { target: '', anchor: '^block', alias: null }, '^block'],
  ['Plan\\|in a table', { target: 'Plan', anchor: null, alias: 'in a table' }, 'in a table'],
])('a wiki link has its parts: %s', (inside, link, words) => {
  expect(wikiLinkOf(inside)).toEqual(link);
  expect(wikiWords(wikiLinkOf(inside))).toBe(words);
});

it.each([
  ['#sea/tides, next', '#sea/tides'],
  ['#a/', '#a'],
  ['#日本語', '#日本語'],
  ['#emoji🎉', '#emoji🎉'],
  ['#2026', ''],
  ['#1a', '#1a'],
  ['# a', ''],
])('a tag ends with its letters: %s', (text, tag) => {
  expect(text.slice(0, hashtagAt(text, 0))).toBe(tag);
  expect(hashtagAt(`x${text}`, 1)).toBe(0);
});

it('callouts have tone, title and fold', () => {
  expect(calloutOf('[!Warning]- Mind it\nmore')).toMatchObject({ tone: 'warn', title: 'Mind it', fold: 'closed' });
  expect(calloutOf('[!tip]')).toMatchObject({ tone: 'tip', title: 'Tip', fold: null });
  expect(calloutOf('[x] no')).toBeNull();
});

it('front matter becomes properties', () => {
  const text = '---\ntitle: "A: b"\ntags: [x, y]\naliases:\n  - one\n  - two\n# c\nempty:\n---\nbody';
  const front = frontMatterOf(text);
  expect(text.slice(front?.end)).toBe('body');
  expect(propertiesOf(front?.yaml ?? '')).toEqual([
    { name: 'title', value: 'A: b' },
    { name: 'tags', value: 'x, y' },
    { name: 'aliases', value: 'one, two' },
    { name: 'empty', value: '' },
  ]);
  expect(frontMatterOf('text\n---\na: 1\n---\n')).toBeNull();
});
