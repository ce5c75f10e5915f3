// One level of indentation: that of the text itself, else the person's tab size if they set one, else the usual one of the language. Pure.
import type { FileKind } from '../wire/gen/types';

/** Letters of a text that are looked at. */
const LOOKED_AT = 20_000;

/** One level of indentation in a text of a kind. */
export function indentationOf(kind: FileKind, text: string, spaces?: number): string {
  const found: readonly string[] = text.slice(0, LOOKED_AT).match(/^(?:\t| {2,})(?=\S)/gm) ?? [];
  if (found.includes('\t')) return '\t';
  const least = Math.min(...found.map(({ length }) => length));
  if (least <= 8) return ' '.repeat(least);
  const usual = USUAL[kind] ?? '  ';
  return spaces !== undefined && usual !== '\t' ? ' '.repeat(spaces) : usual;
}

const four = (...kinds: FileKind[]) => kinds.map((kind) => [kind, '    '] as const);

/** Where it is not two spaces. */
const USUAL: Partial<Record<FileKind, string>> = Object.fromEntries([
  ...four('python', 'starlark', 'rust', 'c', 'cpp', 'csharp', 'objectivec', 'java', 'kotlin', 'swift', 'php', 'julia'),
  ...four('perl', 'sql', 'groovy', 'fsharp', 'octave'),
  ['go', '\t'],
  ['makefile', '\t'],
]);
