// Turns protected formulas of a Markdown tree back: into nodes of their own in text, into their source in code and addresses.
import type { Nodes, Root } from 'mdast';
import { type MathPiece, piecesOf, unprotected } from './math';

/** A formula in a line, or displayed. */
export interface MathNode {
  type: 'math' | 'inlineMath';
  value: string;
}

/** A reference to a labelled equation. */
export interface ReferenceNode {
  type: 'equationReference';
  label: string;
  /** With parentheses around its number. */
  parentheses: boolean;
}

declare module 'mdast' {
  interface PhrasingContentMap {
    math: MathNode;
    inlineMath: MathNode;
    equationReference: ReferenceNode;
  }
  interface RootContentMap {
    math: MathNode;
    inlineMath: MathNode;
    equationReference: ReferenceNode;
  }
}

/** Restores all formulas of a tree, in place. */
export function restoreMath(root: Root): void {
  restore(root);
}

function restore(node: Nodes): void {
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string' && name !== 'type') Object.assign(node, { [name]: unprotected(value) });
  }
  if (!('children' in node)) return;
  node.children = node.children.flatMap((child: Nodes) => {
    if (child.type === 'text') return piecesOf(child.value).map(nodeOf);
    restore(child);
    return [child];
  }) as typeof node.children;
}

function nodeOf(piece: string | MathPiece): Nodes {
  if (typeof piece === 'string') return { type: 'text', value: piece };
  const { kind, source } = piece;
  if (kind !== 'reference') return { type: kind === 'display' ? 'math' : 'inlineMath', value: texOf(source) };
  const [, command, label = ''] = /^\\(\w+)\{(.*)\}$/.exec(source) ?? [];
  return { type: 'equationReference', label, parentheses: command === 'eqref' };
}

/** Returns a formula without its delimiters, and with the environments that KaTeX knows in place of others. */
export function texOf(source: string): string {
  const inside = /^(?:\$\$([\s\S]*)\$\$|\$([\s\S]*)\$|\\[([]([\s\S]*)\\[)\]])$/.exec(source);
  const tex = inside ? (inside[1] ?? inside[2] ?? inside[3] ?? '') : source;
  // Lines of a block quote begin with its mark.
  const quoted =
    /\n[ \t]*>/.test(tex) &&
    tex
      .split('\n')
      .slice(1)
      .every((line) => /^[ \t]*(?:>|$)/.test(line));
  return known(quoted ? tex.replaceAll(/\n[ \t]*> ?/g, '\n') : tex);
}

function known(tex: string): string {
  return tex
    .replaceAll(/\\(begin|end)\{(?:displaymath|math)\*?\}/g, '')
    .replaceAll(/\\(begin|end)\{(?:multline|gather)(\*?)\}/g, '\\$1{gather$2}')
    .replaceAll(/\\(begin|end)\{flalign(\*?)\}/g, '\\$1{align$2}')
    .replaceAll(/\\begin\{eqnarray(\*?)\}([\s\S]*?)\\end\{eqnarray\*?\}/g, (_, star: string, body: string) => {
      // Its relation stands between two marks.
      const rows = body.replaceAll(/&([^&\\]*)&/g, ' &$1 ');
      return `\\begin{align${star}}${rows}\\end{align${star}}`;
    })
    .trim();
}
