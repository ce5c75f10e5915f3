import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { markdownSource } from './markdownSource';

it('front matter is YAML, double brackets are links', () => {
  const doc = '---\ntitle: Tides\n---\n\nSee [[Plan#Next|the plan]], ![[a.png]], [x](y.md), [[ no\n';
  const tree = ensureSyntaxTree(EditorState.create({ doc, extensions: markdownSource() }), doc.length, 5000);
  const found: string[] = [];
  tree?.iterate({
    enter: ({ name, from, to }) => {
      if (/^(Key|WikiLink|Link)$/.test(name)) found.push(`${name} ${doc.slice(from, to)}`);
    },
  });
  expect(found).toEqual(['Key title', 'WikiLink [[Plan#Next|the plan]]', 'WikiLink ![[a.png]]', 'Link [x](y.md)']);
});

it('formulas, tags and highlights are own constructs', () => {
  const doc = 'a $x_1$ #tag ==hi== %%no%% [^1] $5\n\n$$\na\n\n+ b\n$$\n\n\\begin{align}\n- c\n\\end{align}\n';
  const tree = ensureSyntaxTree(EditorState.create({ doc, extensions: markdownSource() }), doc.length, 5000);
  const found: string[] = [];
  tree?.iterate({
    enter: ({ name, from, to }) => {
      if (/Math$|^(Hashtag|Highlight|NoteComment|FootnoteReference|BulletList)$/.test(name))
        found.push(`${name} ${doc.slice(from, to)}`);
    },
  });
  expect(found).toEqual([
    'InlineMath $x_1$',
    'Hashtag #tag',
    'Highlight ==hi==',
    'NoteComment %%no%%',
    'FootnoteReference [^1]',
    'BlockMath $$\na\n\n+ b\n$$',
    'BlockMath \\begin{align}\n- c\n\\end{align}',
  ]);
});
