// A table as `application/vnd.dataresource+json` has it: columns in a schema, rows as objects. Pure.

/** A table. */
export interface Table {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many rows there were; more than are here if there were very many. */
  readonly count: number;
  /** The variable that holds all of them. */
  readonly variable: string | null;
}

/** Reads one; null if it is none. */
export function tableOf(value: unknown): Table | null {
  const { schema, data, aside } = objectIn(value);
  if (!Array.isArray(data)) return null;
  const rows = data.map(objectIn);
  const fields = objectIn(schema).fields;
  const columns = Array.isArray(fields)
    ? fields
        .map(objectIn)
        .map(({ name, type }) => ({ name: String(name), type: typeof type === 'string' ? type : 'any' }))
    : Object.keys(rows[0] ?? {}).map((name) => ({ name, type: 'any' }));
  const { rows: count, variable } = objectIn(aside);
  return {
    columns,
    rows,
    count: typeof count === 'number' ? count : rows.length,
    variable: typeof variable === 'string' && variable !== '' ? variable : null,
  };
}

/** How a value shows. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Which rows are shown, of how many. */
export function rangeWords(from: number, shown: number, here: number, count: number, variable: string | null): string {
  const all = count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`;
  const range = shown < here ? `${from + 1}–${from + shown} of ${all}` : all;
  if (here === count) return variable ? `${range}, also in ${variable}` : range;
  const rest = variable ? `all are in ${variable}` : 'narrow the query to see the rest';
  return `${range}; showing the first ${here.toLocaleString('en')}, ${rest}`;
}

function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
