// The language of a kind of file, loaded when the first file of it opens. Which file is of which kind is not said here.
import type { Extension } from '@codemirror/state';
import { wanted } from '../ui/needed';
import type { FileKind } from '../wire/gen/types';

type Loader = () => Promise<Extension>;

const json: Loader = async () => (await import('@codemirror/lang-json')).json();
const markdown: Loader = async () => {
  const { markdown, markdownLanguage } = await import('@codemirror/lang-markdown');
  return markdown({ base: markdownLanguage });
};
const python: Loader = async () => (await import('@codemirror/lang-python')).python();

/** Those that most notebooks and folders have; where the others come from is itself loaded when it is needed. */
const COMMON: Partial<Record<FileKind, Loader>> = { json, markdown, notebook: json, python, starlark: python };

/** Loads the language of a file: as `loadLanguage`, and what stands only at the top of whole files. */
export async function loadFileLanguage(kind: FileKind): Promise<Extension | null> {
  if (kind !== 'markdown') return loadLanguage(kind);
  return wanted(async () => (await import('./markdownSource')).markdownSource());
}

/** Loads what is needed for a kind's language; nothing where there is none to load. */
export function loadLanguage(kind: FileKind): Promise<Extension | null> {
  return wanted(async () => {
    const load = COMMON[kind] ?? (await import('./moreLangs')).MORE[kind];
    return load ? load() : null;
  });
}
