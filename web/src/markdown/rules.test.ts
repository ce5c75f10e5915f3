import { expect, test } from 'vitest';
import { linkTarget, pictureFile, pictureTag, saysItsHost } from './rules';

test('follows the web, mail and files of the workspace', () => {
  expect(linkTarget('https://docs.rs/yrs?x=1')).toMatchObject({ kind: 'web', host: 'docs.rs' });
  expect(linkTarget('mailto:ada@example.org?body=secret')).toEqual({
    kind: 'mail',
    href: 'mailto:ada@example.org',
    host: 'ada@example.org',
  });
  expect(linkTarget('./src/model.py#L12')).toEqual({ kind: 'path', path: 'src/model.py', line: 12, heading: null });
  expect(linkTarget('a%20b.md:3')).toEqual({ kind: 'path', path: 'a b.md', line: 3, heading: null });
});

test('follows headings, and files from a document’s folder', () => {
  const path = (url: string, from: string) => {
    const target = linkTarget(url, from);
    return target?.kind === 'path' ? [target.path, target.heading] : target;
  };
  expect(path('other%20nb.ipynb#Part-two', 'sub/a.ipynb')).toEqual(['sub/other nb.ipynb', 'Part-two']);
  expect(path('../top.md', 'sub/a.ipynb')).toEqual(['top.md', null]);
  expect(path('/top.md', 'sub/a.ipynb')).toEqual(['top.md', null]);
  expect(path('../../up', 'sub/a.ipynb')).toBeNull();
  expect(path('//host/x', 'sub/a.ipynb')).toBeNull();
  expect(path('#Part%20one', 'a.md')).toEqual({ kind: 'heading', heading: 'Part one' });
});

test('follows nothing that runs, carries data, or leaves the workspace', () => {
  const bad = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:1',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example/x',
    '/etc/passwd',
    '../up',
    'a/../../b',
    '\\\\host\\x',
    '#',
    '',
    'blob:https://x',
  ];
  for (const url of bad) expect([url, linkTarget(url)]).toEqual([url, null]);
});

test('a host is named unless the words are the address', () => {
  const target = linkTarget('https://evil.example/x');
  expect(target && saysItsHost('https://evil.example/x', target)).toBe(true);
  expect(target && saysItsHost('https://bank.example', target)).toBe(false);
  expect(target && saysItsHost('here', target)).toBe(false);
});

test('a host in other letters is shown as it is looked up', () => {
  expect(linkTarget('https://аpple.com/')).toMatchObject({ host: 'xn--pple-43d.com' });
});

test('a picture of the workspace is meant from where the document is, and never outside', () => {
  const from = (url: string) => pictureFile(url, 'a/b/notes.ipynb');
  expect(['plot.png', './x%20y.svg', '../c/p.JPG?raw=1', '/top.png'].map(from)).toEqual([
    'a/b/plot.png',
    'a/b/x y.svg',
    'a/c/p.JPG',
    'top.png',
  ]);
  for (const url of ['../../../x.png', 'https://else/x.png', 'data:image/png;base64,QQ==', 'x.html', 'a\\b.png']) {
    expect(from(url)).toBeNull();
  }
});

test('a tag of markup that is a picture says which', () => {
  expect(pictureTag('<img width=20 src="plot.png" alt="A plot">')).toEqual({ url: 'plot.png', alt: 'A plot' });
  expect(pictureTag('<IMG src=plot.png />')).toEqual({ url: 'plot.png', alt: '' });
  expect([pictureTag('<img>'), pictureTag('<b>'), pictureTag('<img src=a> x')]).toEqual([null, null, null]);
});
