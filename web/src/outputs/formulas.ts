// LaTeX as code puts it out: one formula, or text with formulas in it. Pure.
//
//   markdownOf('The sum $a+b$')   →   The sum $$a+b$$
//   markdownOf('a+b')             →   a formula of its own

/** Says it in Markdown: what is no formula stands there as it is. */
export function markdownOf(latex: string): string {
  const text = latex.trim();
  const parts = text.split(FORMULA);
  const isOne = parts.length === 1 || (parts.length === 3 && parts[0] === '' && parts[2] === '');
  if (isOne) return displayed(bare(parts[1] ?? text));
  return parts.map((part, at) => (at % 2 === 0 ? written(part) : formula(part))).join('');
}

/** In dollars, in brackets with a backslash, or an environment. */
const FORMULA =
  /(\$\$[\s\S]+?\$\$|\$(?:\\[\s\S]|[^$\\])+\$|\\\[[\s\S]+?\\\]|\\\([\s\S]+?\\\)|\\begin\{(?:equation|align|alignat|gather|multline|split|array|[bBpvV]?matrix|cases)\*?\}[\s\S]+\\end\{(?:equation|align|alignat|gather|multline|split|array|[bBpvV]?matrix|cases)\*?\})/;

function formula(part: string): string {
  const isInline = part.startsWith('\\(') || (part.startsWith('$') && !part.startsWith('$$'));
  // Two dollars: one is money, in what is not a notebook’s own text.
  return isInline ? `$$${bare(part).replaceAll(/\s+/g, ' ')}$$` : displayed(bare(part));
}

/** Without what says where it begins and ends. */
function bare(part: string): string {
  return part.replace(/^(?:\$\$?|\\\[|\\\()([\s\S]*?)(?:\$\$?|\\\]|\\\))$/, '$1').trim();
}

const displayed = (body: string) => `\n\n$$\n${body}\n$$\n\n`;

/** Letters that Markdown would take for marks. */
function written(text: string): string {
  return text.replaceAll(/\n[ \t]+/g, '\n').replaceAll(/[\\`*_{}[\]<>()#+\-.!|~$&]/g, '\\$&');
}
