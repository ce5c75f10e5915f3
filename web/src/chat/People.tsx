import { useState } from 'react';
import { basePath } from '../app/base';
import { useIsGuest } from '../side/modes';
import { Button } from '../ui/Button';
import { CopyButton } from '../ui/CopyText';
import { Dialog } from '../ui/Dialog';
import { Field, Input } from '../ui/Field';
import { Problem } from '../ui/Note';
import { SureButton } from '../ui/SureButton';
import { toastFailure } from '../ui/Toast';
import type { Failure, Invited, InvitePerson, Person, PersonHere } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import styles from './Chat.module.css';
import { usePeople, useStandings } from './standings';

/** Who is here, and the way to let others in. */
export function People() {
  const people = usePeople();
  const me = useStandings((state) => state.me);
  const [open, setOpen] = useState(false);
  const here = people.filter((each) => each.here && each.person.id !== me).map(({ person }) => person.name);
  return (
    <>
      <span className={styles.people} title={here.join(', ')}>
        {here.length === 0 ? 'Only you are here' : `Here: you, ${here.join(', ')}`}
      </span>
      <Button look="quiet" onClick={() => setOpen(true)}>
        People
      </Button>
      {open && <PeopleDialog people={people} onClose={() => setOpen(false)} />}
    </>
  );
}

function PeopleDialog({ people, onClose }: { people: readonly PersonHere[]; onClose(): void }) {
  const guest = useIsGuest();
  const [invited, setInvited] = useState<Invited | null>(null);
  return (
    <Dialog title="People" onClose={onClose}>
      <div className={styles.dialog}>
        <ul className={styles.persons}>
          {people.map((each) => (
            <PersonRow key={each.person.id} of={each} removable={!guest && !each.person.owner} />
          ))}
        </ul>
        {!guest && <Invite onInvited={setInvited} />}
        {invited && <Link invited={invited} />}
      </div>
    </Dialog>
  );
}

function PersonRow({ of: { person, here }, removable }: { of: PersonHere; removable: boolean }) {
  const me = useStandings((state) => state.me);
  const remove = () =>
    void request<Person>('DELETE', `people/${person.id}`).catch((error) => toastFailure(failureOf(error)));
  return (
    <li className={styles.person}>
      <strong>{person.name}</strong>
      <span className={styles.role}>
        {person.owner ? 'owner' : 'guest'}
        {person.id === me && ', you'}
        {here && ' · here'}
      </span>
      {removable && <SureButton verb="Remove" what={person.name} onSure={remove} />}
    </li>
  );
}

function Invite({ onInvited }: { onInvited(invited: Invited): void }) {
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const invite = async () => {
    try {
      onInvited(await request<Invited>('POST', 'people/invited', { name } satisfies InvitePerson));
      setName('');
      setFailure(null);
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <form
      className={styles.invite}
      onSubmit={(event) => {
        event.preventDefault();
        void invite();
      }}
    >
      <Field label="Name of the guest">
        {(id) => <Input id={id} value={name} maxLength={40} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Button type="submit" look="primary" disabled={name.trim() === ''}>
        Create link
      </Button>
      <p className={styles.note}>
        A guest can read and edit this folder’s files and chat about them. A guest can’t run commands, use models,
        change settings or answer approval requests.
      </p>
      {failure && <Problem failure={failure} />}
    </form>
  );
}

function Link({ invited: { person, token } }: { invited: Invited }) {
  const link = `${location.origin}${basePath}#token=${token}`;
  const local = /^(localhost|127\.|\[::1\])/.test(location.host);
  return (
    <div className={styles.link} role="status">
      <p>
        Link for <strong>{person.name}</strong>, shown only once. Anyone with this link can act as {person.name} until
        you remove them.
      </p>
      <code>{link}</code>
      <CopyButton text={link} what={`the link for ${person.name}`} shown="Copy link" />
      {local && (
        <p className={styles.note}>
          Only this computer can reach Aside. To let others in, use a tunnel or start Aside with --host.
        </p>
      )}
    </div>
  );
}
