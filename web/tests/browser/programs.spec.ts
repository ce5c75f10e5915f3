import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { everywhere, violations } from './axe';
import { eachInWindow } from './each';
import { act } from './support';

// Tells the tools of `tools.json`, and does not start while there is a file `broken`.
const SERVER = `
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const near = (name) => new URL(name, import.meta.url);
if (existsSync(near('broken'))) { console.error('no key was given'); process.exit(1); }
const answers = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'f', version: '1' } }),
  'tools/list': () => ({ tools: JSON.parse(readFileSync(near('tools.json'), 'utf8')) }),
  'tools/call': ({ arguments: args }) => ({ content: [{ type: 'text', text: 'it says ' + args.text }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const told = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown method' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...told }));
});
`;

const tool = (name: string, description: string) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
});
const TOOLS = [tool('echo', 'Says it again.\nIt keeps nothing.'), tool('wipe', 'Removes all.')];

const at = eachInWindow({
  'notes.md': '# Notes\n',
  'server.mjs': SERVER,
  'tools.json': JSON.stringify(TOOLS),
  '.mcp.json': JSON.stringify({
    mcpServers: {
      'Note-Tools': { command: process.execPath, args: ['server.mjs'], env: { API_TOKEN: 's3cret' } },
      far: { type: 'sse', url: 'https://tools.example/sse' },
    },
  }),
});

const button = (name: string | RegExp) => at.page.getByRole('button', { name });
const dialog = () => at.page.getByRole('dialog');
const servers = () => at.page.getByRole('list', { name: 'Added servers' });

async function open(): Promise<void> {
  await at.page.goto(`${at.server.url}w/x/settings/programs`);
  await at.page.getByText('No MCP servers yet.').waitFor();
}

/** Adds the server by the form and by key, and says yes to what is shown. */
async function add(): Promise<void> {
  await open();
  await button('Add MCP server…').click();
  await at.page.keyboard.type('fake');
  await at.page.getByLabel(/^URL, or program/).fill(`${process.execPath}\n${at.workspace.folder}/server.mjs`);
  await at.page.getByRole('button', { name: 'Add…', exact: true }).click();
  await dialog().getByText(`${at.workspace.folder}/server.mjs`).waitFor();
  await dialog()
    .getByText(/with your rights/)
    .waitFor();
  await approve();
  await servers().getByText('fake', { exact: true }).waitFor();
}

async function approve(): Promise<void> {
  await dialog().getByRole('button', { name: 'Confirm' }).click();
  await dialog().waitFor({ state: 'detached' });
}

async function trust(): Promise<void> {
  await button('Review tools…').click();
  const echo = dialog().getByRole('group', { name: 'Risks of echo' });
  for (const risk of ['destructive', 'network']) await echo.getByLabel(risk).uncheck();
  await echo.getByLabel('read').check();
  await button('Trust all 2 tools…').click();
  await dialog().getByText('risks: read').waitFor();
  await approve();
  await at.page.getByText('you trust these tools').waitFor();
}

it('is added after a look at what is started, trusted after a look at its tools, and removed', async () => {
  await add();
  await servers().getByRole('button', { name: /fake/ }).click();
  await at.page.getByText('each use needs your approval').waitFor();
  await trust();
  expect((await act(at.server, 'mcp.fake.echo', { text: 'hi' })).state).toBe('done');
  expect((await act(at.server, 'mcp.fake.wipe', {})).state).toBe('awaiting_confirmation');
  await button('Revoke trust').click();
  await at.page.getByText('each use needs your approval').waitFor();
  await button('Remove…').click();
  await approve();
  await at.page.getByText('No MCP servers yet.').waitFor();
});

it('shows what is different in a list that changed, and lets nothing of it be used', async () => {
  await add();
  await servers().getByRole('button', { name: /fake/ }).click();
  await trust();
  at.workspace.write('tools.json', JSON.stringify([tool('echo', 'Says it again.\nIt tells the world.')]));
  expect((await act(at.server, 'mcp.fake.echo', { text: 'hi' })).state).not.toBe('done');
  const needs = at.page.getByRole('button', { name: '1 MCP server waiting for you' });
  await needs.click();
  const waiting = at.page.getByRole('list', { name: 'MCP servers to review' });
  await waiting.getByRole('button', { name: /fake/ }).click();
  await at.page
    .getByText(/tools changed/)
    .first()
    .waitFor();
  const changed = at.page.getByRole('region', { name: 'Changes in fake' });
  await changed.getByText('Removed tool.').waitFor();
  expect(await changed.getByText('It keeps nothing.').count()).toBe(1);
  expect(await changed.getByText('It tells the world.').count()).toBe(1);
  expect(await violations(at.page)).toEqual([]);
});

it('a server that fails says why, and is tried again when the person wants it', async () => {
  at.workspace.write('broken', '');
  await add();
  await at.page.getByText('could not be reached', { exact: true }).waitFor();
  await servers().getByRole('button', { name: /fake/ }).click();
  await at.page.getByText('Recent output').click();
  await at.page.getByText('no key was given').first().waitFor();
  expect(await violations(at.page)).toEqual([]);
  rmSync(join(at.workspace.folder, 'broken'));
  await button('Retry…').click();
  await dialog()
    .getByText(/files in this folder may have changed/)
    .waitFor();
  await approve();
  await at.page.getByText('each use needs your approval').waitFor();
});

it('what a file of the folder proposes is shown, without its secrets, and added only by the person', async () => {
  await open();
  const proposed = at.page.getByRole('region', { name: 'Proposed by files in this folder' });
  await proposed.getByText('Note-Tools').waitFor();
  await proposed
    .getByText(/API_TOKEN/)
    .first()
    .waitFor();
  await proposed.getByText(/transport `?sse/i).waitFor();
  expect(await at.page.getByText('s3cret').count()).toBe(0);
  await button('Add notetools…').click();
  await dialog().getByText('server.mjs').first().waitFor();
  await at.page.keyboard.press('Escape');
  await at.page.getByText('No MCP servers yet.').waitFor();
});

it('has nothing that axe finds', async () => {
  await add();
  await servers().getByRole('button', { name: /fake/ }).click();
  await at.page.getByRole('list', { name: 'Tools of fake' }).waitFor();
  await everywhere(at.page);
  await button('Review tools…').click();
  await dialog().getByText('All tools').waitFor();
  await everywhere(at.page);
  await button('Cancel').click();
  await button('Add MCP server…').click();
  await everywhere(at.page);
});
