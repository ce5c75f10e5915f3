// Which of the forms that an output comes in is shown, and how. Pure.
//
//   never    a script of an output in this page
//   trusted  scripts in a frame of its own, which reaches neither this page nor a network
//   else     the same markup without what could run; a picture instead, if there is one
import type { CellOutput } from '../wire/gen/types';
import { libraryOf, specIn } from './charts';

/** How a form is shown. */
export type Look =
  | 'widget'
  | 'chart'
  | 'table'
  | 'image'
  | 'svg'
  | 'html'
  | 'active'
  | 'latex'
  | 'markdown'
  | 'json'
  | 'text';

/** An output in several forms. */
export type Display = Extract<CellOutput, { type: 'display' }>;

/** The form that is shown. */
export interface ShownForm {
  readonly mime: string;
  readonly look: Look;
  readonly value: unknown;
  /** Bytes, if it was too large to be sent unasked. */
  readonly omitted: number | null;
}

/** Returns the best form of an output; null if nothing of it can be shown. */
export function shownOf(output: Display, trusted: boolean): ShownForm | null {
  const { data, omitted } = withChart(output);
  const forms = [...new Set([...Object.keys(data), ...Object.keys(omitted)])].flatMap((mime) => {
    const look = lookOf(mime, data[mime], trusted);
    return look ? [{ mime, look, value: data[mime], omitted: mime in data ? null : (omitted[mime] ?? null) }] : [];
  });
  const active = isActive(data['text/html']);
  return forms.sort((one, other) => rank(one, active && !trusted) - rank(other, active && !trusted))[0] ?? null;
}

/** Tells whether an output does more in a notebook that is trusted. Of markup that was not sent that is known once it is read. */
export function heldBack(output: Display): boolean {
  const { data, omitted } = withChart(output);
  const forms = [...Object.keys(data), ...Object.keys(omitted)];
  return isActive(data['text/html']) || forms.some((mime) => libraryOf(mime, data[mime]) !== null);
}

/** Altair's markup fetches what draws its chart from the web; the chart in it is drawn by what is here. */
function withChart({ data, omitted }: Display): Pick<Display, 'data' | 'omitted'> {
  const known = charts.get(data);
  if (known !== undefined) return { data: known ?? data, omitted };
  const spec = specIn(textOf(data['text/html']));
  const drawn = spec && { ...data, 'application/vnd.vegalite.v6+json': spec };
  charts.set(data, drawn);
  return { data: drawn ?? data, omitted };
}

/** What was found, by the forms of an output: a chart stays the same one. */
const charts = new WeakMap<Display['data'], Display['data'] | null>();

/** The forms that nothing here can show. */
export function unknownForms({ data, omitted }: Display): string[] {
  return [...Object.keys(data), ...Object.keys(omitted)].filter((mime) => lookOf(mime, data[mime], true) === null);
}

/** The best first. */
const LOOKS: readonly Look[] = [
  'widget',
  'chart',
  'table',
  'active',
  'html',
  'svg',
  'image',
  'markdown',
  'latex',
  'json',
  'text',
];

/** Markup that waits for scripts is worth less than a picture beside it. */
function rank({ look }: { look: Look }, scriptless: boolean): number {
  return scriptless && (look === 'image' || look === 'svg') ? -1 : LOOKS.indexOf(look);
}

function lookOf(mime: string, value: unknown, trusted: boolean): Look | null {
  if (libraryOf(mime, value) !== null) return trusted ? 'chart' : null;
  if (mime === 'text/html') return trusted && isActive(value) ? 'active' : 'html';
  if (/^image\/(png|jpeg|gif|webp|bmp)$/.test(mime)) return 'image';
  return OTHERS[mime] ?? null;
}

const OTHERS: Record<string, Look> = {
  'application/vnd.jupyter.widget-view+json': 'widget',
  'application/vnd.dataresource+json': 'table',
  'image/svg+xml': 'svg',
  'text/latex': 'latex',
  'text/markdown': 'markdown',
  'application/json': 'json',
  'application/geo+json': 'json',
  'text/plain': 'text',
};

/** Markup that does something only with scripts, or plays. */
function isActive(value: unknown): boolean {
  return value !== undefined && ACTIVE.test(textOf(value));
}

/** Of frames only those that bring their page along: no other is reached. */
const ACTIVE =
  /<(?:script|object|embed|audio|video)[\s>]|<iframe\s[^>]*(?:srcdoc|src\s*=\s*["']?data:)|\son[a-z]+\s*=|javascript:/i;

/** A form as one text: the format allows a list of lines. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((line) => (typeof line === 'string' ? line : '')).join('');
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
}
