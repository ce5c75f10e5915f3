import { expect, it } from 'vitest';
import { markdownOf } from './formulas';

it('shows one formula as such, in dollars or bare', () => {
  const formula = '\n\n$$\na+b\n$$\n\n';
  for (const text of ['a+b', '$a+b$', '$$a+b$$', ' $$\na+b\n$$\n', '\\[a+b\\]', '\\(a+b\\)']) {
    expect(markdownOf(text)).toBe(formula);
  }
  expect(markdownOf('\\begin{equation}x\\end{equation}')).toContain('$$\n\\begin{equation}x\\end{equation}\n$$');
  expect(markdownOf('a \\$ b')).toContain('$$\na \\$ b\n$$');
});

it('leaves the text around formulas as text', () => {
  expect(markdownOf('The sum $a+b$ of $n_1$')).toBe('The sum \\(a+b\\) of \\(n_1\\)');
  expect(markdownOf('a *b*\n  with \\(x\\)')).toBe('a &#42;b&#42;\nwith \\(x\\)');
  expect(markdownOf('So\n\\begin{align*}x&=1\\end{align*}')).toBe(
    'So\n\n\n$$\n\\begin{align*}x&=1\\end{align*}\n$$\n\n',
  );
});
