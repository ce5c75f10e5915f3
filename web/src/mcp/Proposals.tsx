import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { Note } from '../ui/Note';
import parts from '../ui/Parts.module.css';
import { ReadState } from '../ui/ReadState';
import { sentence } from '../ui/sentence';
import { TextBlock } from '../ui/TextBlock';
import type { McpProposal, McpProposals } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './Programs.module.css';
import { changeServers, PROPOSALS } from './store';
import { launchFacts, launchWords } from './words';

/** Servers that files of this folder name: shown, and never started by themselves. Nothing if there are none. */
export function Proposals() {
  const { data, failure, loading, reload } = useResource<McpProposals>(PROPOSALS);
  if (failure) return <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />;
  if (!data || data.proposals.length + data.problems.length === 0) return null;
  return (
    <section className={styles.part} aria-label="Proposed by files in this folder">
      <h4>Proposed by files in this folder</h4>
      <Note>Files in this folder ask for these servers. None runs until you add it.</Note>
      <ul className={parts.list} aria-label="Proposed servers">
        {data.proposals.map((proposal) => (
          <Proposal key={`${proposal.file} ${proposal.given}`} proposal={proposal} />
        ))}
      </ul>
      {data.problems.map((problem) => (
        <Note key={problem}>
          <Plain text={sentence(problem)} />
        </Note>
      ))}
    </section>
  );
}

function Proposal({ proposal: { name, given, file, launch, problems } }: { proposal: McpProposal }) {
  return (
    <li className={styles.proposal} data-tone="quiet">
      <p>
        <strong>
          <Plain text={given} />
        </strong>{' '}
        in <code>{file}</code>
      </p>
      {launch && (
        <TextBlock aria-label={`Proposed connection of ${name}`}>
          <Plain text={[launchWords(launch), ...launchFacts(launch)].join('\n')} />
        </TextBlock>
      )}
      {problems.map((problem) => (
        <Note key={problem}>
          <Plain text={sentence(problem)} />
        </Note>
      ))}
      {launch && (
        <div className={parts.buttons}>
          <Button
            aria-label={`Add ${name}…`}
            onClick={() => void changeServers('mcp.add', { name, launch }, `Added ${name}`)}
          >
            Add…
          </Button>
        </div>
      )}
    </li>
  );
}
