import { showSide } from '../side/modes';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import type { HistoryStanding } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { Advice } from './Advice';
import { Changes } from './Changes';
import { Dashboard } from './Dashboard';
import { Filters } from './Filters';
import styles from './History.module.css';
import './news';
import { Problems } from './Problems';
import { go, narrow, useShows } from './page';
import { PROGRAMS } from './programs';
import { SessionPage } from './SessionPage';
import { Sessions } from './Sessions';
import { SettingsForm } from './SettingsForm';
import { Skipped } from './Skipped';
import { requestQuery, TABS, type Tab, type Which } from './shows';

/** The person's AI coding history: what it cost, what was done in each session. Its URL says what of it is shown. */
export default function History() {
  const { data, loading, failure, reload } = useResource<HistoryStanding>('history');
  const { session } = useShows();
  return (
    <Page
      title="AI history"
      width="rows"
      tools={
        <Button icon="chat" onClick={() => showSide('history')}>
          Ask about history
        </Button>
      }
    >
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && <Standing standing={data} />}
      {data && data.files > 0 && session !== '' && (
        <SessionPage key={session} id={session} onBack={() => go({ session: '' })} onOpen={open} />
      )}
      {data && (session === '' || data.files === 0) && <Parts standing={data} />}
    </Page>
  );
}

const open = (session: string) => go({ session });

function Parts({ standing }: { standing: HistoryStanding }) {
  const shows = useShows();
  const { tab, which } = shows;
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const query = requestQuery(shows, timezone);
  const choose = (which: Which) => go({ which });
  const ofLogs = tab !== 'settings' && tab !== 'changes';
  return (
    <>
      <nav className={styles.tabs} aria-label="Sections of the history">
        {(Object.entries(TABS) as [Tab, string][]).map(([each, name]) => (
          <Button key={each} aria-pressed={tab === each} onClick={() => go({ tab: each })}>
            {name}
          </Button>
        ))}
      </nav>
      {tab === 'settings' && <SettingsForm standing={standing} />}
      {tab === 'changes' && <Changes standing={standing} which={which} timezone={timezone} onChoose={choose} />}
      {ofLogs && standing.files === 0 && <Nothing reading={standing.reading} />}
      {ofLogs && standing.files > 0 && (
        <>
          {tab !== 'advice' && <Filters shows={shows} timezone={timezone} onChoose={choose} onType={narrow} />}
          {tab === 'costs' && <Dashboard query={query} onChoose={(part) => choose({ ...which, ...part })} />}
          {tab === 'sessions' && <Sessions query={query} onOpen={open} />}
          {tab === 'advice' && <Advice onOpen={open} />}
        </>
      )}
    </>
  );
}

function Standing({ standing }: { standing: HistoryStanding }) {
  const { reading, problem, problems, texts_left, files, skipped } = standing;
  const told = [
    ...(reading ? ['Reading logs. Results so far are shown.'] : []),
    ...(texts_left > 0 && files > 0 ? [`${texts_left.toLocaleString('en')} messages are not searchable yet.`] : []),
  ];
  return (
    <>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {told.length > 0 && <p className={styles.quiet}>{told.join(' ')}</p>}
      {problems > 0 && <Problems count={problems} />}
      {skipped.length > 0 && <Skipped kinds={skipped} />}
    </>
  );
}

const LOGS_OF = PROGRAMS.filter(([id]) => id !== 'aside')
  .map(([, name]) => name)
  .join(', ');

function Nothing({ reading }: { reading: boolean }) {
  return (
    <Notice icon="clock" title={reading ? 'Reading logs' : 'No logs of AI coding programs found'}>
      <p>Aside looks for logs of {LOGS_OF}. They never leave this computer.</p>
    </Notice>
  );
}
