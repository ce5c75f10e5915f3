import { useEffect, useId, useState } from 'react';
import { isGuest } from '../app/session';
import type { LiveDocument } from '../documents/provider';
import { openProblems } from '../problems/goTo';
import { steer } from '../tasks/store';
import { Button } from '../ui/Button';
import { TextArea } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { toastFailure } from '../ui/Toast';
import { registerScriptCommands, SCRIPT_KEYS } from './commands';
import { isScript } from './isScript';
import { RunState } from './RunState';
import styles from './ScriptBar.module.css';
import {
  check,
  checkAloud,
  findingWords,
  holdText,
  problemOfArguments,
  run,
  type ScriptState,
  setScript,
  useScript,
} from './store';
import { tip } from './tip';
import { useRun } from './useRun';

registerScriptCommands();

/** Above the text of a script: check it, see what it would do, run it; and what came of the last time. */
export default function ScriptBar({ path, live }: { path: string; live: LiveDocument }) {
  const text = useText(live);
  const shown = isScript(path, text) && !isGuest();
  useEffect(() => (shown ? holdText(path, () => live.text.toString()) : undefined), [path, live, shown]);
  useChecked(shown ? path : null, text);
  return shown ? <Bar path={path} /> : null;
}

/** Milliseconds without a change, so that a text is read once and not letter by letter. */
const PAUSE = 500;

function useText({ text }: LiveDocument): string {
  const [now, setNow] = useState(() => text.toString());
  useEffect(() => {
    setNow(text.toString());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setNow(text.toString()), PAUSE);
    };
    text.observe(changed);
    return () => {
      clearTimeout(timer);
      text.unobserve(changed);
    };
  }, [text]);
  return now;
}

/** Checks a script as it is written. What can't be checked now is checked with the next change. */
function useChecked(path: string | null, text: string): void {
  useEffect(() => {
    if (path !== null) void check(path, text).catch(() => {});
  }, [path, text]);
}

function Bar({ path }: { path: string }) {
  const script = useScript(path);
  const last = useRun(script.task);
  const id = useId();
  const runs = last?.task.state === 'running' && !last.task.paused ? last.task.id : null;
  const busy = script.starting || runs !== null;
  return (
    <section className={styles.bar} aria-label="Script">
      <div className={styles.tools}>
        <Button look="quiet" icon="check" title={tip('Check', SCRIPT_KEYS.check)} onClick={() => void checkAloud(path)}>
          Check
        </Button>
        <Button
          look="quiet"
          icon="eye"
          disabled={busy}
          title={tip('Show what it would do', SCRIPT_KEYS.dryRun)}
          onClick={() => void run(path, true)}
        >
          Dry run
        </Button>
        {runs === null ? (
          <Button
            look="quiet"
            icon="play"
            disabled={busy}
            title={tip('Run', SCRIPT_KEYS.run)}
            onClick={() => void run(path, false)}
          >
            Run
          </Button>
        ) : (
          <Button look="quiet" icon="stop" onClick={() => void stop(runs)}>
            Stop
          </Button>
        )}
        <Button
          look="quiet"
          icon={script.showsArgs ? 'chevronDown' : 'chevronRight'}
          aria-expanded={script.showsArgs}
          aria-controls={id}
          onClick={() => setScript(path, { showsArgs: !script.showsArgs })}
        >
          Arguments
        </Button>
        <Findings script={script} />
        {last && <RunState detail={last} />}
      </div>
      {script.showsArgs && <Arguments id={id} path={path} args={script.args} />}
    </section>
  );
}

async function stop(task: string): Promise<void> {
  const failure = await steer(task, 'cancel');
  if (failure) toastFailure(failure);
}

function Findings({ script: { findings } }: { script: ScriptState }) {
  if (findings === null) return null;
  const tone = findings.length > 0 ? 'err' : 'ok';
  return (
    <span className={styles.findings} data-tone={tone}>
      <Icon name={tone === 'ok' ? 'check' : 'error'} size={14} />
      {findings.length === 0 ? (
        <span className={styles.seldom} title={findingWords(findings)}>
          {findingWords(findings)}
        </span>
      ) : (
        <button type="button" className={styles.words} title="Show problems" onClick={() => openProblems()}>
          {findingWords(findings)}
        </button>
      )}
    </span>
  );
}

/** The input of the script, as JSON. */
function Arguments({ id, path, args }: { id: string; path: string; args: string }) {
  const problem = problemOfArguments(args);
  return (
    <div id={id} className={styles.args}>
      <TextArea
        className={styles.json}
        aria-label="Arguments of the script, as JSON"
        placeholder={'{ "folder": "notebooks" }'}
        rows={Math.min(8, Math.max(2, args.split('\n').length))}
        spellCheck={false}
        value={args}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => setScript(path, { args: event.target.value })}
      />
      {problem !== null && (
        <p id={`${id}-problem`} className={styles.wrong}>
          {problem}
        </p>
      )}
    </div>
  );
}
