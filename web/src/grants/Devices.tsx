import { Plain } from '../actions/Plain';
import { ago } from '../threads/list';
import { announce } from '../ui/Announcer';
import { Icon } from '../ui/Icon';
import { Note } from '../ui/Note';
import { join } from '../ui/names';
import parts from '../ui/Parts.module.css';
import { ReadState } from '../ui/ReadState';
import { SureButton } from '../ui/SureButton';
import { toastFailure } from '../ui/Toast';
import type { Device, Devices as SignedIn } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate, useResource } from '../wire/resource';
import styles from './Grants.module.css';

const DEVICES = 'devices';

/** The browsers that are signed in as the owner, and the way to sign each out. */
export function Devices() {
  const { data, failure, loading, reload } = useResource<SignedIn>(DEVICES);
  return (
    <section className={styles.devices} aria-label="Signed-in browsers">
      <h3>Signed-in browsers</h3>
      <Note>
        A browser that opened Aside’s link stays signed in, also after Aside starts again, until you sign it out or it
        is not used for 30 days.
      </Note>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && (
        <ul className={parts.list} aria-label="Browsers">
          {data.devices.map((device) => (
            <Row key={device.id} device={device} mine={device.id === data.mine} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ device, mine }: { device: Device; mine: boolean }) {
  const { id, name, workspace, since, used } = device;
  return (
    <li className={join(parts.toned, styles.grant)} data-tone={mine ? 'ok' : 'quiet'}>
      <Icon name={mine ? 'check' : 'bar'} />
      <div className={styles.what}>
        <strong>
          <Plain text={name} />
          {mine && ' (this browser)'}
        </strong>
        <span>
          <Plain text={workspace} />
        </span>
        <Note>
          signed in {new Date(since).toLocaleDateString()} · {usedWords(used, Date.now())}
        </Note>
      </div>
      {!mine && <SureButton verb="Sign out" what={name} onSure={() => void signOut(id, name)} />}
    </li>
  );
}

function usedWords(used: number, now: number): string {
  const age = ago(used, now);
  return age === 'now' ? 'used just now' : `last used ${age} ago`;
}

async function signOut(id: string, name: string): Promise<void> {
  try {
    await request<string>('DELETE', `${DEVICES}/${encodeURIComponent(id)}`);
    announce(`Signed out: ${name}`);
  } catch (error) {
    toastFailure(failureOf(error));
  }
  invalidate(DEVICES);
}
