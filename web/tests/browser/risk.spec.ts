// What the AI history says of a file, beside a change of it that waits.
import { expect, it } from 'vitest';
import { everywhere } from './axe';
import { eachInWindow } from './each';
import { openFromTree } from './support';

const RENAME = { path: 'model.py', edits: [{ old: 'def height(x):\n', new: 'def tide(x):\n' }] };
const STEPS = [{ text: 'I rename it.', calls: [{ name: 'doc.edit', args: RENAME }] }, { text: 'Done.' }];
const REHEARSAL = { name: 'tests', replies: [{ when: 'rename', steps: STEPS }], otherwise: 'I only know this.' };
/** A session of a day in June that changed the file, which the person then took back. */
function session(day: number): string {
  const input = { file_path: 'FOLDER/model.py', old_string: 'a', new_string: 'b' };
  const content = [{ type: 'tool_use', id: 't', name: 'Edit', input }];
  const usage = { input_tokens: 5, output_tokens: 9 };
  const lines = [
    { type: 'assistant', requestId: `r${day}`, message: { id: `m${day}`, model: 'claude-opus-4-5', content, usage } },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] } },
    { type: 'user', message: { content: 'please undo that' } },
  ];
  const year = new Date().getFullYear() - 1;
  const placed = (line: object, second: number) => ({
    ...line,
    timestamp: `${year}-06-0${day}T10:00:0${second}.000Z`,
    cwd: 'FOLDER',
  });
  return lines.map((line, second) => `${JSON.stringify(placed(line, second))}\n`).join('');
}

const at = eachInWindow({
  'model.py': 'def height(x):\n    return x\n',
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
  '~/.claude/projects/-w/s8.jsonl': session(8),
  '~/.claude/projects/-w/s9.jsonl': session(9),
});

it('says in a few words that changes to the file were taken back before', async () => {
  const known = async () => {
    const headers = { Authorization: `Bearer ${at.server.token}` };
    const answer = await fetch(`${at.server.url}api/v1/history/risk?path=model.py`, { headers });
    return ((await answer.json()) as { line?: string }).line;
  };
  await expect.poll(known).toMatch(/^reverted twice in June/);
  await openFromTree(at.page, 'model.py');
  const composer = at.page.getByRole('textbox', { name: 'Message to the assistant' });
  await composer.fill('rename it');
  await composer.press('Enter');
  const line = at.page.getByText(/^reverted twice in June/);
  await line.waitFor();
  await everywhere(at.page, line);
  // What is learnt meanwhile is said, too.
  at.workspace.write('~/.claude/projects/-w/s7.jsonl', session(7));
  await at.page.getByText(/^reverted 3 times in June/).waitFor();
});
