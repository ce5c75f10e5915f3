// The language of a notebook's code: what its kernel says, else what its file says.
import type { LanguageSupport } from '@codemirror/language';
import type * as Y from 'yjs';
import { loadLanguage } from '../editor/langs';
import type { FileKind } from '../wire/gen/types';
import { notebookMetadata, parsed } from './cells';

/** The kind of file that code of this notebook would be in. */
export function codeKind(doc: Y.Doc, ofKernel: string | undefined): FileKind {
  const info = parsed(notebookMetadata(doc, 'language_info'))?.name;
  const spec = parsed(notebookMetadata(doc, 'kernelspec'))?.language;
  const named = [ofKernel, info, spec].find((name) => typeof name === 'string' && name !== '');
  const name = String(named ?? 'python').toLowerCase();
  return (NAMES[name] ?? name) as FileKind;
}

/** Kernels spell their languages otherwise than we do. */
const NAMES: Record<string, FileKind> = {
  ipython: 'python',
  'c++': 'cpp',
  'c#': 'csharp',
  'f#': 'fsharp',
  bash: 'shell',
  sagemath: 'python',
};

const loaded = new Map<FileKind, Promise<LanguageSupport | null>>();

/** Loads the language of a kind once. */
export function languageOf(kind: FileKind): Promise<LanguageSupport | null> {
  const known = loaded.get(kind);
  if (known) return known;
  const loading = loadLanguage(kind) as Promise<LanguageSupport | null>;
  loaded.set(kind, loading);
  return loading;
}
