// @vitest-environment happy-dom
import { ensureSyntaxTree } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, test, vi } from 'vitest';
import { markdownSource } from '../editor/markdownSource';
import { reviewField } from '../review/field';
import { setFocused } from './reveal';
import { toggleTodo } from './widgets';

vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeListener: () => {} }));
window.matchMedia = matchMedia;
vi.mock('../notes/targets', () => ({ knownTarget: () => undefined, onTargets: () => () => {} }));
// happy-dom's documents have no doctype, as our pages do; KaTeX looks for one when it is loaded.
Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' });
const { livePreview } = await import('./preview');

let view: EditorView;
afterEach(() => view.destroy());

/** The lines that an editor shows of a note, with the cursor at a place in it, if it has one. */
function shown(doc: string, cursor?: number): string[] {
  const extensions = [markdownSource(), reviewField, livePreview('a.md')];
  const state = EditorState.create({ doc, extensions });
  ensureSyntaxTree(state, doc.length, 5000);
  view = new EditorView({ state, parent: document.body });
  if (cursor !== undefined) view.dispatch({ selection: { anchor: cursor }, effects: setFocused.of(true) });
  return [...view.contentDOM.querySelectorAll('.cm-line')].map((line) => line.textContent ?? '');
}

test.each([
  ['## Two *words*', 'Two words'],
  ['a **b** ~~c~~ `d` ==e==', 'a b c d e'],
  ['[words](a.md "t") <https://a.b>', 'words https://a.b'],
  ['[[Plan#Next|the plan]] [[Plan]]', 'the plan Plan'],
  ['- item', '• item'],
  ['- [ ] do', ' do'],
  ['> quoted', 'quoted'],
  ['word[^1] \\*', 'word1 *'],
])('signs are hidden where no cursor is: %s', (doc, words) => {
  expect(shown(doc)).toEqual([words]);
});

test('the source is shown where the cursor is', () => {
  expect(shown('a **b** c *d*\n# h', 3)).toEqual(['a **b** c d', 'h']);
  view.dispatch({ selection: { anchor: 15 } });
  expect([...view.contentDOM.querySelectorAll('.cm-line')].map((line) => line.textContent)).toEqual(['a b c d', '# h']);
});

test('further lines of an item are indented', () => {
  const lines = () => [...view.contentDOM.querySelectorAll<HTMLElement>('.cm-md-rest')].map((line) => line.textContent);
  expect(shown('- [ ] one\n  more\n\n  paragraph\n  - inner\n    deep\n\nout')).toContain('more');
  expect(lines()).toEqual(['more', 'paragraph', 'deep']);
  view.destroy();
  shown('> - quoted\n>   more\n');
  expect(lines()).toEqual([]);
});

test('fields of todos are no links', () => {
  shown('- [ ] measure [due:: 2026-12-01] [here](a.md)');
  const marked = (name: string) => [...view.contentDOM.querySelectorAll(name)].map((part) => part.textContent);
  expect([marked('.cm-md-field'), marked('.cm-md-link')]).toEqual([['[due:: 2026-12-01]'], ['here']]);
});

test('a tick changes one character', () => {
  shown('- [ ] one\n- [x] two');
  expect(toggleTodo(view, 2)).toBe(true);
  expect(view.state.doc.toString()).toBe('- [x] one\n- [x] two');
  expect(toggleTodo(view, 12)).toBe(true);
  expect(view.state.doc.toString()).toBe('- [x] one\n- [ ] two');
  expect([toggleTodo(view, 12), toggleTodo(view, 0)]).toEqual([true, true]);
});

test('tables are blocks until a cursor is inside', () => {
  const doc = 'a\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n$$\nz\n$$\n\nend';
  expect(shown(doc)).toEqual(['a', '', '', '', 'end']);
  expect(view.contentDOM.querySelectorAll('.cm-md-drawn').length).toBe(2);
  view.dispatch({ selection: { anchor: doc.indexOf('| 1') }, effects: setFocused.of(true) });
  expect(view.contentDOM.textContent).toContain('| x | y |');
  view.dispatch({ changes: { from: doc.indexOf('| 1'), insert: '| 3 | 4 |\n' } });
  expect(view.contentDOM.textContent).toContain('| 3 | 4 |');
});

test('the look comes to an open editor', () => {
  const part = new Compartment();
  const state = EditorState.create({
    doc: '# one\n\n![a](b.png)',
    extensions: [markdownSource(), reviewField, part.of([])],
  });
  view = new EditorView({ state, parent: document.body });
  view.dispatch({ effects: part.reconfigure(livePreview('a.md')) });
  expect(view.contentDOM.querySelector('.cm-line')?.textContent).toBe('one');
  view.dispatch({ effects: part.reconfigure([]) });
  expect(view.contentDOM.querySelector('.cm-line')?.textContent).toBe('# one');
});
