import { type FormEvent, useId, useState } from 'react';
import { Button } from '../ui/Button';
import { Input } from '../ui/Field';
import { signIn } from './session';
import styles from './TokenForm.module.css';

/** The field for the link or token that `aside` printed. */
export function TokenForm() {
  const [pasted, setPasted] = useState('');
  const [refused, setRefused] = useState(false);
  const field = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRefused(!(await signIn(pasted)));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor={field}>Link or token</label>
      <div className={styles.row}>
        <Input
          id={field}
          type="password"
          autoComplete="off"
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
          aria-invalid={refused}
          aria-describedby={refused ? `${field}-problem` : undefined}
        />
        <Button type="submit" look="primary" disabled={!pasted.trim()}>
          Open
        </Button>
      </div>
      {refused && (
        <p id={`${field}-problem`} role="alert">
          This link is not valid. Aside may print a new one each time it starts.
        </p>
      )}
    </form>
  );
}
