// YAML as a tree over the nodes of its parser: numbers stay as they are written, references stay references, so that a
// text that repeats itself a billion times is as small as it looks.
import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments } from 'yaml';
import type { ValueKind, ValueNode } from './node';
import type { Values } from './read';

/** Reads a text of one document or several. */
export function readYaml(text: string): Values {
  const documents = parseAllDocuments(text, { keepSourceTokens: false, logLevel: 'silent', prettyErrors: true });
  const list = Array.isArray(documents) ? documents : [];
  const nodes = list.map(({ contents }, at) => node(contents as Node | null, list.length > 1 ? at : null));
  const [error] = list.flatMap(({ errors }) => errors);
  const fault = error ? `${place(error.linePos?.[0])}${firstLine(error.message)}` : null;
  const [only] = nodes;
  if (!only) return { top: node(null, null), fault, isJson: false };
  const top = nodes.length === 1 ? only : parent('array', null, 0, nodes.length, () => nodes);
  return { top, fault, isJson: false };
}

function place(at: { line: number; col: number } | undefined): string {
  return at ? `line ${at.line}, column ${at.col}: ` : '';
}

const firstLine = (message: string): string =>
  (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');

function node(value: Node | null, name: string | number | null): ValueNode {
  const at = value?.range?.[0] ?? null;
  if (isMap(value)) {
    const children = () => value.items.map((pair) => node(pair.value as Node | null, keyOf(pair.key)));
    return parent('object', name, at, value.items.length, children);
  }
  if (isSeq(value)) {
    return parent('array', name, at, value.items.length, () =>
      value.items.map((item, place) => node(item as Node, place)),
    );
  }
  if (isAlias(value)) return leaf('reference', `*${value.source}`, name, at);
  if (!isScalar(value)) return leaf('null', 'null', name, at);
  const plain = value.value;
  if (plain === null || plain === undefined) return leaf('null', value.source || 'null', name, at);
  if (typeof plain === 'string') return leaf('string', plain, name, at);
  return leaf(typeof plain === 'boolean' ? 'boolean' : 'number', value.source ?? String(plain), name, at);
}

function keyOf(key: unknown): string {
  if (isScalar(key)) return String(key.value);
  return key === null ? 'null' : String(key);
}

function leaf(kind: ValueKind, text: string, name: string | number | null, at: number | null): ValueNode {
  return { name, kind, text, size: null, at, children: () => [] };
}

function parent(
  kind: 'object' | 'array',
  name: string | number | null,
  at: number | null,
  size: number,
  children: () => ValueNode[],
): ValueNode {
  let made: ValueNode[] | null = null;
  return {
    name,
    kind,
    text: '',
    size,
    at,
    children: () => {
      made ??= children();
      return made;
    },
  };
}
