import { describe, expect, it } from 'vitest';
import { forSeeds } from '../testing/random';
import { equationNumbers, numbered, tagsOf } from './equations';
import { piecesOf, protectMath, unprotected } from './math';

/** `<x>` for a formula in the line, `[x]` for a displayed one, `{x}` for a reference. */
function drawn(text: string): string {
  return piecesOf(protectMath(text))
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const [open, close] = { inline: '<>', display: '[]', reference: '{}' }[piece.kind];
      return `${open}${piece.source}${close}`;
    })
    .join('');
}

describe('formulas', () => {
  it.each([
    ['solution $x = 10$.', 'solution <$x = 10$>.'],
    ['so $$a^2$$ inline', 'so [$$a^2$$] inline'],
    ['| $P(A|B)$ | x |', '| <$P(A|B)$> | x |'],
    ['| $|x|$ | $a\\|b$ |', '| <$|x|$> | <$a\\|b$> |'],
    ['$x$-axis, the $n$th', '<$x$>-axis, the <$n$>th'],
    ['\\(a+b\\) and \\[c+d\\]', '<\\(a+b\\)> and [\\[c+d\\]]'],
    ['\\begin{align}\na &= b\n\\end{align}', '[\\begin{align}\na &= b\n\\end{align}]'],
    ['\\begin{equation}\\label{e} E \\end{equation}', '[\\begin{equation}\\label{e} E \\end{equation}]'],
    ['See \\eqref{eq:one}.', 'See {\\eqref{eq:one}}.'],
    ['$$\na\n\nb\n$$', '[$$\na\n\nb\n$$]'],
    ['$\\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}$', '<$\\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}$>'],
  ])('are found: %s', (text, wanted) => expect(drawn(text)).toBe(wanted));

  it.each([
    'I spent \\$500 on books.',
    'It costs $20 and that costs $30 more.',
    'It costs $5, not $6. $5-$10. US$5/$6',
    'Inline `$a_b$` code and `echo $HOME $PATH`.',
    '```sh\n$ python -i code.py\n$ python\n```\n',
    '~~~\n$x$\n~~~\nbut',
    'echo $HOME/$PATH',
    '\\[not a link\\] and \\[x\\]',
    '\\begin{verbatim}$\\end{verbatim}',
    'half $x = 1\n\nand$ more',
    '$$ $$ $ $',
  ])('are not found: %s', (text) => expect(drawn(text)).toBe(text));

  it('are given back as they were written', () => {
    forSeeds(300, (random) => {
      const parts = [
        '$',
        '$$',
        'x',
        ' ',
        '\n',
        '\n\n',
        '`',
        '```\n',
        '\\(',
        '\\)',
        '\\begin{align}',
        '\\end{align}',
        '|',
        '\\',
        '5',
      ];
      const text = Array.from({ length: 30 }, () => random.pick(parts)).join('');
      expect(unprotected(protectMath(text))).toBe(text);
    });
  });

  it('of a hostile text are found soon', () => {
    const start = process.cpuUsage();
    for (const part of ['$', '$a', '\\begin{align}', '`', '$$x', '\\(', '```\n']) protectMath(part.repeat(20_000));
    // Computing time: a busy machine makes a text no more hostile.
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5_000);
  }, 120_000);
});

it('labelled equations are numbered in order', () => {
  const numbers = equationNumbers(['\\label{a} and \\label{b}', '\\label{c}']);
  expect(numbered('\\begin{equation}\\label{b} E \\end{equation}', true, numbers)).toBe(
    '\\begin{equation*}\\tag{2} E \\end{equation*}',
  );
  expect(numbered('x \\text{by} \\eqref{c}', false, numbers)).toBe('x \\text{by} \\text{(3)}');
});

it('tags of rows are read in order', () => {
  expect(tagsOf('\\begin{align*}\\tag{1}a\\\\ b\\\\ c\\tag*{A}\\end{align*}')).toEqual(['(1)', 'A']);
});
