// The languages that few notebooks have: where each is loaded from, in a part of its own.
import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { FileKind } from '../wire/gen/types';

type Loader = () => Promise<Extension>;

/** A language of the older kind, by its name in its file. */
function stream<Module>(load: () => Promise<Module>, name: keyof Module): Loader {
  return async () => new LanguageSupport(StreamLanguage.define((await load())[name] as StreamParser<unknown>));
}

const javascript = (options: { typescript?: boolean; jsx?: boolean }) => async () =>
  (await import('@codemirror/lang-javascript')).javascript(options);
const html: Loader = async () => (await import('@codemirror/lang-html')).html();

const clike = () => import('@codemirror/legacy-modes/mode/clike');
const css = () => import('@codemirror/legacy-modes/mode/css');
const tex = stream(() => import('@codemirror/legacy-modes/mode/stex'), 'stex');
const shell = stream(() => import('@codemirror/legacy-modes/mode/shell'), 'shell');
const properties = stream(() => import('@codemirror/legacy-modes/mode/properties'), 'properties');
const ruby = stream(() => import('@codemirror/legacy-modes/mode/ruby'), 'ruby');
const mllike = () => import('@codemirror/legacy-modes/mode/mllike');
const verilog = stream(() => import('@codemirror/legacy-modes/mode/verilog'), 'verilog');

/** By kind of file. */
export const MORE: Partial<Record<FileKind, Loader>> = {
  assembly: stream(() => import('@codemirror/legacy-modes/mode/gas'), 'gas'),
  awk: shell,
  bibtex: tex,
  c: stream(clike, 'c'),
  clojure: stream(() => import('@codemirror/legacy-modes/mode/clojure'), 'clojure'),
  cmake: stream(() => import('@codemirror/legacy-modes/mode/cmake'), 'cmake'),
  cobol: stream(() => import('@codemirror/legacy-modes/mode/cobol'), 'cobol'),
  cpp: stream(clike, 'cpp'),
  crystal: stream(() => import('@codemirror/legacy-modes/mode/crystal'), 'crystal'),
  csharp: stream(clike, 'csharp'),
  css: async () => (await import('@codemirror/lang-css')).css(),
  d: stream(() => import('@codemirror/legacy-modes/mode/d'), 'd'),
  dart: stream(clike, 'dart'),
  diff: stream(() => import('@codemirror/legacy-modes/mode/diff'), 'diff'),
  dockerfile: stream(() => import('@codemirror/legacy-modes/mode/dockerfile'), 'dockerFile'),
  elixir: ruby,
  elm: stream(() => import('@codemirror/legacy-modes/mode/elm'), 'elm'),
  erlang: stream(() => import('@codemirror/legacy-modes/mode/erlang'), 'erlang'),
  fish: shell,
  fortran: stream(() => import('@codemirror/legacy-modes/mode/fortran'), 'fortran'),
  fsharp: stream(mllike, 'fSharp'),
  gherkin: stream(() => import('@codemirror/legacy-modes/mode/gherkin'), 'gherkin'),
  go: stream(() => import('@codemirror/legacy-modes/mode/go'), 'go'),
  groovy: stream(() => import('@codemirror/legacy-modes/mode/groovy'), 'groovy'),
  haskell: stream(() => import('@codemirror/legacy-modes/mode/haskell'), 'haskell'),
  html,
  ignore: properties,
  java: stream(clike, 'java'),
  javascript: javascript({ jsx: true }),
  jinja: stream(() => import('@codemirror/legacy-modes/mode/jinja2'), 'jinja2'),
  julia: stream(() => import('@codemirror/legacy-modes/mode/julia'), 'julia'),
  just: shell,
  kotlin: stream(clike, 'kotlin'),
  lisp: stream(() => import('@codemirror/legacy-modes/mode/commonlisp'), 'commonLisp'),
  lua: stream(() => import('@codemirror/legacy-modes/mode/lua'), 'lua'),
  makefile: shell,
  mathematica: stream(() => import('@codemirror/legacy-modes/mode/mathematica'), 'mathematica'),
  nginx: stream(() => import('@codemirror/legacy-modes/mode/nginx'), 'nginx'),
  objectivec: stream(clike, 'objectiveC'),
  ocaml: stream(mllike, 'oCaml'),
  octave: stream(() => import('@codemirror/legacy-modes/mode/octave'), 'octave'),
  pascal: stream(() => import('@codemirror/legacy-modes/mode/pascal'), 'pascal'),
  perl: stream(() => import('@codemirror/legacy-modes/mode/perl'), 'perl'),
  php: html,
  powershell: stream(() => import('@codemirror/legacy-modes/mode/powershell'), 'powerShell'),
  properties,
  proto: stream(() => import('@codemirror/legacy-modes/mode/protobuf'), 'protobuf'),
  pug: stream(() => import('@codemirror/legacy-modes/mode/pug'), 'pug'),
  puppet: stream(() => import('@codemirror/legacy-modes/mode/puppet'), 'puppet'),
  r: stream(() => import('@codemirror/legacy-modes/mode/r'), 'r'),
  ruby,
  rust: async () => (await import('@codemirror/lang-rust')).rust(),
  sas: stream(() => import('@codemirror/legacy-modes/mode/sas'), 'sas'),
  sass: stream(() => import('@codemirror/legacy-modes/mode/sass'), 'sass'),
  scala: stream(clike, 'scala'),
  scheme: stream(() => import('@codemirror/legacy-modes/mode/scheme'), 'scheme'),
  scss: stream(css, 'sCSS'),
  shell,
  sparql: stream(() => import('@codemirror/legacy-modes/mode/sparql'), 'sparql'),
  sql: stream(() => import('@codemirror/legacy-modes/mode/sql'), 'standardSQL'),
  stylus: stream(() => import('@codemirror/legacy-modes/mode/stylus'), 'stylus'),
  swift: stream(() => import('@codemirror/legacy-modes/mode/swift'), 'swift'),
  tcl: stream(() => import('@codemirror/legacy-modes/mode/tcl'), 'tcl'),
  tex,
  textile: stream(() => import('@codemirror/legacy-modes/mode/textile'), 'textile'),
  toml: stream(() => import('@codemirror/legacy-modes/mode/toml'), 'toml'),
  troff: stream(() => import('@codemirror/legacy-modes/mode/troff'), 'troff'),
  tsx: javascript({ typescript: true, jsx: true }),
  turtle: stream(() => import('@codemirror/legacy-modes/mode/turtle'), 'turtle'),
  typescript: javascript({ typescript: true }),
  vb: stream(() => import('@codemirror/legacy-modes/mode/vb'), 'vb'),
  verilog,
  vhdl: stream(() => import('@codemirror/legacy-modes/mode/vhdl'), 'vhdl'),
  vue: html,
  webassembly: stream(() => import('@codemirror/legacy-modes/mode/wast'), 'wast'),
  xml: stream(() => import('@codemirror/legacy-modes/mode/xml'), 'xml'),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
};
