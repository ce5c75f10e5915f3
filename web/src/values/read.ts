// Reads a text of values as a tree: JSON by a reader of our own, YAML and TOML by a library that loads with the first such file.
import { jsonLines, jsonTree } from './json';
import { nodeOf, type ValueNode } from './node';

/** A tree, and what could not be read, in words. */
export interface Values {
  readonly top: ValueNode;
  readonly fault: string | null;
  /** Faults are looked for by `faultIn`: that takes time in a long text. */
  readonly isJson: boolean;
}

/** The most characters of a YAML or TOML text: their readers make a value of each part at once. */
export const MOST_READ = 5_000_000;

/** Reads a text by the ending of its name. Throws where nothing of it can be read. */
export async function readValues(text: string, path: string): Promise<Values> {
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return { top: jsonLines(text), fault: null, isJson: true };
  const isYaml = /\.ya?ml$|(?:^|\/)(?:\.clang-|citation\.cff)/i.test(path);
  const isToml = /\.toml$|\.lock$|(?:^|\/)pipfile$/i.test(path) && !/^\s*\{/.test(text);
  if (!isYaml && !isToml) return { top: jsonTree(text), fault: null, isJson: true };
  if (text.length > MOST_READ) throw new Error('the file is too large to be shown as a tree');
  return isYaml ? (await import('./yaml')).readYaml(text) : readToml(text);
}

async function readToml(text: string): Promise<Values> {
  const { parse } = await import('smol-toml');
  try {
    return { top: nodeOf(parse(text, { integersAsBigInt: true })), fault: null, isJson: false };
  } catch (error) {
    const { line, column, message } = error as { line?: number; column?: number; message: string };
    const reason = message.split('\n')[0]?.replace(/^Invalid TOML document:\s*/, '') ?? '';
    throw new Error(line === undefined ? reason : `line ${line}, column ${column}: ${reason}`);
  }
}
