// The server's side of the sync protocol, checked with the official yjs and y-protocols. No browser is needed.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type * as Y from 'yjs';
import { Editor } from './peer';
import { act, type Server, serve, Workspace } from './support';

let workspace: Workspace;
let server: Server;
let open: Editor[];

beforeEach(async () => {
  workspace = new Workspace({ 'a.txt': 'one\ntwo\n', 'big.txt': 'line of text\n'.repeat(50_000) });
  server = await serve(workspace);
  open = [];
});

afterEach(async () => {
  for (const editor of open) editor.leave();
  await server.kill();
  workspace.remove();
});

/** Opens a document until the test ends. */
function opened(path: string, doc?: Y.Doc): Promise<Editor> {
  const editor = new Editor(server, path, doc);
  open.push(editor);
  return editor.ready();
}

test('two editors that type at once hold the same text, and so does the file', async () => {
  const ada = await opened('a.txt');
  const bob = await opened('a.txt');
  expect(ada.text.toString()).toBe('one\ntwo\n');
  for (let key = 0; key < 50; key++) {
    ada.text.insert(key, 'a');
    bob.text.insert(bob.text.length, 'b');
  }
  const whole = `${'a'.repeat(50)}one\ntwo\n${'b'.repeat(50)}`;
  await ada.holds(whole);
  await bob.holds(whole);
  await expect.poll(() => workspace.read('a.txt'), { timeout: 10_000 }).toBe(whole);
});

test('characters beyond the first plane keep their places', async () => {
  const ada = await opened('a.txt');
  const bob = await opened('a.txt');
  ada.text.insert(0, 'a😀b\n');
  await bob.holds('a😀b\none\ntwo\n');
  bob.text.insert(3, 'é');
  await ada.holds('a😀éb\none\ntwo\n');
});

test('what was typed while away is merged', async () => {
  const ada = await opened('a.txt');
  const bob = await opened('a.txt');
  ada.leave();
  ada.text.insert(0, 'away\n');
  bob.text.insert(bob.text.length, 'here\n');
  const back = await opened('a.txt', ada.doc);
  await bob.holds('away\none\ntwo\nhere\n');
  await back.holds('away\none\ntwo\nhere\n');
});

test('cursors are seen by those who came before and after, and go with their owner', async () => {
  const ada = await opened('a.txt');
  ada.awareness.setLocalState({ user: { name: 'Ada' } });
  const bob = await opened('a.txt');
  const seen = (editor: Editor) => [...editor.awareness.getStates().values()].map((state) => state.user?.name);
  await expect.poll(() => seen(bob)).toContain('Ada');
  bob.awareness.setLocalState({ user: { name: 'Bob' } });
  await expect.poll(() => seen(ada)).toContain('Bob');
  ada.leave();
  await expect.poll(() => seen(bob)).not.toContain('Ada');
});

test('an action changes the open document, and says so right after', async () => {
  const ada = await opened('a.txt');
  ada.text.insert(0, 'typed\n');
  const edit = { path: 'a.txt', edits: [{ old: 'two\n', new: 'three\n' }] };
  const done = await act(server, 'doc.edit', edit);
  expect(done.state).toBe('done');
  await ada.holds('typed\none\nthree\n');
  await expect
    .poll(() => ada.frames.some((frame) => frame.type === 'document_edited' && frame.action === done.id))
    .toBe(true);
});

test('a large document opens whole', async () => {
  const ada = await opened('big.txt');
  expect(ada.text.length).toBe(13 * 50_000);
});
