import { useState } from 'react';
import { Plain } from '../actions/Plain';
import { Diff } from '../actions/previews/Diff';
import { Button } from '../ui/Button';
import { Fold } from '../ui/Fold';
import { Note, Problem } from '../ui/Note';
import { join } from '../ui/names';
import parts from '../ui/Parts.module.css';
import { sentence } from '../ui/sentence';
import { TextBlock } from '../ui/TextBlock';
import type { McpServer } from '../wire/gen/types';
import { diffOf } from './changes';
import styles from './Programs.module.css';
import { changeServers } from './store';
import { Tool } from './Tool';
import { Trust } from './Trust';
import { launchFacts, launchWords, reachWords, standOf } from './words';

/** One server: how it is reached, how it stands, its tools, and what can be done about it. */
export function Server({ server }: { server: McpServer }) {
  const { name, state, tools } = server;
  const [open, setOpen] = useState(state === 'changed');
  const stand = standOf(server);
  return (
    <li className={join(parts.toned, styles.server)} data-tone={stand.tone}>
      <Fold icon={stand.icon} title={name} state={stand.word} open={open} onToggle={() => setOpen(!open)}>
        <span>{tools.length === 1 ? '1 tool' : `${tools.length} tools`}</span>
        <span>{reachWords(server)}</span>
      </Fold>
      {open && (
        <div className={styles.body}>
          <Reached server={server} />
          <Difference server={server} />
          <Buttons server={server} />
          {tools.length > 0 && (
            <ul className={parts.list} aria-label={`Tools of ${name}`}>
              {tools.map((tool) => (
                <Tool key={tool.action} tool={tool} />
              ))}
            </ul>
          )}
        </div>
      )}
    </li>
  );
}

/** How it is reached, and why it could not be. */
function Reached({ server: { name, launch, failure, problems, said } }: { server: McpServer }) {
  return (
    <>
      <TextBlock aria-label={`How ${name} connects`}>
        <Plain text={[launchWords(launch), ...launchFacts(launch)].join('\n')} />
      </TextBlock>
      {failure && <Problem failure={{ message: failure }} />}
      {said.length > 0 && (
        <details className={styles.said}>
          <summary>Recent output</summary>
          <TextBlock aria-label={`Recent output of ${name}`}>
            <Plain text={said.join('\n')} />
          </TextBlock>
        </details>
      )}
      {problems.map((problem) => (
        <Note key={problem}>
          <Plain text={sentence(problem)} />
        </Note>
      ))}
    </>
  );
}

/** What is different from the list that was looked at. */
function Difference({ server: { name, changes, trusted_by, trusted } }: { server: McpServer }) {
  if (changes.length === 0) return null;
  return (
    <section className={styles.part} aria-label={`Changes in ${name}`}>
      <p>
        Changes since {trusted_by ?? 'someone'} reviewed the tools
        {trusted !== undefined && ` on ${new Date(trusted).toLocaleDateString()}`}:
      </p>
      <Diff record={null} files={changes.map(diffOf)} />
    </section>
  );
}

function Buttons({ server }: { server: McpServer }) {
  const { name, state, hash, tools, failure, running, started_by_hand } = server;
  const [looking, setLooking] = useState(false);
  const [busy, setBusy] = useState(false);
  const change = async (action: string, args: object, done: string) => {
    setBusy(true);
    await changeServers(action, { name, ...args }, done);
    setBusy(false);
  };
  return (
    <div className={parts.buttons}>
      {hash && tools.length > 0 && (
        <Button look={state === 'trusted' ? 'plain' : 'primary'} disabled={busy} onClick={() => setLooking(true)}>
          {state === 'trusted' ? 'Change tool permissions…' : 'Review tools…'}
        </Button>
      )}
      {state === 'trusted' && (
        <Button
          disabled={busy}
          onClick={() => void change('mcp.distrust', {}, `Each use of ${name} needs your approval`)}
        >
          Revoke trust
        </Button>
      )}
      <Button
        look={failure ? 'primary' : 'plain'}
        disabled={busy}
        onClick={() => void change('mcp.reconnect', {}, `Connected to ${name}`)}
      >
        {failure ? 'Retry' : running ? 'Restart' : 'Start'}
        {started_by_hand && '…'}
      </Button>
      <Button disabled={busy} onClick={() => void change('mcp.remove', {}, `Removed ${name}`)}>
        Remove…
      </Button>
      {looking && hash && (
        <Trust
          server={server}
          onClose={() => setLooking(false)}
          onChosen={(choices) => {
            setLooking(false);
            void change('mcp.trust', { hash, tools: choices }, `Trusted the tools of ${name}`);
          }}
        />
      )}
    </div>
  );
}
