import type { ReactNode } from 'react';
import { Plain } from '../actions/Plain';
import { Field, Select } from '../ui/Field';
import { join } from '../ui/names';
import { ReadState } from '../ui/ReadState';
import type {
  HistoryPullRequest,
  HistoryPullRequests,
  HistoryRun,
  HistoryRuns,
  HistoryStanding,
} from '../wire/gen/types';
import { AskHost } from './AskHost';
import { Scroll } from './Charts';
import { REVIEWS, RUN_STATUSES, STATES, wordFor } from './changed';
import { Time } from './Filters';
import styles from './History.module.css';
import { when } from './numbers';
import { usePages } from './Pages';
import { changesQuery, type Which } from './shows';

const PAGE = 50;

interface ChangesProps {
  standing: HistoryStanding;
  which: Which;
  timezone: string;
  onChoose(which: Which): void;
}

/** What became of pull requests and runs, as their hosts told. */
export function Changes({ standing: { repos, clone }, which, timezone, onChoose }: ChangesProps) {
  const choose = (part: Partial<Which>) => onChoose({ ...which, ...part });
  return (
    <>
      <AskHost clone={clone} repos={repos} />
      {repos.length === 0 ? (
        <p className={styles.quiet}>No pull requests or runs yet. Fetch them from their host.</p>
      ) : (
        <>
          <search className={styles.filters}>
            <Time which={which} onChoose={choose} />
            <Choice
              label="Repository"
              value={which.repo}
              words={[['', 'all repositories'], ...repos.map((repo) => [repo, repo] as const)]}
              onChoose={(repo) => choose({ repo })}
            />
            <Choice label="Pull requests" value={which.state} words={STATES} onChoose={(state) => choose({ state })} />
            <Choice label="Runs" value={which.status} words={RUN_STATUSES} onChoose={(status) => choose({ status })} />
          </search>
          <PullRequests query={changesQuery(which, which.state, timezone)} />
          <Runs query={changesQuery(which, which.status, timezone)} />
        </>
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  words: readonly (readonly [string, string])[];
  onChoose(value: string): void;
}

function Choice({ label, value, words, onChoose }: ChoiceProps) {
  return (
    <Field label={label}>
      {(id) => (
        <Select id={id} value={value} onChange={(event) => onChoose(event.target.value)}>
          {words.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function PullRequests({ query }: { query: string }) {
  const { data, ...read } = usePages<HistoryPullRequests>(`history/pulls?${query}`, PAGE, ['Newer', 'Older']);
  return (
    <Listed name="Pull requests" columns={['Repository', 'State', 'Reviews', 'Author', 'When']} read={read}>
      {data?.pulls.map((pull) => (
        <PullRequest key={`${pull.provider} ${pull.repo} ${pull.number}`} pull={pull} />
      ))}
    </Listed>
  );
}

function PullRequest({
  pull: { repo, number, title, state, reverted, review, author, at, page },
}: {
  pull: HistoryPullRequest;
}) {
  return (
    <tr>
      <th scope="row">
        <Linked page={page}>
          #{number} <Plain text={title} />
        </Linked>
      </th>
      <td>{repo}</td>
      <td>{reverted ? `${state}, reverted` : state}</td>
      <td>{wordFor(REVIEWS, review)}</td>
      <td>
        <Plain text={author ?? ''} />
      </td>
      <td>{when(at)}</td>
    </tr>
  );
}

function Runs({ query }: { query: string }) {
  const { data, ...read } = usePages<HistoryRuns>(`history/runs?${query}`, PAGE, ['Newer', 'Older']);
  return (
    <Listed name="Runs" columns={['Repository', 'Commit', 'Status', 'Started', 'Finished']} read={read}>
      {data?.runs.map((run) => (
        <Run key={`${run.provider} ${run.repo} ${run.id}`} run={run} />
      ))}
    </Listed>
  );
}

function Run({ run: { repo, id, commit, status, workflow, started, completed, page } }: { run: HistoryRun }) {
  return (
    <tr>
      <th scope="row">
        <Linked page={page}>
          <Plain text={workflow ?? id} />
        </Linked>
      </th>
      <td>{repo}</td>
      <td>{commit && <code title={commit}>{commit.slice(0, 9)}</code>}</td>
      <td>{wordFor(RUN_STATUSES, status)}</td>
      <td>{when(started)}</td>
      <td>{completed === undefined ? '' : when(completed)}</td>
    </tr>
  );
}

interface ListedProps {
  name: string;
  /** After the first, which is what it is a list of. */
  columns: readonly string[];
  read: Pick<ReturnType<typeof usePages>, 'loading' | 'failure' | 'reload' | 'buttons'>;
  /** Its rows; absent while it was not read. */
  children: readonly ReactNode[] | undefined;
}

/** A table of which a page is read. */
function Listed({ name, columns, read: { loading, failure, reload, buttons }, children }: ListedProps) {
  return (
    <div>
      <h3>{name}</h3>
      <ReadState shown={children !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {children?.length === 0 && <p className={styles.quiet}>No matching {name.toLowerCase()}.</p>}
      {children && children.length > 0 && (
        <Scroll label={`${name}, as a table`}>
          <table className={join(styles.table, styles.words)}>
            <thead>
              <tr>
                {[name, ...columns].map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{children}</tbody>
          </table>
        </Scroll>
      )}
      {buttons}
    </div>
  );
}

/** The host's own page of something, if it has one. */
function Linked({ page, children }: { page: string | undefined; children: ReactNode }) {
  if (page === undefined) return children;
  return (
    <a href={page} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
