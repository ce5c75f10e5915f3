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
    <section className={styles.part} aria-label="MCP servers">
      <h3>MCP servers</h3>
      <Note>
        The tools of an MCP server become actions in Aside. You approve every use until you review the tools. If they
        change, review them again before use.
      </Note>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data?.length === 0 && <Note>No MCP servers yet.</Note>}
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
