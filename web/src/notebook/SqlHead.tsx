import { useId, useState } from 'react';
import { Icon } from '../ui/Icon';
import { metadataOf, setMetadata } from './cells';
import { useCell } from './observed';
import styles from './Sql.module.css';
import { type SqlCell, sqlOf, withSql } from './sql';
import { useNotebook } from './view';

/** Above an SQL cell: what is asked, and the variable that holds what comes. */
export default function SqlHead({ cellKey }: { cellKey: string }) {
  const view = useNotebook();
  const ours = useCell(view.observed, cellKey, (doc, key) => metadataOf(doc, key, 'aside'));
  const sql = sqlOf(ours);
  const say = (change: Partial<SqlCell>) => {
    const { doc } = view.observed;
    setMetadata(doc, cellKey, 'aside', withSql(metadataOf(doc, cellKey, 'aside'), { ...sql, ...change }));
  };
  return (
    <div className={styles.head}>
      <Icon name="fileData" size={12} />
      <span>SQL</span>
      <Field
        label="Database"
        hint="Data frames in the kernel, or a database file such as data.db"
        placeholder="data frames"
        value={sql.connection}
        onChange={(connection) => say({ connection })}
      />
      <Field
        label="into"
        hint="Variable for the result; leave empty for none"
        placeholder="no variable"
        value={sql.result}
        onChange={(result) => say({ result })}
      />
    </div>
  );
}

interface FieldProps {
  label: string;
  hint: string;
  placeholder: string;
  value: string;
  onChange(value: string): void;
}

/** Says its value when it is left, or at Enter; Escape takes back what was typed. */
function Field({ label, hint, placeholder, value, onChange }: FieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const end = () => {
    if (typed !== null && typed.trim() !== value) onChange(typed.trim());
    setTyped(null);
  };
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        title={hint}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        value={typed ?? value}
        size={Math.max(12, (typed ?? value).length)}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={end}
        onKeyDown={(event) => {
          // The keys of the notebook are not meant here.
          event.stopPropagation();
          if (event.key === 'Enter') end();
          if (event.key === 'Escape') setTyped(null);
        }}
      />
    </>
  );
}
