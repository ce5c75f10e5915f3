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
    <Page ref={page} title="MCP">
      <Sections current="programs" />
      <Note>
        Clients of the Model Context Protocol (MCP), such as Claude Code and Codex, can use Aside’s actions as tools.
        Your permission rules apply: changes wait for your approval, are logged and can be undone.
      </Note>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && (
        <section className={styles.part} aria-label="Connect a client on this computer">
          <h3>Connect a client on this computer</h3>
          <Note>
            The client starts the <code>aside</code> command, which finds this server. No token is needed.
          </Note>
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
    <section className={styles.part} aria-label="Connect a client over HTTP">
      <h3>Connect a client over HTTP</h3>
      <Note>Each client gets its own grant. It allows only what you choose, until you revoke it.</Note>
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
