import { Note } from '../ui/Note';
import parts from '../ui/Parts.module.css';
import { ReadState } from '../ui/ReadState';
import type { McpServer } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { AddServer } from './AddServer';
import styles from './Programs.module.css';
import { Proposals } from './Proposals';
import { Server } from './Server';
import { SERVERS, useFreshServers } from './store';

/** The servers whose tools are actions here, and where each stands with the person. */
export function Servers() {
  const { data, failure, loading, reload } = useResource<McpServer[]>(SERVERS);
  useFreshServers(data);
  return (
    <section className={styles.part} aria-label="Servers of tools">
      <h3>Servers of tools</h3>
      <Note>
        The other way round: the tools of another program become actions here. Until you have looked at its list each
        use asks you; when the list changes, none can be used until you look again.
      </Note>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data?.length === 0 && <Note>There are none yet.</Note>}
      {data && data.length > 0 && (
        <ul className={parts.list} aria-label="Added servers">
          {data.map((server) => (
            <Server key={server.name} server={server} />
          ))}
        </ul>
      )}
      <AddServer />
      <Proposals />
    </section>
  );
}
