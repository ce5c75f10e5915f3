// LaTeX as code puts it out: one formula, or text with formulas in it. Pure.
//
//   markdownOf('The sum $a+b$')   →   The sum \(a+b\)
//   markdownOf('a+b')             →   a formula of its own

/** A formula, and whether it stands apart from the text around it. */
interface Formula {
  readonly tex: string;
  readonly block: boolean;
}

/** Says it in Markdown: what is no formula stands there as it is. */
export function markdownOf(latex: string): string {
  return partsOf(latex)
    .map((part) => (typeof part === 'string' ? written(part) : marked(part)))
    .join('');
}

/** The formulas in it. */
export function formulasIn(latex: string): Formula[] {
  return partsOf(latex).filter((part) => typeof part !== 'string');
}

/** Text and formulas, in order. */
function partsOf(latex: string): (string | Formula)[] {
  const text = latex.trim();
  const parts = text.split(FORMULA);
  const isOne = parts.length === 1 || (parts.length === 3 && parts[0] === '' && parts[2] === '');
  if (isOne) return [{ tex: bare(parts[1] ?? text), block: true }];
  return parts.map((part, at) => (at % 2 === 0 ? part : formula(part)));
}

/** In dollars, in brackets with a backslash, or an environment. */
const FORMULA =
  /(\$\$[\s\S]+?\$\$|\$(?:\\[\s\S]|[^$\\])+\$|\\\[[\s\S]+?\\\]|\\\([\s\S]+?\\\)|\\begin\{(?:equation|align|alignat|gather|multline|split|array|[bBpvV]?matrix|cases)\*?\}[\s\S]+\\end\{(?:equation|align|alignat|gather|multline|split|array|[bBpvV]?matrix|cases)\*?\})/;

function formula(part: string): Formula {
  const isInline = part.startsWith('\\(') || (part.startsWith('$') && !part.startsWith('$$'));
  return { tex: isInline ? bare(part).replaceAll(/\s+/g, ' ') : bare(part), block: !isInline };
}

/** Without what says where it begins and ends. */
function bare(part: string): string {
  return part.replace(/^(?:\$\$?|\\\[|\\\()([\s\S]*?)(?:\$\$?|\\\]|\\\))$/, '$1').trim();
}

const marked = ({ tex, block }: Formula) => (block ? `\n\n$$\n${tex}\n$$\n\n` : `\\(${tex}\\)`);

/** Signs that Markdown would take for marks, as references to characters. */
function written(text: string): string {
  const signs = text.replaceAll(/\n[ \t]+/g, '\n');
  return signs.replaceAll(/[\\`*_{}[\]<>()#+\-.!|~$&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
