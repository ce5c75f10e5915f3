import { Plain } from '../actions/Plain';
import { openView } from '../frames/store';
import { Lead } from '../ui/Fold';
import type { McpServer } from '../wire/gen/types';
import styles from './NeedsYou.module.css';

/** Leads to each server whose tools have changed since they were trusted. */
export function ServersWaiting({ servers }: { servers: readonly McpServer[] }) {
  if (servers.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="MCP servers to review">
      {servers.map(({ name, changes }) => (
        <li key={name} className={styles.item} data-tone="warn">
          <Lead
            icon="hand"
            title={<Plain text={name} />}
            state="tools changed"
            onGo={() => openView({ kind: 'programs' })}
          >
            <span>
              {changes.length} {changes.length === 1 ? 'change' : 'changes'} since you trusted it; not used until you
              review it
            </span>
          </Lead>
        </li>
      ))}
    </ul>
  );
}
