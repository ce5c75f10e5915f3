// The values in the fields of a table: which are numbers, how they are ordered, which a filter lets through. Pure.

/** The kind of a column's values. */
export type ColumnKind = 'number' | 'text';

const NUMBER = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d*)?(?:e[-+]?\d+)?$/i;
const COMMA_NUMBER = /^[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+)?(?:,\d*)?(?:e[-+]?\d+)?$/i;
const NOTHING: ReadonlySet<string> = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '-']);

/** Tells whether a field says that there is no value. */
export const isNothing = (text: string): boolean => NOTHING.has(text.trim().toLowerCase());

/** The number in a field, or null. With `comma` fractions begin with a comma, as in `1.234,5`. */
export function numberIn(text: string, comma: boolean): number | null {
  const trimmed = text.trim();
  if (!/\d/.test(trimmed) || !(comma ? COMMA_NUMBER : NUMBER).test(trimmed)) return null;
  const plain = comma ? trimmed.replaceAll('.', '').replace(',', '.') : trimmed.replaceAll(',', '');
  const number = Number(plain);
  return Number.isNaN(number) ? null : number;
}

/** The share of fields that have to be numbers in a column of numbers. */
const MOST_OF_THEM = 0.9;

/** The kind of a column, from some of its fields. */
export function kindOf(fields: readonly string[], comma: boolean): ColumnKind {
  const values = fields.filter((field) => !isNothing(field));
  const numbers = values.filter((value) => numberIn(value, comma) !== null).length;
  return values.length > 0 && numbers >= MOST_OF_THEM * values.length ? 'number' : 'text';
}

/** Tells whether a field is let through. */
export type FieldTest = (text: string) => boolean;

/**
 * Reads a filter: words that the field contains, `=word` for all of it, `!word` for fields without it, `>5`, `<=5` for numbers, and
 * `=` or `!` alone for empty fields and others. Null lets everything through.
 */
export function filterOf(filter: string, comma: boolean): FieldTest | null {
  const [, sign = '', rest = ''] = /^\s*(>=|<=|>|<|=|!)?\s*(.*?)\s*$/s.exec(filter) ?? [];
  if (sign === '' && rest === '') return null;
  const words = rest.toLowerCase();
  if (sign === '=') return words === '' ? isNothing : (text) => text.trim().toLowerCase() === words;
  if (sign === '!') return words === '' ? (text) => !isNothing(text) : (text) => !text.toLowerCase().includes(words);
  if (sign === '') return (text) => text.toLowerCase().includes(words);
  return comparison(sign, rest, comma);
}

function comparison(sign: string, rest: string, comma: boolean): FieldTest {
  const bound = numberIn(rest, comma);
  const ordered: Record<string, (order: number) => boolean> = {
    '>': (order) => order > 0,
    '<': (order) => order < 0,
    '>=': (order) => order >= 0,
    '<=': (order) => order <= 0,
  };
  const fits = ordered[sign] as (order: number) => boolean;
  if (rest === '') return () => true;
  // Dates as `2026-11-28` are ordered by their letters.
  if (bound === null) return (text) => !isNothing(text) && fits(text < rest ? -1 : Number(text > rest));
  return (text) => {
    const value = numberIn(text, comma);
    return value !== null && fits(value - bound);
  };
}
