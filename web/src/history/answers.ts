/** Questions to the sidebar and the lines that answer them, as they are shown. Pure. */
import type { MetaAgentLine } from '../wire/gen/types';

/** A question that the model asked of the history. */
export interface Asked {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  /** Absent while it is being answered. */
  readonly result?: { readonly ok: boolean; readonly data: unknown; readonly ms: number };
}

/** What was asked and how it was answered. */
export interface Exchange {
  readonly question: string;
  readonly text: string;
  readonly asked: readonly Asked[];
  /** Why it did not come to an end. */
  readonly error?: string;
  readonly ended: boolean;
}

/** An exchange that has just begun. */
export function begun(question: string): Exchange {
  return { question, text: '', asked: [], ended: false };
}

/** Takes in a line of the answer. */
export function heard(exchange: Exchange, line: MetaAgentLine): Exchange {
  switch (line.type) {
    case 'token':
      return { ...exchange, text: exchange.text + line.delta };
    case 'tool_call':
      return { ...exchange, asked: [...exchange.asked, { id: line.id, name: line.name, args: line.args }] };
    case 'tool_result': {
      const result = { ok: line.ok, data: line.data, ms: line.duration_ms };
      const last = exchange.asked.findLastIndex(({ id, result: known }) => id === line.id && known === undefined);
      return { ...exchange, asked: exchange.asked.map((one, at) => (at === last ? { ...one, result } : one)) };
    }
    case 'error':
      return { ...exchange, error: line.message, ended: true };
    case 'done':
      return { ...exchange, ended: true };
  }
}

/** What is sent with the next question: what was said so far, without what could not be answered. */
export function conversation(exchanges: readonly Exchange[]): { role: string; content: string }[] {
  return exchanges
    .filter(({ error }) => error === undefined)
    .flatMap(({ question, text }) => [
      { role: 'user', content: question },
      ...(text === '' ? [] : [{ role: 'assistant', content: text }]),
    ]);
}

/** What a question is about, in few words. */
export function summary({ args }: Asked): string {
  if (typeof args !== 'object' || args === null) return '';
  const parts = Object.entries(args).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = parts.join(', ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** How a question went. */
export function state({ result }: Asked): string {
  if (!result) return 'asking…';
  return `${result.ok ? 'answered' : 'not answered'}, ${result.ms} ms`;
}

const CALLING = [
  'qwen2.5',
  'qwen3',
  'llama3.1',
  'llama3.2',
  'llama3.3',
  'firefunction',
  'command-r',
  'mistral-nemo',
  'mistral-large',
  'mixtral',
  'gpt-oss',
];

/** Whether a model is likely to ask questions of the history, where its server does not say. */
export function likelyCalls(model: string): boolean {
  return CALLING.some((family) => model.startsWith(family));
}
