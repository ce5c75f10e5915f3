import { useState } from 'react';
import { useSession } from '../app/session';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Field, Input } from '../ui/Field';
import { Problem } from '../ui/Note';
import type { Failure, Person } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import styles from './Chat.module.css';
import { renameMe } from './standings';

/** Changes the person's own name, as everybody reads it. */
export function YourName({ person, verb, onNamed }: { person: Person; verb: string; onNamed?(): void }) {
  const [name, setName] = useState(person.name);
  const [failure, setFailure] = useState<Failure | null>(null);
  const wanted = name.trim();
  const unchanged = wanted === person.name && person.named;
  const keep = async () => {
    try {
      await renameMe(wanted);
      setFailure(null);
      onNamed?.();
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <form
      className={styles.invite}
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
    >
      <Field label="Your name">
        {(id) => <Input id={id} value={name} maxLength={40} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Button type="submit" disabled={wanted === '' || unchanged} look={onNamed ? 'primary' : undefined}>
        {verb}
      </Button>
      {failure && <Problem failure={failure} />}
    </form>
  );
}

/** Asks a guest for their name when they come in for the first time. */
export function AskName() {
  const state = useSession((session) => session.state);
  const [later, setLater] = useState(false);
  const person = state.phase === 'open' ? state.session.person : null;
  if (!person || person.owner || person.named || later) return null;
  return (
    <Dialog title="How should others see you?" onClose={() => setLater(true)}>
      <div className={styles.dialog}>
        <p className={styles.note}>
          You are a guest in this workspace. Everybody here sees this name beside your cursor and your messages.
        </p>
        <YourName person={person} verb="Continue" onNamed={() => setLater(true)} />
      </div>
    </Dialog>
  );
}
