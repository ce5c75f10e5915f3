// Constructs of notes in a text: wiki links, tags, callouts. Pure.

/** A `[[link]]` in its parts. */
export interface WikiLink {
  /** The note or file; empty for a place in the same note. */
  readonly target: string;
  /** The heading or `^block`, without the first `#`; null if none is named. */
  readonly anchor: string | null;
  /** The words that are shown in its place, if it has any. */
  readonly alias: string | null;
}

/** Reads what stands between the brackets. In a table the line is written `\|`. */
export function wikiLinkOf(inside: string): WikiLink {
  const [link = '', ...words] = inside.replaceAll('\\|', '|').split('|');
  const hash = link.indexOf('#');
  const alias = words.join('|').trim();
  return {
    target: (hash < 0 ? link : link.slice(0, hash)).trim(),
    anchor: hash < 0 ? null : link.slice(hash + 1).trim(),
    alias: words.length > 0 && alias !== '' ? alias : null,
  };
}

/** The words of a link that has none of its own: `Note › Heading`. */
export function wikiWords({ target, anchor, alias }: WikiLink): string {
  if (alias !== null) return alias;
  const places = (anchor ?? '').split('#').filter((place) => place !== '');
  return [target, ...places].filter((part) => part !== '').join(' › ');
}

const TAG = /#(?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]|\u200d|\ufe0f)+/uy;

/** The length of the tag that begins at a `#`; 0 if none does. */
export function hashtagAt(text: string, at: number): number {
  if (at > 0 && !/[\s(]/.test(text[at - 1] ?? '')) return 0;
  TAG.lastIndex = at;
  const found = TAG.exec(text)?.[0].replace(/\/+$/, '') ?? '';
  return /[^\d_/#-]/.test(found) ? found.length : 0;
}

/** The tone of a callout. */
export type CalloutTone = 'note' | 'tip' | 'warn' | 'err' | 'quote';

/** The head of a callout: `[!warning]- Words`. */
export interface Callout {
  readonly name: string;
  readonly tone: CalloutTone;
  /** Whether it can be folded, and is at first. */
  readonly fold: 'open' | 'closed' | null;
  /** Its own title, or its name. */
  readonly title: string;
  /** How many characters come before the title. */
  readonly length: number;
}

/** Reads the first line of a quote; null if it is no callout. */
export function calloutOf(line: string): Callout | null {
  const found = /^\[!([\w-]{1,40})(?:\|[^\]\n]*)?\]([+-]?)[ \t]*/.exec(line);
  if (!found) return null;
  const name = (found[1] ?? '').toLowerCase();
  const title = line.slice(found[0].length).split('\n')[0]?.trim() ?? '';
  return {
    name,
    tone: TONES[name] ?? 'note',
    fold: found[2] === '+' ? 'open' : found[2] === '-' ? 'closed' : null,
    title: title || name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' '),
    length: found[0].length,
  };
}

const TONES: Readonly<Record<string, CalloutTone>> = {
  tip: 'tip',
  hint: 'tip',
  success: 'tip',
  check: 'tip',
  done: 'tip',
  warning: 'warn',
  caution: 'warn',
  attention: 'warn',
  question: 'warn',
  faq: 'warn',
  failure: 'err',
  fail: 'err',
  danger: 'err',
  error: 'err',
  bug: 'err',
  quote: 'quote',
  cite: 'quote',
};

/** A pair of a note's front matter, for people to read. */
export interface Property {
  readonly name: string;
  readonly value: string;
}

/** The lines of front matter, and where the text begins; null without any. */
export function frontMatterOf(text: string): { readonly yaml: string; readonly end: number } | null {
  const found = /^\ufeff?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text);
  return found ? { yaml: found[1] ?? '', end: found[0].length } : null;
}

/** The top keys of front matter with what belongs to each. Lists are joined; everything else stays as it is written. */
export function propertiesOf(yaml: string): Property[] {
  const properties: { name: string; lines: string[] }[] = [];
  for (const line of yaml.split(/\r?\n/)) {
    const key = /^([^\s#:-][^:]*?)[ \t]*:(?:[ \t]+(.*)|)$/.exec(line);
    if (key) properties.push({ name: key[1] ?? '', lines: [key[2] ?? ''] });
    else if (!/^[ \t]*#/.test(line)) properties.at(-1)?.lines.push(line);
  }
  return properties.map(({ name, lines }) => ({ name: unquoted(name), value: valueIn(lines) }));
}

function valueIn(lines: readonly string[]): string {
  const parts = lines.map((line) => line.trim()).filter((line) => line !== '');
  const items = parts.map((part) => /^-[ \t]+(.*)$/.exec(part)?.[1]);
  if (items.length > 0 && items.every((item) => item !== undefined)) return items.map(unquoted).join(', ');
  const flow = /^\[(.*)\]$/.exec(parts.join(' '))?.[1];
  return (flow === undefined ? parts : flow.split(',').map((part) => part.trim()))
    .map(unquoted)
    .join(flow === undefined ? ' ' : ', ');
}

const unquoted = (text = ''): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
