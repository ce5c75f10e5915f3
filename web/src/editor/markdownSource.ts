// Markdown as a file: front matter is YAML, fenced code has its own language, and what notes have is known.
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { yamlFrontmatter } from '@codemirror/lang-yaml';
import { LanguageDescription, type LanguageSupport } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { kindOfFence } from '../markdown/codeKinds';
import type { FileKind } from '../wire/gen/types';
import { loadLanguage } from './langs';
import { noteSyntax } from './markdownSyntax';

const known = new Map<FileKind, LanguageDescription>();

/** The language of fenced code, which is loaded when it is first seen. */
function fenced(info: string): LanguageDescription | null {
  const kind = kindOfFence(info);
  if (kind === null) return null;
  const before = known.get(kind);
  if (before) return before;
  const load = async () => {
    const support = await loadLanguage(kind);
    if (!support) throw new Error(`no language for ${kind}`);
    return support as LanguageSupport;
  };
  const description = LanguageDescription.of({ name: kind, load });
  known.set(kind, description);
  return description;
}

/** The language of a Markdown file. */
export function markdownSource(): Extension {
  return yamlFrontmatter({
    content: markdown({ base: markdownLanguage, extensions: noteSyntax, codeLanguages: fenced }),
  });
}
