/** Completion and hover of `aside` in scripts, from the declarations that the server writes; loaded with the first script. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { type Declared, find, parseDeclarations, signature } from './declarations';
import { readTypes } from './types';

/** Completion and hover for an editor of a script. */
export const scriptCompletion: Extension = [
  EditorState.languageData.of(() => [{ autocomplete: complete }]),
  hoverTooltip(async (view, pos) => {
    const name = nameAt(view.state, pos);
    const found = name && find(await declared(), name.path);
    if (!name || !found) return null;
    return { pos: name.from, end: name.to, above: true, create: () => ({ dom: tooltip(name.path, found) }) };
  }),
];

let parsed: Promise<readonly Declared[]> | null = null;

/** The declarations; read once, and again after a failure. */
function declared(): Promise<readonly Declared[]> {
  parsed ??= readTypes().then(parseDeclarations, () => {
    parsed = null;
    return [];
  });
  return parsed;
}

const GLOBALS: readonly Completion[] = [
  { label: 'aside', type: 'namespace', detail: 'the actions' },
  { label: 'args', type: 'variable', detail: 'the input of the script' },
  { label: 'console', type: 'namespace', detail: 'the log of the run' },
  { label: 'AsideError', type: 'class', detail: 'the error of an action' },
];

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context;
  const before = state.sliceDoc(Math.max(0, pos - 300), pos);
  const path = /(?<![\w.$])aside((?:\s*\.\s*\w+)*)\s*\.\s*(\w*)$/.exec(before);
  if (path) {
    const names = (path[1] ?? '').split('.').flatMap((name) => name.trim() || []);
    const all = await declared();
    const within = names.length === 0 ? all : (find(all, names)?.members ?? []);
    const members = within.filter(({ kind }) => kind !== 'argument');
    return result(pos - (path[2]?.length ?? 0), members.map(option));
  }
  const word = /[\w$]*$/.exec(before)?.[0] ?? '';
  if (word === '' && !explicit) return null;
  const call = argumentsAt(state, pos);
  if (call) {
    const members = find(await declared(), call.path)?.members ?? [];
    const missing = members.filter(({ name }) => !call.given.includes(name));
    return result(pos - word.length, missing.filter(({ kind }) => kind === 'argument').map(option));
  }
  const isMember = /[.\w$]$/.test(before.slice(0, before.length - word.length));
  return isMember || !isCode(state, pos) ? null : result(pos - word.length, GLOBALS);
}

function result(from: number, options: readonly Completion[]): CompletionResult | null {
  return options.length > 0 ? { from, options, validFor: /^[\w$]*$/ } : null;
}

function option(one: Declared): Completion {
  const { name, kind, doc, type, optional } = one;
  const info = doc === '' ? undefined : doc;
  if (kind === 'noun') return { label: name, type: 'namespace' };
  if (kind === 'action') return { label: name, type: 'method', detail: signature([], one), info };
  const plain = /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
  // What has to be given comes first.
  return { label: name, type: 'property', detail: type, info, apply: `${plain}: `, boost: optional ? 0 : 1 };
}

/** An object that is written as arguments, or within them. */
interface Arguments {
  /** The nouns and the verb, then the arguments that lead to the object. */
  readonly path: readonly string[];
  /** The names that the object has already. */
  readonly given: readonly string[];
}

/** The arguments in which a name of an argument could stand at a place. */
function argumentsAt(state: EditorState, pos: number): Arguments | null {
  const here = syntaxTree(state).resolveInner(pos, -1);
  const object = around(here, 'ObjectExpression');
  if (!object || object.from >= pos || isValue(here, object, state, pos)) return null;
  const path = pathTo(state, object);
  if (!path) return null;
  const given = object.getChildren('Property').flatMap((property) => {
    const name = property.firstChild;
    return name && !(name.from <= pos && pos <= name.to) ? nameOf(state, name) : [];
  });
  return { path, given };
}

/** Tells whether a place is after the colon of a property. */
function isValue(here: SyntaxNode, object: SyntaxNode, state: EditorState, pos: number): boolean {
  for (let node: SyntaxNode | null = here; node && node.from >= object.from; node = node.parent) {
    if (node.name === 'String' || node.name === 'TemplateString' || /Comment$/.test(node.name)) return true;
    if (node.name === 'Property') {
      const colon = node.getChild(':');
      return colon !== null && colon.to <= pos;
    }
    if (node.name === 'ObjectExpression') break;
  }
  return /:\s*[\w$]*$/.test(state.sliceDoc(Math.max(object.from, pos - 100), pos));
}

/** The path from `aside` to an object in the arguments of a call of it. */
function pathTo(state: EditorState, object: SyntaxNode): string[] | null {
  const names: string[] = [];
  for (let node: SyntaxNode | null = object.parent; node; node = node.parent) {
    if (node.name === 'Property') names.unshift(...nameOf(state, node.firstChild));
    else if (node.name === 'CallExpression') {
      const callee = node.firstChild && state.sliceDoc(node.firstChild.from, node.firstChild.to).replace(/\s/g, '');
      return callee?.startsWith('aside.') ? [...callee.split('.').slice(1), ...names] : null;
    } else if (!THROUGH.has(node.name)) return null;
  }
  return null;
}

const THROUGH = new Set(['ArgList', 'ArrayExpression', 'ObjectExpression']);

function nameOf(state: EditorState, node: SyntaxNode | null): string[] {
  if (!node) return [];
  const text = state.sliceDoc(node.from, node.to);
  return [/^["']/.test(text) ? text.slice(1, -1) : text];
}

function around(node: SyntaxNode, name: string): SyntaxNode | null {
  for (let each: SyntaxNode | null = node; each; each = each.parent) {
    if (each.name === name) return each;
    if (each.name === 'Block' || each.name === 'ArrowFunction') return null;
  }
  return null;
}

function isCode(state: EditorState, pos: number): boolean {
  return !/String|Comment|RegExp/.test(syntaxTree(state).resolveInner(pos, -1).name);
}

/** The name of `aside` at a place, and the path to it. */
function nameAt(state: EditorState, pos: number): { from: number; to: number; path: string[] } | null {
  const line = state.doc.lineAt(pos);
  for (const match of line.text.matchAll(/(?<![\w.$])aside(?:\.\w+)+/g)) {
    const from = line.from + match.index;
    if (pos < from || pos > from + match[0].length) continue;
    const rest = match[0].slice(pos - from).search(/\.|$/);
    const to = pos + rest;
    const path = state.sliceDoc(from, to).split('.').slice(1);
    if (path.length === 0) return null;
    return { from: to - (path.at(-1)?.length ?? 0), to, path };
  }
  return null;
}

function tooltip(path: readonly string[], found: Declared): HTMLElement {
  const box = Object.assign(document.createElement('div'), { className: 'cm-script-info' });
  const code = document.createElement('code');
  code.textContent = found.kind === 'action' ? signature(['aside', ...path], found) : ['aside', ...path].join('.');
  box.append(code);
  if (found.doc) box.append(Object.assign(document.createElement('p'), { textContent: found.doc }));
  for (const { name, optional, type, doc } of found.members.filter(({ kind }) => kind === 'argument')) {
    const row = document.createElement('p');
    row.append(
      Object.assign(document.createElement('code'), { textContent: `${name}${optional ? '?' : ''}: ${type}` }),
    );
    if (doc) row.append(` ${doc}`);
    box.append(row);
  }
  return box;
}
