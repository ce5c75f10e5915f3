import { useState } from 'react';
import { useIsGuest } from '../side/modes';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { SureButton } from '../ui/SureButton';
import { toastFailure } from '../ui/Toast';
import type { Person, PersonHere } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import styles from './Chat.module.css';
import { Invite } from './Invite';
import { usePeople, useStandings } from './standings';
import { YourName } from './YourName';

/** Who is here, and the way to let others in. */
export function People() {
  const people = usePeople();
  const me = useStandings((state) => state.me);
  const [open, setOpen] = useState(false);
  const here = people.filter((each) => each.here && each.person.id !== me).map(({ person }) => titled(person));
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
  const me = useStandings((state) => state.me);
  const mine = people.find(({ person }) => person.id === me)?.person;
  return (
    <Dialog title="People" onClose={onClose}>
      <div className={styles.dialog}>
        <ul className={styles.persons}>
          {people.map((each) => (
            <PersonRow key={each.person.id} of={each} removable={!guest && !each.person.owner} />
          ))}
        </ul>
        {mine && <YourName key={mine.name} person={mine} verb="Change name" />}
        {!guest && <Invite />}
      </div>
    </Dialog>
  );
}

/** A name with the part that its person has here: the owner is told apart from guests. */
function titled(person: Person): string {
  return person.owner ? `${person.name} (owner)` : person.name;
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
