// What an SQL cell asks, as its metadata says: `{"cell": "sql", "connection": "data.db", "result": "tides"}`.

/** What is asked, and what becomes of the answer. */
export interface SqlCell {
  /** A file with a database, relative to the notebook; empty for the data frames of the kernel. */
  readonly connection: string;
  /** The variable that holds what comes; empty for none. */
  readonly result: string;
}

/** Where a cell names none. */
const RESULT = 'result';

/** Reads our part of a cell's metadata, as JSON text. */
export function sqlOf(ours: string | null): SqlCell {
  const said = parsed(ours);
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);
  return { connection: text(said.connection, ''), result: text(said.result, RESULT) };
}

/** That part with other answers; what is as it would be anyway is not written. */
export function withSql(ours: string | null, { connection, result }: SqlCell): string {
  const { connection: _, result: __, ...rest } = parsed(ours);
  return JSON.stringify({
    ...rest,
    ...(connection !== '' && { connection }),
    ...(result !== RESULT && { result }),
  });
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
