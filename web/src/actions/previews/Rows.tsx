import { join } from '../../ui/names';
import type { ActionRecord, NoteRow } from '../../wire/gen/types';
import { partDecision } from '../card';
import { toggleRow, useIsChecked } from '../checkedRows';
import { Plain } from '../Plain';
import { Words } from '../Words';
import styles from './Changes.module.css';

/** Rows that are shown at once; the rest is counted. */
const MOST = 300;

/** A table of changes of notes: a checkbox for each part, and its values before and after. */
export function Rows({ record, rows }: { record: ActionRecord | null; rows: readonly NoteRow[] }) {
  const shown = rows.slice(0, MOST);
  return (
    <div className={join(styles.scroll, styles.rows)}>
      <table className={styles.table}>
        <thead>
          <tr>
            {record && <th scope="col">Do it</th>}
            <th scope="col">Note</th>
            <th scope="col">Now</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            <tr
              data-stale={row.problem ? true : undefined}
              key={`${row.part} ${row.path} ${row.line} ${row.field} ${row.before} ${row.after}`}
            >
              {record && (
                <td className={styles.check}>
                  {rows.findIndex((other) => other.part === row.part) === at && <Check record={record} row={row} />}
                </td>
              )}
              <th scope="row">
                <Plain text={row.line === undefined ? row.path : `${row.path}:${row.line}`} />{' '}
                <small>{row.field}</small>
              </th>
              <td className={styles.now} data-none={row.before === null || undefined}>
                {row.before === null ? '–' : <Plain text={row.before} />}
              </td>
              <td className={styles.after} data-none={row.after === null || undefined}>
                {row.after === null ? '–' : <Plain text={row.after} />}
                {row.note && <small> ({row.note})</small>}
                {row.problem && (
                  <small className={styles.stale}>
                    Out of date: <Words text={row.problem} />
                  </small>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST && <p>And {rows.length - MOST} more rows, which belong to the checked ones.</p>}
    </div>
  );
}

function Check({ record, row }: { record: ActionRecord; row: NoteRow }) {
  const checked = useIsChecked(record, row.part);
  const decided = partDecision(record, row.part);
  const waits = record.state === 'awaiting_confirmation' && !decided;
  return (
    <input
      type="checkbox"
      aria-label={`Row ${row.part + 1}: ${row.path}`}
      checked={decided ? decided.decision === 'approve' : checked && !row.problem}
      disabled={!waits || row.problem !== undefined}
      onChange={() => toggleRow(record, row.part)}
    />
  );
}
