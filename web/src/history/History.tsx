import { useState } from 'react';
import { showSide } from '../side/modes';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { Page } from '../ui/Page';
import { ReadState } from '../ui/ReadState';
import type { HistoryStanding } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { Advice } from './Advice';
import { Dashboard } from './Dashboard';
import { Filters, type Which } from './Filters';
import styles from './History.module.css';
import './news';
import { Problems } from './Problems';
import { SessionPage } from './SessionPage';
import { Sessions } from './Sessions';
import { SettingsForm } from './SettingsForm';

type Tab = 'costs' | 'sessions' | 'advice' | 'settings';

const TABS: { tab: Tab; name: string }[] = [
  { tab: 'costs', name: 'Costs' },
  { tab: 'sessions', name: 'Sessions' },
  { tab: 'advice', name: 'Recommendations' },
  { tab: 'settings', name: 'Settings' },
];

/** The person's AI coding history: what it cost, what was done in each session. */
export default function History() {
  const { data, loading, failure, reload } = useResource<HistoryStanding>('history');
  const [tab, setTab] = useState<Tab>('costs');
  const [which, setWhich] = useState<Which>({ since: '30d' });
  const [session, setSession] = useState<string | null>(null);
  const query = new URLSearchParams({ ...which, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  if (tab !== 'sessions') query.delete('query');
  return (
    <Page
      title="AI history"
      width="rows"
      tools={
        <Button icon="chat" onClick={() => showSide('history')}>
          Ask about it
        </Button>
      }
    >
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data && <Standing standing={data} />}
      {data && data.files > 0 && session !== null && (
        <SessionPage key={session} id={session} onBack={() => setSession(null)} onOpen={setSession} />
      )}
      {data && session === null && (
        <>
          <nav className={styles.tabs} aria-label="Parts of the history">
            {TABS.map((each) => (
              <Button key={each.tab} aria-pressed={tab === each.tab} onClick={() => setTab(each.tab)}>
                {each.name}
              </Button>
            ))}
          </nav>
          {tab === 'settings' && <SettingsForm standing={data} />}
          {tab !== 'settings' && data.files === 0 && <Nothing reading={data.reading} />}
          {tab !== 'settings' && data.files > 0 && (
            <>
              {tab !== 'advice' && <Filters which={which} onChange={setWhich} searches={tab === 'sessions'} />}
              {tab === 'costs' && <Dashboard query={`${query}`} />}
              {tab === 'sessions' && <Sessions query={`${query}`} onOpen={setSession} />}
              {tab === 'advice' && <Advice onOpen={setSession} />}
            </>
          )}
        </>
      )}
    </Page>
  );
}

function Standing({ standing: { reading, problem, problems, texts_left, files } }: { standing: HistoryStanding }) {
  const told = [
    ...(reading ? ['Logs are being read; what is there so far is shown.'] : []),
    ...(texts_left > 0 && files > 0 ? [`${texts_left.toLocaleString('en')} messages can’t be searched yet.`] : []),
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
    </>
  );
}

function Nothing({ reading }: { reading: boolean }) {
  return (
    <Notice icon="clock" title={reading ? 'Logs are being read' : 'No logs of AI coding programs were found'}>
      <p>
        They are looked for where Claude Code, Codex, Cursor, Gemini CLI, opencode, Copilot CLI, Cline, Roo Code, Kilo
        Code, Qwen Code, pi, Amp, Goose, Continue and Aider keep them. Nothing of them leaves this machine.
      </p>
    </Notice>
  );
}
