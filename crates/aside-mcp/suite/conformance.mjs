// Runs the scenarios that each revision of the protocol requires of a server: node conformance.mjs PATH-OF-ASIDE
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const REVISIONS = ['2026-07-28', '2025-11-25'];
const suite = new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url).pathname;
const shim = new URL('globsync.mjs', import.meta.url).href;

const fixtures = spawn(process.argv[2], ['mcp', '--conformance-fixtures', '0', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await once(createInterface(fixtures.stdout), 'line');
const { url } = JSON.parse(line);

let failed = 0;
for (const revision of REVISIONS) {
  const args = ['--import', shim, suite, 'server', '--url', url, '--requirements', revision];
  const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (piece) => (output += piece));
  const [code] = await once(run, 'close');
  const required = output.split('Not scored for')[0].split('=== SUMMARY ===')[1] ?? output;
  const unscored = new Set([...output.matchAll(/^ {2}[✓✗] (\S+) \(/gmu)].map((found) => found[1]));
  const scored = [...required.matchAll(/^([✓✗]) ([a-z0-9-]+):/gmu)].filter((found) => !unscored.has(found[2]));
  const good = scored.filter((found) => found[1] === '✓').length;
  console.log(`${revision}: ${good} of ${scored.length} required server scenarios pass`);
  if (code !== 0 || scored.length === 0 || good < scored.length) {
    console.log(output);
    failed += 1;
  }
}
fixtures.kill();
process.exitCode = failed > 0 ? 1 : 0;
