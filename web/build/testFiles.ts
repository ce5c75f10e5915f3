import { readdirSync, readFileSync } from 'node:fs';

const FILES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map((path) => `src/${path}`);
const isAlone = (path: string) => /vi\.mock\(|@vitest-environment/.test(readFileSync(path, 'utf8'));

/** Test files that replace modules or have a document: each gets a worker of its own, which takes a second. */
export const alone: string[] = FILES.filter(isAlone);

/** The other test files: they share workers and the modules in them. */
export const together: string[] = FILES.filter((path) => !isAlone(path));
