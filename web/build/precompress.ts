import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|json|map)$/;

/**
 * Writes a `.gz` and a `.br` beside each hashed asset that it makes smaller, for a server that sends them as they are. A
 * notebook asks for dozens of small ones, which come to a tenth of all that it loads.
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
  const [gz, br] = await Promise.all([promisify(gzip)(bytes, { level: 9 }), promisify(brotliCompress)(bytes)]);
  const write = async (ending: string, packed: Buffer) =>
    packed.length < bytes.length ? writeFile(`${path}.${ending}`, packed) : undefined;
  await Promise.all([write('gz', gz), write('br', br)]);
}
