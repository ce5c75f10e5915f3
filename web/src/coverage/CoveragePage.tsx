import { useMemo, useRef, useState } from 'react';
import page from '../../../docs/coverage.md?raw';
import type { PaneProps } from '../frames/panes';
import { useArrival } from '../frames/useArrival';
import { Input } from '../ui/Field';
import { Note } from '../ui/Note';
import { Page } from '../ui/Page';
import styles from './CoveragePage.module.css';
import { type CoverageRow, rowsOf, searched } from './rows';

const COMMANDS = rowsOf(page, 'commands');
const ROUTES = rowsOf(page, 'routes');

/** The action of each command and each writing route, or the reason for none. */
export default function CoveragePage({ tab }: PaneProps) {
  const [text, setText] = useState('');
  const element = useRef<HTMLDivElement>(null);
  useArrival(tab, () => element.current?.querySelector('h2'));
  const commands = useMemo(() => searched(COMMANDS, text), [text]);
  const routes = useMemo(() => searched(ROUTES, text), [text]);
  return (
    <Page ref={element} title="Coverage" width="rows">
      <Note>
        Whatever you can do here can be asked for as an action, by a sentence, a model, MCP or the command line. Where
        it can’t, the row says why.
      </Note>
      <Input
        type="search"
        aria-label="Search the coverage"
        placeholder="Search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Rows title="Commands" column="Command" rows={commands} />
      <Rows title="Routes that write" column="Route" rows={routes} />
      {commands.length + routes.length === 0 && <p role="status">No matches.</p>}
    </Page>
  );
}

function Rows({ title, column, rows }: { title: string; column: string; rows: readonly CoverageRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>
        {title} <small>{rows.length}</small>
      </h3>
      <table className={styles.rows}>
        <thead>
          <tr>
            <th scope="col">{column}</th>
            <th scope="col">Action, or the reason for none</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, id, actions, words }) => (
            <tr key={id || name}>
              <th scope="row">{name}</th>
              <td data-tone={actions.length > 0 ? 'ok' : 'quiet'}>
                {actions.length > 0 ? actions.map((action) => <code key={action}>{action}</code>) : words}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
