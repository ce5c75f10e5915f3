import { Plain } from '../actions/Plain';
import table from '../actions/previews/Changes.module.css';
import { Note } from '../ui/Note';
import { TextBlock } from '../ui/TextBlock';
import { rowsOf } from './result';

/** A wide table is scrolled. */
const WHOLE_WORDS = { overflowWrap: 'normal' } as const;

/** The value that a script returned: a text as it is, a list of like objects as a table, all else as JSON. */
export function Result({ value }: { value: unknown }) {
  if (value === null) return <Note>The script returned nothing.</Note>;
  const rows = rowsOf(value);
  if (rows) {
    return (
      <div className={table.scroll}>
        <table className={table.table}>
          <thead>
            <tr>
              {rows.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.cells.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a result does not change.
              <tr key={row}>
                {cells.map((cell, at) => (
                  <td key={rows.columns[at]} style={WHOLE_WORDS}>
                    <Plain text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }
  return (
    <TextBlock aria-label="Result">
      <Plain text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
    </TextBlock>
  );
}
