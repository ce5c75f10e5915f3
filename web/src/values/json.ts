// JSON as a tree that reads only what is opened. Comments, trailing commas, single quotes and names without quotes are
// read, too, as in JSONC and JSON5. Pure.
//
//   a value is found by skipping over it: brackets are counted, strings and comments passed over. What is in it is read when
//   it is opened; what is wrong in a part that nobody opens is found by `faultIn`.
import type { ValueNode } from './node';

/** Reads a text with one value. */
export function jsonTree(text: string): ValueNode {
  return valueAt(text, skipSpace(text, 0), null).node;
}

/** Reads a text with a value in each line. */
export function jsonLines(text: string): ValueNode {
  const children = once(() => {
    const nodes: ValueNode[] = [];
    for (let at = 0; at < text.length; ) {
      const end = lineEnd(text, at);
      const start = skipSpace(text, at);
      if (start < end) nodes.push(lineNode(text, start, end, nodes.length));
      at = end + 1;
    }
    return nodes;
  });
  return { name: null, kind: 'array', text: '', size: null, at: 0, children };
}

function lineNode(text: string, start: number, end: number, name: number): ValueNode {
  const line = text.slice(start, end);
  const { node, end: read } = valueAt(line, 0, name);
  const rest = skipSpace(line, read);
  const shifted = rest < line.length ? broken(line, rest, name) : node;
  return { ...shifted, at: start };
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

interface Found {
  readonly node: ValueNode;
  /** The character after it. */
  readonly end: number;
}

function valueAt(text: string, at: number, name: string | number | null): Found {
  const first = text[at];
  if (first === '{' || first === '[') return container(text, at, name);
  if (first === '"' || first === "'") {
    const end = stringEnd(text, at);
    if (end === null) return { node: broken(text, at, name), end: text.length };
    return { node: leaf('string', stringIn(text.slice(at, end)), at, name), end };
  }
  const word = wordAt(text, at);
  const kind = kindOfWord(word);
  return kind === null
    ? { node: broken(text, at, name), end: text.length }
    : { node: leaf(kind, word, at, name), end: at + word.length };
}

function container(text: string, at: number, name: string | number | null): Found {
  const isObject = text[at] === '{';
  const children = once(() => childrenAt(text, at, isObject));
  return {
    node: { name, kind: isObject ? 'object' : 'array', text: '', size: null, at, children },
    end: skipContainer(text, at),
  };
}

function childrenAt(text: string, start: number, isObject: boolean): ValueNode[] {
  const nodes: ValueNode[] = [];
  const close = isObject ? '}' : ']';
  let at = skipSpace(text, start + 1);
  while (text[at] !== close) {
    if (at >= text.length) return [...nodes, broken(text, at, null)];
    let name: string | number = nodes.length;
    if (isObject) {
      const key = keyAt(text, at);
      if (!key) return [...nodes, broken(text, at, null)];
      [name, at] = [key.name, key.end];
    }
    const { node, end } = valueAt(text, at, name);
    nodes.push(node);
    if (node.kind === 'broken') return nodes;
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== close) return [...nodes, broken(text, at, null)];
  }
  return nodes;
}

function keyAt(text: string, at: number): { name: string; end: number } | null {
  const quoted = text[at] === '"' || text[at] === "'";
  const end = quoted ? stringEnd(text, at) : at + wordAt(text, at).length;
  if (end === null || end === at) return null;
  const colon = skipSpace(text, end);
  if (text[colon] !== ':') return null;
  return { name: quoted ? stringIn(text.slice(at, end)) : text.slice(at, end), end: skipSpace(text, colon + 1) };
}

function leaf(kind: ValueNode['kind'], shown: string, at: number, name: string | number | null): ValueNode {
  return { name, kind, text: shown, size: null, at, children: () => [] };
}

function broken(text: string, at: number, name: string | number | null): ValueNode {
  const here = at >= text.length ? 'the text ends here' : `not readable from here: ${text.slice(at, at + 40)}`;
  return leaf('broken', here, Math.min(at, text.length), name);
}

function wordAt(text: string, at: number): string {
  return /[^\s,:{}[\]"'/]*/y.exec(atPlace(text, at))?.[0] ?? '';
}

/** A text to match from a place on: enough of it for any word. */
function atPlace(text: string, at: number): string {
  return text.slice(at, at + 4096);
}

function kindOfWord(word: string): ValueNode['kind'] | null {
  if (word === 'true' || word === 'false') return 'boolean';
  if (word === 'null') return 'null';
  const isNumber = /^[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|0x[\da-f]+|Infinity|NaN)$/i.test(word);
  return isNumber ? 'number' : null;
}

/** The character after a string; null if it never ends. */
function stringEnd(text: string, at: number): number | null {
  const quote = text[at] as string;
  for (let next = at + 1; ; next++) {
    next = text.indexOf(quote, next);
    if (next < 0) return null;
    let slashes = 0;
    while (text[next - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return next + 1;
  }
}

function stringIn(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(
      quoted[0] === '"' ? quoted : `"${inner.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`,
    ) as string;
  } catch {
    return inner;
  }
}

/** Passes over spaces and comments. */
function skipSpace(text: string, at: number): number {
  for (let next = at; next < text.length; ) {
    const code = text.charCodeAt(next);
    if (code === 0x20 || (code >= 9 && code <= 13) || code === 0xfeff || code === 0xa0) next++;
    else if (text.startsWith('//', next)) next = lineEnd(text, next);
    else if (text.startsWith('/*', next)) {
      const end = text.indexOf('*/', next + 2);
      next = end < 0 ? text.length : end + 2;
    } else return next;
  }
  return text.length;
}

/** Passes over an object or an array without reading it. */
function skipContainer(text: string, at: number): number {
  let depth = 0;
  for (let next = at; next < text.length; ) {
    const character = text[next] as string;
    if (character === '"' || character === "'") {
      const end = stringEnd(text, next);
      if (end === null) return text.length;
      next = end;
      continue;
    }
    if (character === '/') {
      const after = skipSpace(text, next);
      next = after === next ? next + 1 : after;
      continue;
    }
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return next + 1;
    }
    next++;
  }
  return text.length;
}

/** A place in a text at which it can't be read. */
export interface Fault {
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

/** Returns the first place that can't be read, looking at all values; null if there is none. */
export function* faultIn(text: string, top: ValueNode): Generator<unknown, Fault | null> {
  const waiting = [top];
  let count = 0;
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind === 'broken') return placeOf(text, node.at ?? 0);
    const children = node.children();
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at] as ValueNode);
    if (++count % 64 === 0) yield;
  }
  const rest =
    top.name === null && top.size === null && (top.kind === 'object' || top.kind === 'array')
      ? restAfter(text, top)
      : null;
  return rest === null ? null : placeOf(text, rest);
}

function restAfter(text: string, { at, kind }: ValueNode): number | null {
  const start = at ?? 0;
  if (text[start] !== (kind === 'object' ? '{' : '[')) return null;
  const rest = skipSpace(text, skipContainer(text, start));
  return rest < text.length ? rest : null;
}

/** The line and column of a character, from 1. */
export function placeOf(text: string, at: number): Fault {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) {
    line++;
    start = next + 1;
  }
  return { at, line, column: at - start + 1 };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
