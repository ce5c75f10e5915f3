import { lazy, Suspense, useEffect, useId } from 'react';
import { Plain } from '../actions/Plain';
import { useSession } from '../app/session';
import { readLevel, useAiLevel, useLevelFailure } from '../assistant/level';
import { NoHistoryAnswers } from '../assistant/Restricted';
import { openView } from '../frames/store';
import { useModels } from '../models/store';
import { HISTORY, setDraft, useDrafts } from '../threads/drafts';
import { Button, IconButton } from '../ui/Button';
import { Check, Select, TextArea } from '../ui/Field';
import { ReadState } from '../ui/ReadState';
import { useEnd } from '../ui/useEnd';
import type { Models } from '../wire/gen/types';
import {
  type Asked,
  callsTools,
  chosenModel,
  type Exchange,
  evidenceOf,
  type LocalModel,
  state,
  summary,
} from './answers';
import { Evidence } from './Evidence';
import { folderName } from './numbers';
import { openSession } from './page';
import styles from './Sidebar.module.css';
import { ask, forgetTalk, newTalk, showTalk, stopAnswer, useTalks } from './talks';

const Markdown = lazy(() => import('../markdown/Markdown'));

/** Asks a model of this machine about the person's AI coding history. */
export default function Sidebar() {
  const { talks, current } = useTalks();
  const workspace = useSession((session) => (session.state.phase === 'open' ? session.state.session.workspace : ''));
  const talk = talks.find(({ id }) => id === current);
  const running = talk?.exchanges.at(-1)?.ended === false;
  const { scroller, content, away, toEnd } = useEnd(current, talk !== undefined);
  const count = talk?.exchanges.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: who asks wants to see the answer.
  useEffect(toEnd, [count]);
  // Nothing can be asked before it is known how far AI goes.
  const level = useAiLevel();
  const failure = useLevelFailure();
  return (
    <div className={styles.sidebar}>
      <div className={styles.head}>
        <Button look="quiet" icon="clock" onClick={() => openView({ kind: 'history' })}>
          AI history
        </Button>
        <span className={styles.chip} title="Questions are about this folder unless they name another">
          <Plain text={folderName(workspace)} />
        </span>
        <ThreadMenu />
      </div>
      <div className={styles.frame}>
        <div
          ref={scroller}
          className={styles.log}
          role="log"
          aria-live="off"
          aria-label="Questions and answers"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable.
          tabIndex={0}
        >
          <div ref={content} className={styles.content}>
            {!talk && level === 'full' && <Intro />}
            {talk?.exchanges.map((exchange, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: exchanges are only ever added.
              <Shown key={index} exchange={exchange} />
            ))}
          </div>
        </div>
        {away && (
          <Button className={styles.end} icon="chevronDown" onClick={toEnd}>
            Scroll to bottom
          </Button>
        )}
      </div>
      {level === undefined && <ReadState shown={false} loading failure={failure} onAgain={readLevel} />}
      <NoHistoryAnswers />
      {level === 'full' && <Composer running={running} onStop={() => talk && stopAnswer(talk.id)} />}
    </div>
  );
}

function Intro() {
  const examples = ['What did I spend this month?', 'Have I dealt with webhooks before?', 'What did I work on lately?'];
  return (
    <div className={styles.intro}>
      <p>
        Ask about your sessions, costs, files and decisions. A model on this computer answers from the logs; nothing
        leaves it.
      </p>
      <ul>
        {examples.map((example) => (
          <li key={example}>“{example}”</li>
        ))}
      </ul>
    </div>
  );
}

function ThreadMenu() {
  const { talks, current } = useTalks();
  return (
    <>
      <Select
        look="quiet"
        aria-label="Thread"
        value={current ?? ''}
        onChange={(event) => (event.target.value === '' ? newTalk() : showTalk(event.target.value))}
      >
        <option value="">New thread</option>
        {talks.map(({ id, exchanges }) => (
          <option key={id} value={id}>
            {exchanges[0]?.question.slice(0, 40)}
          </option>
        ))}
      </Select>
      <IconButton icon="plus" label="New thread" onClick={newTalk} />
      {current !== null && <IconButton icon="close" label="Delete this thread" onClick={() => forgetTalk(current)} />}
    </>
  );
}

function Shown({ exchange: { question, asked, text, error, ended } }: { exchange: Exchange }) {
  return (
    <article className={styles.exchange}>
      <h3>
        <Plain text={question} />
      </h3>
      {asked.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are only ever added.
        <Call key={index} asked={one} />
      ))}
      {text !== '' && (
        <Suspense fallback={<p>{text}</p>}>
          <Markdown text={text} />
        </Suspense>
      )}
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      {!ended && text === '' && <p className={styles.quiet}>Thinking…</p>}
    </article>
  );
}

/** What the model asked of the history, and the sessions that the answer rests on. */
function Call({ asked }: { asked: Asked }) {
  const places = evidenceOf(asked);
  return (
    <div className={styles.call}>
      <details>
        <summary>
          <strong>{asked.name}</strong> <span>{summary(asked)}</span>{' '}
          <span className={styles.quiet}>{state(asked)}</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
        <pre tabIndex={0}>
          <Plain text={JSON.stringify(asked.result?.data ?? asked.args, null, 2)} />
        </pre>
      </details>
      {places.length > 0 && <Evidence places={places} onOpen={openSession} />}
    </div>
  );
}

/** The models of Ollama on this machine. */
function localModels(data: Models | undefined): LocalModel[] | undefined {
  const ollama = data?.providers.find(({ id, local }) => id === 'ollama' && local);
  const own = ollama?.models.filter(({ elsewhere }) => !elsewhere) ?? [];
  return data && own.map(({ model, tools }) => ({ name: model.slice(model.indexOf('/') + 1), tools }));
}

function Composer({ running, onStop }: { running: boolean; onStop(): void }) {
  const { model, tools } = useTalks();
  const { data, loading, failure, reload } = useModels();
  const models = localModels(data);
  const id = useId();
  const text = useDrafts(({ drafts }) => drafts[HISTORY] ?? '');
  const setText = (value: string) => setDraft(HISTORY, value);
  const chosen = chosenModel(models ?? [], model);
  const weak = chosen && tools && !callsTools(chosen);
  const send = () => {
    if (text.trim() === '' || running || !chosen) return;
    void ask(text.trim(), chosen.name);
    setText('');
  };
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {models?.length === 0 && (
        <div className={styles.none}>
          <p className={styles.warning}>
            No model on this computer was found. Start Ollama, then run <code>ollama pull qwen2.5-coder</code>.
          </p>
          <Button icon="retry" disabled={loading} onClick={reload}>
            Refresh
          </Button>
        </div>
      )}
      {weak && (
        <p className={styles.warning}>
          {chosen.name} may not support tools, so its answers may not come from your history.
        </p>
      )}
      <label htmlFor={id} className="visually-hidden">
        Ask about your AI history
      </label>
      <TextArea
        id={id}
        rows={2}
        value={text}
        placeholder="Ask about your AI history"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className={styles.row}>
        <Select
          look="quiet"
          aria-label="Model"
          value={chosen?.name ?? ''}
          onChange={(event) => useTalks.setState({ model: event.target.value })}
        >
          {!chosen && <option value="">No model</option>}
          {models?.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Check checked={tools} onChange={(event) => useTalks.setState({ tools: event.target.checked })}>
          Use the history
        </Check>
        {running ? (
          <Button icon="stop" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button look="primary" icon="send" type="submit" disabled={!chosen}>
            Ask
          </Button>
        )}
      </div>
    </form>
  );
}
