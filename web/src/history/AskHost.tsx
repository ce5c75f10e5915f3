import { useId, useState } from 'react';
import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { Field, Input } from '../ui/Field';
import { Problem } from '../ui/Note';
import type { Failure, HistoryClone, HistoryPull, HistoryPulled } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { pulledWords } from './changed';
import styles from './History.module.css';

interface AskHostProps {
  /** What the workspace is a clone of. */
  clone: HistoryClone | undefined;
  /** The repositories of which a host told. */
  repos: readonly string[];
}

const HOSTS = ['github.com', 'gitlab.com'];

/** Asks the host of a repository what became of its pull requests and runs, once the person lets that host be asked. */
export function AskHost({ clone, repos }: AskHostProps) {
  const [repo, setRepo] = useState(clone?.repo ?? repos[0] ?? '');
  const [host, setHost] = useState(clone?.host ?? 'github.com');
  const [asking, setAsking] = useState(false);
  const [pulled, setPulled] = useState<HistoryPulled | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const known = useId();
  const hosts = useId();
  const forget = () => {
    setPulled(null);
    setFailure(null);
  };
  const ask = async (allow: boolean) => {
    forget();
    setAsking(true);
    try {
      const body: HistoryPull = { repo: repo.trim(), host: host.trim(), allow };
      setPulled(await request<HistoryPulled>('POST', 'history/pull', body));
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setAsking(false);
    }
  };
  return (
    <form
      className={styles.ask}
      aria-label="Fetch from a host"
      onChange={forget}
      onSubmit={(event) => {
        event.preventDefault();
        void ask(false);
      }}
    >
      <div className={styles.filters}>
        <Field label="Repository on the host">
          {(id) => (
            <Input
              id={id}
              required
              list={known}
              spellCheck={false}
              placeholder="owner/name"
              value={repo}
              onChange={(event) => setRepo(event.target.value)}
            />
          )}
        </Field>
        <Field label="Host">
          {(id) => (
            <Input
              id={id}
              required
              list={hosts}
              spellCheck={false}
              value={host}
              onChange={(event) => setHost(event.target.value)}
            />
          )}
        </Field>
        <Options id={known} values={clone ? [clone.repo, ...repos] : repos} />
        <Options id={hosts} values={clone ? [clone.host, ...HOSTS] : HOSTS} />
        <Button look="primary" type="submit" disabled={asking}>
          {asking ? 'Fetching…' : 'Fetch'}
        </Button>
      </div>
      <div role="status" className={styles.quiet}>
        {pulled &&
          pulledWords(pulled).map((sentence) => (
            <p key={sentence}>
              <Plain text={sentence} />
            </p>
          ))}
      </div>
      {failure && <Problem failure={failure} />}
      {failure?.code === 'needs_consent' && (
        <p>
          <Button onClick={() => void ask(true)}>
            Always allow requests to {host.trim()}, with my token if there is one
          </Button>
        </p>
      )}
    </form>
  );
}

function Options({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {[...new Set(values)].map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
