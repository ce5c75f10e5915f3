// @vitest-environment happy-dom
import { CompletionContext, type CompletionSource } from '@codemirror/autocomplete';
import { javascript } from '@codemirror/lang-javascript';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, test, vi } from 'vitest';
import { scriptCompletion } from './completion';
import { SAMPLE } from './sample';

vi.mock('./types', () => ({ readTypes: async () => SAMPLE }));

/** The labels that are offered at the bar in a text. */
async function offered(text: string, explicit = false): Promise<string[] | null> {
  const pos = text.indexOf('|');
  const doc = text.replace('|', '');
  const state = EditorState.create({ doc, extensions: [javascript({ typescript: true }), scriptCompletion] });
  ensureSyntaxTree(state, doc.length, 1000);
  const context = new CompletionContext(state, pos, explicit);
  const [source] = state
    .languageDataAt<CompletionSource>('autocomplete', pos)
    .filter(({ name }) => name === 'complete');
  const found = await source?.(context);
  return found ? found.options.map(({ label }) => label) : null;
}

test('nouns and verbs are offered after a dot', async () => {
  expect(await offered('aside.|')).toEqual(['file', 'ui', 'sleep']);
  expect(await offered('await aside.file.cr|')).toEqual(['create']);
  expect(await offered('await aside\n  .ui.tabs.|')).toEqual(['close']);
  expect(await offered('other.aside.|')).toBeNull();
});

test('arguments are offered where names stand', async () => {
  expect(await offered('await aside.file.create({ p| });')).toContain('path');
  expect(await offered('await aside.file.create({ | });', true)).toEqual(['count', 'edits', 'mode', 'path']);
  expect(await offered('await aside.file.create({ path: "a", m| });')).toEqual(['count', 'edits', 'mode']);
  expect(await offered('await aside.file.create({ path: "a", edits: [{ o| }] });')).toEqual(['old-text']);
  expect(await offered('await aside.file.create({ path: na| });')).not.toContain('mode');
  expect(await offered('await aside.file.create({ path: "a|" });')).toBeNull();
  expect(await offered('foo({ p| })')).not.toContain('path');
});

test('plain words offer the globals', async () => {
  expect(await offered('const x = as|')).toEqual(['aside', 'args', 'console', 'AsideError']);
  expect(await offered('x.as|')).toBeNull();
  expect(await offered('// as|')).toBeNull();
  expect(await offered('|')).toBeNull();
});
