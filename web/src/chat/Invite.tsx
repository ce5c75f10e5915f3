import { useState } from 'react';
import { doAction } from '../app/actionFlow';
import { basePath } from '../app/base';
import { Button } from '../ui/Button';
import { CopyButton } from '../ui/CopyText';
import { Field, Input } from '../ui/Field';
import { Problem } from '../ui/Note';
import type { Failure, GuestLink, Submitted } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import styles from './Chat.module.css';

/** Invites a guest: the Gate asks first, then the link is shown once. */
export function Invite() {
  const [name, setName] = useState('');
  const [link, setLink] = useState<GuestLink | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const invite = async () => {
    try {
      const made = await linkFor(name.trim());
      if (made) setName('');
      if (made) setLink(made);
      setFailure(null);
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <>
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
          Create link…
        </Button>
        <p className={styles.note}>
          A guest can read and edit this folder’s files and chat about them. A guest can’t run commands, use models,
          change settings or answer approval requests.
        </p>
        {failure && <Problem failure={failure} />}
      </form>
      {link && <Link link={link} />}
    </>
  );
}

/** Makes the link of a new guest; null if the person said no, or the failure was shown. */
async function linkFor(name: string): Promise<GuestLink | null> {
  let done: Submitted | undefined;
  const action = { action_type: 'guest.invite', args: { name } };
  if (!(await doAction(action, { ended: (submitted) => (done = submitted) }))) return null;
  const outcome = done?.outcome;
  const id = outcome?.kind === 'done' ? (outcome.observation.data as { id?: string } | null)?.id : undefined;
  return id ? request<GuestLink>('POST', `people/${encodeURIComponent(id)}/link`) : null;
}

function Link({ link: { person, token } }: { link: GuestLink }) {
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
          Only this computer can reach Aside. To let others in, use a tunnel and start Aside with --allow-host and the
          tunnel’s name, or start it with --host.
        </p>
      )}
    </div>
  );
}
