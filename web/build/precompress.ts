import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|json|map)$/;

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
      await Promise.all(names.map((name) => compress(join(folder, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  const packed = await promisify(brotliCompress)(bytes);
  if (packed.length >= bytes.length) return;
  await writeFile(`${path}.br`, packed);
  await rm(path);
}
