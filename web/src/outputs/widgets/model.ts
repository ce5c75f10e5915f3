// What is known of a widget: of a kernel's that lives, else what the file says of it. Another program wrote it: what is
// not as it should be counts as what is not there. Pure.
import type { WidgetModel } from '../../wire/gen/types';

/** A widget as it is shown. */
export interface Widget extends WidgetModel {
  /** A kernel hears what a person does to it. */
  readonly live: boolean;
}

/** Its kind, such as `IntSliderModel`. */
export const kindOf = ({ state }: WidgetModel): string => text(state, '_model_name');

/** A text of its state. */
export function text(state: Record<string, unknown>, name: string): string {
  const value = state[name];
  return typeof value === 'string' ? value : '';
}

/** A number of its state. */
export function number(state: Record<string, unknown>, name: string, otherwise: number): number {
  const value = state[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** A list of texts of its state. */
export function texts(state: Record<string, unknown>, name: string): string[] {
  const value = state[name];
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? item : String(item))) : [];
}

/** The ids of the widgets that a part of its state names. */
export function children(state: Record<string, unknown>, name = 'children'): string[] {
  return texts(state, name).flatMap((item) => (item.startsWith(MARK) ? [item.slice(MARK.length)] : []));
}

const MARK = 'IPY_MODEL_';

/** The bytes of a part of its state, as base64. */
export function bytes({ buffers }: WidgetModel, name: string): string | null {
  return buffers.find(({ path }) => path.length === 1 && path[0] === name)?.base64 ?? null;
}

/** What the file of a notebook says of a widget; null if nothing. */
export function inFile(metadata: Record<string, unknown> | null, id: string): Widget | null {
  const all = object(object(metadata?.['application/vnd.jupyter.widget-state+json'])?.state);
  const found = object(all?.[id]);
  const state = object(found?.state);
  if (!found || !state) return null;
  const buffers = Array.isArray(found.buffers) ? found.buffers.flatMap(bufferOf) : [];
  return { id, state: { _model_name: found.model_name, ...state }, buffers, outputs: [], live: false };
}

function bufferOf(value: unknown): WidgetModel['buffers'] {
  const { path, data, encoding } = object(value) ?? {};
  const isBuffer = Array.isArray(path) && typeof data === 'string' && encoding === 'base64';
  return isBuffer ? [{ path: path.map(String), base64: data }] : [];
}

function object(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

/** The number of a logarithmic slider at a place, and the place of a number. */
export const logarithmic = {
  value: (base: number, exponent: number) => base ** exponent,
  place: (base: number, value: number) => Math.log(value) / Math.log(base),
};

/** A number as a person would write it: no tail that comes of how it is stored. */
export const shownNumber = (value: number) => String(Number(value.toPrecision(12)));
