import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|json|map)$/;

/** Compressed assets of earlier builds, by the hash of their bytes: most stay the same, and each takes up to seconds. */
const CACHE = join('node_modules', '.cache', 'precompress');

/**
 * Keeps each hashed asset once: as a `.br` in its place where that is smaller. The server sends it as it is, and decompresses
 * it for browsers that take no Brotli.
 */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle(options) {
      const folder = join(options.dir ?? 'dist', 'assets');
      const names = (await readdir(folder)).filter((name) => COMPRESSIBLE.test(name));
      await mkdir(CACHE, { recursive: true });
      await Promise.all(names.map((name) => compress(join(folder, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  const cached = join(CACHE, createHash('sha256').update(bytes).digest('hex'));
  const packed = (await readFile(cached).catch(() => null)) ?? (await keep(cached, bytes));
  if (packed.length >= bytes.length) return;
  await writeFile(`${path}.br`, packed);
  await rm(path);
}

/** Compresses, and keeps the result under its name only when it is whole. */
async function keep(cached: string, bytes: Buffer): Promise<Buffer> {
  const packed = await promisify(brotliCompress)(bytes);
  await writeFile(`${cached}.${process.pid}`, packed);
  await rename(`${cached}.${process.pid}`, cached);
  return packed;
}
