import { Plain } from '../actions/Plain';
import { CopyButton } from '../ui/CopyText';
import { ReadState } from '../ui/ReadState';
import type { HistoryAdvice, HistoryCheaper, HistorySkill } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { Evidence } from './Evidence';
import styles from './History.module.css';
import { money } from './numbers';

interface AdviceProps {
  onOpen(session: string): void;
}

/** What past sessions speak for: cheaper models, and habits that are worth writing down. Each with the sessions that it rests on. */
export function Advice({ onOpen }: AdviceProps) {
  const { data, loading, failure, reload } = useResource<HistoryAdvice>('history/advice');
  return (
    <>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && (
        <>
          <section aria-labelledby="history-models">
            <h3 id="history-models">Cheaper models</h3>
            {data.models.length === 0 && (
              <p className={styles.quiet}>
                No recommendations yet. They need several similar sessions with different models.
              </p>
            )}
            <ul className={styles.advice}>
              {data.models.map((one) => (
                <Cheaper key={one.task} one={one} onOpen={onOpen} />
              ))}
            </ul>
          </section>
          <section aria-labelledby="history-skills">
            <h3 id="history-skills">Suggested skills for this folder</h3>
            {data.skills.length === 0 && (
              <p className={styles.quiet}>
                No suggestions yet. They need the same command or correction in three sessions.
              </p>
            )}
            <ul className={styles.advice}>
              {data.skills.map((one) => (
                <Skill key={one.name + one.description} one={one} onOpen={onOpen} />
              ))}
            </ul>
          </section>
        </>
      )}
    </>
  );
}

function Cheaper({ one, onOpen }: { one: HistoryCheaper; onOpen(session: string): void }) {
  return (
    <li>
      <strong>
        <Plain text={one.cheaper} />
      </strong>{' '}
      instead of <Plain text={one.current} /> for tasks like “{one.task}”: {money(one.cheaper_dollars)} instead of{' '}
      {money(one.current_dollars)} per session, with no more failures. Based on {one.sessions} sessions
      {one.evidence.length > 0 ? ', such as' : '.'}
      <Evidence places={one.evidence} onOpen={onOpen} />
    </li>
  );
}

function Skill({ one, onOpen }: { one: HistorySkill; onOpen(session: string): void }) {
  return (
    <li>
      <strong>
        <Plain text={one.description} />
      </strong>{' '}
      Seen in {one.sessions} sessions{one.evidence.length > 0 ? ', such as' : '.'}
      <Evidence places={one.evidence} onOpen={onOpen} />
      <details>
        <summary>
          Command to save this as the skill <code>{one.name}</code>
        </summary>
        <pre className={styles.command}>
          <Plain text={one.command} />
        </pre>
        <CopyButton text={one.command} what={`the command for ${one.name}`} />
      </details>
    </li>
  );
}
