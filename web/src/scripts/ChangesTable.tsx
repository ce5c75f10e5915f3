import { useState } from 'react';
import { PreviewBody } from '../actions/ActionCard';
import { Plain } from '../actions/Plain';
import { Raw } from '../actions/Raw';
import { Warnings } from '../actions/Warnings';
import { openFile } from '../frames/store';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { Completeness, ScriptChange } from '../wire/gen/types';
import { byFile, type FileChanges } from './changes';
import styles from './ScriptRun.module.css';

/** Files that show before more are asked for. */
const MOST = 40;

/** The changes by the calls of a script, file by file. */
export function ChangesTable({ changes }: { changes: readonly ScriptChange[] }) {
  const [all, setAll] = useState(false);
  const groups = byFile(changes);
  const shown = all ? groups : groups.slice(0, MOST);
  if (changes.length === 0) return null;
  return (
    <>
      <table className={styles.table}>
        <colgroup>
          <col />
          <col className={styles.state} />
        </colgroup>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Change</th>
            <th scope="col">Preview</th>
          </tr>
        </thead>
        {shown.map((group) => (
          <Group key={group.path ?? ''} group={group} />
        ))}
      </table>
      {groups.length > shown.length && <Button onClick={() => setAll(true)}>Show all {groups.length} files</Button>}
    </>
  );
}

function Group({ group: { path, changes } }: { group: FileChanges }) {
  return (
    <tbody>
      <tr className={styles.file}>
        <th colSpan={2} scope="rowgroup">
          {path === null ? (
            'No file'
          ) : (
            <button type="button" className={styles.link} onClick={() => openFile(path)}>
              <Plain text={path} />
            </button>
          )}
          {changes.length > 1 && <span className={styles.meta}> {changes.length} changes</span>}
        </th>
      </tr>
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes are only added at the end.
        <Row key={index} change={change} />
      ))}
    </tbody>
  );
}

function Row({ change }: { change: ScriptChange }) {
  const { action_type, args, summary, completeness, preview, asks } = change;
  const [open, setOpen] = useState(false);
  return (
    <>
      <tr>
        <td>
          <button type="button" className={styles.change} aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name={open ? 'chevronDown' : 'chevronRight'} size={14} />
            <span>
              <Plain text={summary} /> <code className={styles.action}>{action_type}</code>
              {asks && <span className={styles.asks}> asks you</span>}
            </span>
          </button>
        </td>
        <td className={styles.kind} data-tone={completeness === 'full' ? 'ok' : 'warn'}>
          <span className={styles.completeness}>{WORDS[completeness]}</span>
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={2} className={styles.body}>
            {preview && <Warnings preview={preview} />}
            {preview && <PreviewBody record={null} preview={preview} whole />}
            <Raw name="Arguments" value={args} />
          </td>
        </tr>
      )}
    </>
  );
}

const WORDS: Record<Completeness, string> = { full: 'complete', partial: 'in part', opaque: 'not shown' };
