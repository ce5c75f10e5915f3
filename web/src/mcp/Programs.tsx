import { useRef, useState } from 'react';
import { basePath } from '../app/base';
import type { PaneProps } from '../frames/panes';
import { useArrival } from '../frames/useArrival';
import { NewGrant } from '../grants/NewGrant';
import { FOR_A_PROGRAM } from '../grants/words';
import { Sections } from '../settings/Sections';
import { CopyButton } from '../ui/CopyText';
import { Note } from '../ui/Note';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import { TextBlock } from '../ui/TextBlock';
import type { Status } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { httpWays, stdioWays, type Way } from './connect';
import styles from './Programs.module.css';
import { Servers } from './Servers';

/** How programs with a model of their own use this workspace: they ask, the Gate and you decide. */
export default function Programs({ tab }: PaneProps) {
  const { data, failure, loading, reload } = useResource<Status>('status');
  const page = useRef<HTMLDivElement>(null);
  useArrival(tab, () => page.current?.querySelector('h2'));
  return (
    <Page ref={page} title="Other programs">
      <Sections current="programs" />
      <Note>
        Claude Code, Codex and others that speak the Model Context Protocol (MCP) see Aside’s actions as tools. What
        they ask for goes through your rules; a change waits for your yes, is recorded and can be undone.
      </Note>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && (
        <section className={styles.part} aria-label="On this machine">
          <h3>On this machine</h3>
          <Note>The program starts Aside’s own command, which finds this server. No token is needed.</Note>
          <Ways ways={stdioWays(data.workspace)} />
        </section>
      )}
      <OverHttp />
      <Servers />
    </Page>
  );
}

/** With a token that ends, and that allows no more than was chosen. */
function OverHttp() {
  const [token, setToken] = useState<string | null>(null);
  const base = new URL(basePath || '/', location.href).href;
  return (
    <section className={styles.part} aria-label="Over HTTP, with a token of its own">
      <h3>Over HTTP, with a token of its own</h3>
      <Note>Each program gets its own grant: it allows no more than you choose, and ends when you revoke it.</Note>
      <NewGrant start={FOR_A_PROGRAM} onToken={setToken} />
      <Ways ways={httpWays(base, token)} />
    </section>
  );
}

function Ways({ ways }: { ways: readonly Way[] }) {
  return (
    <ul className={styles.ways}>
      {ways.map(({ name, lines }) => (
        <li key={name}>
          <p className={styles.name}>
            {name} <CopyButton text={lines} what={name} />
          </p>
          <TextBlock aria-label={name}>{lines}</TextBlock>
        </li>
      ))}
    </ul>
  );
}
