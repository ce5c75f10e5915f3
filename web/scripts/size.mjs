// Adds up what a browser loads before anything is shown, from Vite's manifest, and compares it with the budgets.
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

const BUDGETS = { js: 105, css: 10 };
const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));

function initialFiles() {
  const seen = new Set();
  const files = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) visit(key);
  return [...files];
}

const kilobytes = (file) => gzipSync(content(file), { level: 9 }).length / 1024;

/** The build keeps most files compressed, with `.br` after their name. */
function content(file) {
  const packed = new URL(`${file}.br`, dist);
  return existsSync(packed) ? brotliDecompressSync(readFileSync(packed)) : readFileSync(new URL(file, dist));
}

let failed = false;
for (const [kind, budget] of Object.entries(BUDGETS)) {
  const files = initialFiles().filter((file) => file.endsWith(`.${kind}`));
  const total = files.reduce((sum, file) => sum + kilobytes(file), 0);
  console.log(`initial ${kind}: ${total.toFixed(1)} KB gz of ${budget}`);
  for (const file of files) console.log(`  ${kilobytes(file).toFixed(1).padStart(6)}  ${file}`);
  failed ||= total > budget;
}
process.exitCode = failed ? 1 : 0;
