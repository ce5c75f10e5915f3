// Which language a file is in, loaded when the first file of it opens.
import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

type Loader = () => Promise<Extension>;

const stream = async (parser: Promise<StreamParser<unknown>>) =>
  new LanguageSupport(StreamLanguage.define(await parser));
const javascript = (options: { typescript?: boolean; jsx?: boolean }) => async () =>
  (await import('@codemirror/lang-javascript')).javascript(options);

const python: Loader = async () => (await import('@codemirror/lang-python')).python();
const markdown: Loader = async () => {
  const { markdown, markdownLanguage } = await import('@codemirror/lang-markdown');
  return markdown({ base: markdownLanguage });
};
const json: Loader = async () => (await import('@codemirror/lang-json')).json();
const rust: Loader = async () => (await import('@codemirror/lang-rust')).rust();
const html: Loader = async () => (await import('@codemirror/lang-html')).html();
const css: Loader = async () => (await import('@codemirror/lang-css')).css();
const yaml: Loader = async () => (await import('@codemirror/lang-yaml')).yaml();
const tex: Loader = () => stream(import('@codemirror/legacy-modes/mode/stex').then((mode) => mode.stex));
const toml: Loader = () => stream(import('@codemirror/legacy-modes/mode/toml').then((mode) => mode.toml));
const shell: Loader = () => stream(import('@codemirror/legacy-modes/mode/shell').then((mode) => mode.shell));

const BY_ENDING: Record<string, Loader> = {
  py: python,
  pyi: python,
  md: markdown,
  markdown,
  js: javascript({ jsx: true }),
  mjs: javascript({}),
  cjs: javascript({}),
  jsx: javascript({ jsx: true }),
  ts: javascript({ typescript: true }),
  mts: javascript({ typescript: true }),
  tsx: javascript({ typescript: true, jsx: true }),
  json,
  jsonc: json,
  ipynb: json,
  webmanifest: json,
  rs: rust,
  html,
  htm: html,
  svg: html,
  xml: html,
  css,
  yaml,
  yml: yaml,
  tex,
  sty: tex,
  cls: tex,
  bib: tex,
  toml,
  lock: toml,
  sh: shell,
  bash: shell,
  zsh: shell,
};
const BY_NAME: Record<string, Loader> = { '.bashrc': shell, '.zshrc': shell, '.profile': shell, Makefile: shell };
const PROSE = new Set(['md', 'markdown', 'txt', 'tex', 'rst', 'org', '']);

/** Loads what is needed for a file's language; nothing for plain text. */
export function loadLanguage(path: string): Promise<Extension> | null {
  const load = BY_NAME[nameIn(path)] ?? BY_ENDING[endingOf(path)];
  return load ? load() : null;
}

/** Tells whether a file holds prose, whose long lines are wrapped. */
export function isProse(path: string): boolean {
  return PROSE.has(endingOf(path));
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function endingOf(path: string): string {
  const name = nameIn(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}
