// What an AI cell put out, as the parts of an answer: what the model said, what it asked for and what came of that, how it
// ended. The outputs are those of the format, and any program may have written them: what is not as it should be is shown
// as any other output. Pure.

import { textOf } from '../../outputs/mime';
import type { ActionId, CellOutput, ModelRef } from '../../wire/gen/types';

const CALL = 'application/vnd.anode.aitool+json';
const RESULT = 'application/vnd.anode.aitool.result+json';

/** How a call stands. */
export type CallStatus = 'pending' | 'success' | 'error';

/** Something that the model asked for. */
export interface CallPart {
  readonly kind: 'call';
  /** Which output it is. */
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status: CallStatus;
  /** The action that it became. */
  readonly action: ActionId | null;
  /** What the model was told; null while nothing came of it. */
  readonly result: string | null;
  /** Which output that is, and the bytes that were too many to be sent unasked. */
  readonly resultAt: number | null;
  readonly omitted: number;
}

/** How an answer ended that did not simply end. */
export interface EndPart {
  readonly kind: 'end';
  readonly at: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** One part of an answer. */
export type Part =
  | { readonly kind: 'text'; readonly at: number; readonly text: string; readonly model: ModelRef | null }
  | CallPart
  | { readonly kind: 'limit'; readonly at: number; readonly steps: number }
  | EndPart
  | { readonly kind: 'other'; readonly at: number; readonly output: CellOutput };

/** The parts of an answer, in order. */
export function partsOf(outputs: readonly CellOutput[]): Part[] {
  const parts: Part[] = [];
  for (const [at, output] of outputs.entries()) {
    if (output.type === 'error') parts.push(endOf(at, output));
    else if (output.type !== 'display' || !addResult(parts, at, output)) parts.push(partOf(at, output));
  }
  return parts;
}

/** The model that gave an answer, if it says so. */
export function modelIn(parts: readonly Part[]): ModelRef | null {
  const said = parts.findLast((part) => part.kind === 'text' && part.model !== null);
  return said?.kind === 'text' ? said.model : null;
}

/** The action that an answer stands at: its last call, as long as nothing has come of it. */
export function openAction(outputs: readonly CellOutput[]): ActionId | null {
  const last = outputs.at(-1);
  const part = last?.type === 'display' ? partOf(outputs.length - 1, last) : null;
  return part?.kind === 'call' && part.status === 'pending' ? part.action : null;
}

type Display = Extract<CellOutput, { type: 'display' }>;

function partOf(at: number, output: CellOutput): Part {
  if (output.type !== 'display') return { kind: 'other', at, output };
  const { data, metadata, omitted } = output;
  const call = record(data[CALL]);
  if (call) {
    const status = text(call.status);
    return {
      kind: 'call',
      at,
      id: text(call.tool_call_id),
      name: text(call.tool_name) || 'a tool',
      args: record(call.arguments) ?? NOTHING,
      status: status === 'success' || status === 'error' ? status : 'pending',
      action: text(record(record(metadata)?.aside)?.action) || null,
      result: null,
      resultAt: null,
      omitted: 0,
    };
  }
  const markdown = data['text/markdown'];
  if (markdown === undefined || Object.keys(omitted).length > 0) return { kind: 'other', at, output };
  const words = textOf(markdown);
  const anode = record(record(metadata)?.anode);
  const limit = anode ? null : LIMIT.exec(words);
  if (limit) return { kind: 'limit', at, steps: Number(limit[1]) };
  if (text(anode?.role) !== 'assistant') return { kind: 'other', at, output };
  const [provider, name] = [text(anode?.ai_provider), text(anode?.ai_model)];
  return { kind: 'text', at, text: words, model: provider && name ? `${provider}/${name}` : null };
}

const NOTHING: Readonly<Record<string, unknown>> = {};

const LIMIT = /^Reached maximum iterations \((\d+)\)/;

/** Puts a result to its call; tells whether it was one. */
function addResult(parts: Part[], at: number, { data, omitted }: Display): boolean {
  if (!(RESULT in data) && !(RESULT in omitted)) return false;
  const result = record(data[RESULT]);
  const id = result ? text(result.tool_call_id) : null;
  const isIts = (part: Part) => part.kind === 'call' && part.resultAt === null && (id === null || part.id === id);
  const place = parts.findLastIndex(isIts);
  const call = parts[place];
  if (call?.kind !== 'call') return false;
  const words = result ? textOf(result.result) : textOf(data['text/plain']);
  parts[place] = { ...call, result: words, resultAt: at, omitted: result ? 0 : (omitted['text/plain'] ?? 0) };
  return true;
}

function endOf(at: number, { name, value, traceback }: Extract<CellOutput, { type: 'error' }>): EndPart {
  const rest = traceback.startsWith(value) ? traceback.slice(value.length).trim() : '';
  return { kind: 'end', at, code: name, message: value || name, hint: rest === '' ? null : rest };
}

function record(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
