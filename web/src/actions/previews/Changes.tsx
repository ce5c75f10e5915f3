import type { ChangeRow } from '../../wire/gen/types';
import { Plain } from '../Plain';
import styles from './Changes.module.css';

/** A table of what changes, from what to what; only to what, where nothing was before. */
export function Changes({ rows }: { rows: readonly ChangeRow[] }) {
  const hasBefore = rows.some(({ before }) => before !== null);
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Item</th>
            {hasBefore && <th scope="col">Now</th>}
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.object} ${row.before} ${row.after}`}>
              <th scope="row">
                <Plain text={row.object} />
              </th>
              {hasBefore && <td>{row.before === null ? '–' : <Plain text={row.before} />}</td>}
              <td>{row.after === null ? '–' : <Plain text={row.after} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
