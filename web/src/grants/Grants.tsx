import { useRef } from 'react';
import { Plain } from '../actions/Plain';
import { untilWords } from '../actions/until';
import type { PaneProps } from '../frames/panes';
import { useArrival } from '../frames/useArrival';
import { Sections } from '../settings/Sections';
import { ago } from '../threads/list';
import { announce } from '../ui/Announcer';
import { Icon } from '../ui/Icon';
import { Note } from '../ui/Note';
import { join } from '../ui/names';
import { Page } from '../ui/Page';
import parts from '../ui/Parts.module.css';
import { ReadState } from '../ui/ReadState';
import { SureButton } from '../ui/SureButton';
import { toastFailure } from '../ui/Toast';
import type { GrantRecord } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { useResource } from '../wire/resource';
import { Devices } from './Devices';
import styles from './Grants.module.css';
import { NewGrant } from './NewGrant';
import { GRANTS, revokeGrant } from './store';
import { coversWords, standing } from './words';

/** Who else may do what here: programs and scripts with a token each, and the end of it. */
export default function Grants({ tab }: PaneProps) {
  const { data, failure, loading, reload } = useResource<GrantRecord[]>(GRANTS);
  const page = useRef<HTMLDivElement>(null);
  useArrival(tab, () => page.current?.querySelector('h2'));
  const now = Date.now();
  const holding = data?.filter((record) => standing(record, now) === 'holds') ?? [];
  const over = data?.filter((record) => standing(record, now) !== 'holds') ?? [];
  return (
    <Page ref={page} title="Access tokens">
      <Sections current="grants" />
      <Note>
        A grant lets a program or script act here with its own token. It allows only what you choose, your permission
        rules still apply, and you can revoke it at any time.
      </Note>
      <NewGrant />
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && holding.length === 0 && <Note>No active grants. Only you and your assistant can act here.</Note>}
      <List name="Active grants" records={holding} now={now} />
      {over.length > 0 && (
        <section className={styles.over} aria-label="Expired">
          <h3>Expired</h3>
          <List name="Expired grants" records={over} now={now} />
        </section>
      )}
      <Devices />
    </Page>
  );
}

function List({ name, records, now }: { name: string; records: readonly GrantRecord[]; now: number }) {
  if (records.length === 0) return null;
  return (
    <ul className={parts.list} aria-label={name}>
      {records.map((record) => (
        <Row key={record.grant.id ?? record.created} record={record} now={now} />
      ))}
    </ul>
  );
}

function Row({ record, now }: { record: GrantRecord; now: number }) {
  const { grant, by, created, token } = record;
  const holds = standing(record, now) === 'holds';
  return (
    <li className={join(parts.toned, styles.grant)} data-tone={holds ? 'ok' : 'quiet'}>
      <Icon name={holds ? 'check' : 'bar'} />
      <div className={styles.what}>
        <strong>
          <Plain text={grant.name} />
        </strong>
        <span>
          <Plain text={coversWords(grant)} />
        </span>
        <Note>
          {endWords(record, now)} · created by <Plain text={by} />, {new Date(created).toLocaleDateString()}
          {token && (
            <>
              {' '}
              · token <code>{token.start}…</code>, {usedWords(token.last_used, now)}
            </>
          )}
        </Note>
      </div>
      {holds && grant.id && <Revoke id={grant.id} name={grant.name} />}
    </li>
  );
}

function endWords({ grant, revoked }: GrantRecord, now: number): string {
  if (revoked !== null) return `revoked ${new Date(revoked).toLocaleString()}`;
  if (typeof grant.expires !== 'number') return 'valid until revoked';
  return grant.expires > now ? untilWords(grant.expires, now) : `expired ${new Date(grant.expires).toLocaleString()}`;
}

function usedWords(at: number | null, now: number): string {
  if (at === null) return 'never used';
  const age = ago(at, now);
  return age === 'now' ? 'used just now' : `last used ${age} ago`;
}

function Revoke({ id, name }: { id: string; name: string }) {
  return <SureButton verb="Revoke" what={name} onSure={() => void revoke(id, name)} />;
}

async function revoke(id: string, name: string): Promise<void> {
  try {
    await revokeGrant(id);
    announce(`Revoked: ${name}`);
  } catch (error) {
    toastFailure(failureOf(error));
  }
}
