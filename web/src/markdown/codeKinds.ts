// Which language the words after a fence name.
import { kindOfName } from '../files/kinds';
import type { FileKind } from '../wire/gen/types';

/** Names that are neither a kind nor the ending of a file. */
const NAMES: Readonly<Record<string, FileKind>> = {
  bash: 'shell',
  sh: 'shell',
  zsh: 'shell',
  console: 'shell',
  'c++': 'cpp',
  'c#': 'csharp',
  'f#': 'fsharp',
  ipython: 'python',
  'code-cell': 'python',
};

/** The kind of file that such code would be in; null if it has none. */
export function kindOfFence(info: string): FileKind | null {
  const name = /^\{?\.?([\w+#-]+)/.exec(info.trim())?.[1]?.toLowerCase() ?? '';
  if (name === '' || name === 'mermaid') return null;
  const named = NAMES[name] ?? kindOfName(`x.${name}`);
  return named && named !== 'plain' ? named : (name as FileKind);
}
