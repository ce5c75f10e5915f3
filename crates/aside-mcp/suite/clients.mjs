// The protocol's own SDK as a client of a real workspace, over HTTP and over `aside mcp`: node clients.mjs PATH-OF-ASIDE
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const aside = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'aside-mcp-'));
const data = mkdtempSync(join(tmpdir(), 'aside-data-'));
const environment = { ...process.env, ASIDE_DATA_DIR: data };
writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');

const server = spawn(aside, [folder, '--no-open', '--port', '0', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: environment,
});
const [line] = await once(createInterface(server.stdout), 'line');
const { url, token } = JSON.parse(line);
const authorization = `Bearer ${token}`;

async function api(path, body) {
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(`${url}api/v1/${path}`, { method: body ? 'POST' : 'GET', headers, body });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}

const transports = {
  http: () =>
    new StreamableHTTPClientTransport(new URL(`${url}mcp`), { requestInit: { headers: { authorization } } }),
  stdio: () =>
    new StdioClientTransport({ command: aside, args: ['mcp', '--workspace', folder], env: environment }),
};

// Says what the person would answer; without, the client does not claim that it can ask.
async function connect(transport, answer) {
  const client = new Client({ name: 'suite', version: '1' }, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  await client.connect(transport);
  return client;
}

const edit = (old, text) => ({ name: 'doc_edit', arguments: { path: 'a.txt', edits: [{ old, new: text }] } });
const words = (result) => result.content.map((part) => part.text).join('\n');
const text = async () => (await api('actions', '{"action_type":"doc.read","args":{"path":"a.txt"}}')).outcome.observation.data.text;

async function readsAndIsRefused(transport) {
  const client = await connect(transport);
  const { tools } = await client.listTools();
  const named = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  assert.equal(named.doc_read.annotations.readOnlyHint, true);
  assert.equal(named.doc_edit.annotations.readOnlyHint, false);
  const read = await client.callTool({ name: 'doc_read', arguments: { path: 'a.txt' } });
  assert.match(words(read), /one/u);
  const outside = await client.callTool({ name: 'doc_read', arguments: { path: '../secret' } });
  assert.equal(outside.isError, true);
  const own = await client.callTool({ name: 'action_run', arguments: { action_type: 'file.read', args: { path: '.aside/server.json' } } });
  assert.equal(own.isError, true);
  const { resources } = await client.listResources();
  const read_ = await client.readResource({ uri: resources.find((found) => found.name === 'a.txt').uri });
  assert.match(read_.contents[0].text, /two/u);
  await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }));
  await client.close();
}

async function aPersonAtTheClientDecides(transport) {
  let asked = '';
  const yes = await connect(transport(), (message) => {
    asked = message;
    return { action: 'accept', content: { approve: true } };
  });
  const done = await yes.callTool(edit('two', 'TWO'));
  assert.ok(!done.isError, words(done));
  assert.match(asked, /-two\n\+TWO/u);
  assert.match(await text(), /TWO/u);
  await yes.close();
  const no = await connect(transport(), () => ({ action: 'decline' }));
  const refused = await no.callTool(edit('TWO', 'three'));
  assert.equal(refused.isError, true);
  assert.match(await text(), /TWO/u);
  const back = await connect(transport(), () => ({ action: 'accept', content: { approve: true } }));
  await back.callTool(edit('TWO', 'two'));
  await no.close();
  await back.close();
}

async function aPersonAtAsideDecides(transport) {
  const client = await connect(transport);
  const called = client.callTool(edit('one', 'ONE'));
  let waiting = [];
  while (waiting.length === 0) waiting = await api('actions?state=awaiting_confirmation');
  const [{ envelope, approval_hash: hash, origin }] = waiting;
  assert.deepEqual([origin.kind, origin.client], ['mcp', 'suite']);
  await api(`actions/${envelope.id}/decision`, JSON.stringify({ decision: 'approve', hash }));
  const done = await called;
  assert.ok(!done.isError, words(done));
  assert.match(await text(), /ONE/u);
  await api(`actions/${envelope.id}/undo`, '{}');
  await client.close();
}

async function aCallThatIsTakenBackIsNotDecidedLater(transport) {
  const client = await connect(transport);
  const stop = new AbortController();
  const called = client.callTool(edit('one', 'never'), undefined, { signal: stop.signal });
  let waiting = [];
  while (waiting.length === 0) waiting = await api('actions?state=awaiting_confirmation');
  stop.abort();
  await assert.rejects(called);
  while (waiting.length > 0) waiting = await api('actions?state=awaiting_confirmation');
  await client.close();
}

try {
  for (const [name, transport] of Object.entries(transports)) {
    await readsAndIsRefused(transport());
    await aPersonAtTheClientDecides(transport);
    await aPersonAtAsideDecides(transport());
    await aCallThatIsTakenBackIsNotDecidedLater(transport());
    console.log(`${name}: reads, is asked, waits and takes back`);
  }
  const nobody = new StreamableHTTPClientTransport(new URL(`${url}mcp`));
  await assert.rejects(connect(nobody));
  assert.doesNotMatch(readFileSync(join(folder, 'a.txt'), 'utf8'), /never/u);
} finally {
  server.kill();
  await once(server, 'close');
  for (const place of [folder, data]) rmSync(place, { recursive: true, force: true });
}
