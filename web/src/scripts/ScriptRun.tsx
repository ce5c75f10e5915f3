import { Plain } from '../actions/Plain';
import { Words } from '../actions/Words';
import { openFile } from '../frames/store';
import { completenessWords, isOver } from '../tasks/words';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Note } from '../ui/Note';
import { TextBlock } from '../ui/TextBlock';
import type { ScriptFault } from '../wire/gen/types';
import { ChangesTable } from './ChangesTable';
import { ConfirmCall } from './ConfirmCall';
import { countWords } from './changes';
import { Result } from './Result';
import styles from './ScriptRun.module.css';
import type { ScriptTask } from './scriptTask';
import { runWith, useScript } from './store';

/** A run of a script on the page of its task: what waits, what it changes, what it says, how it ended. */
export default function ScriptRun({ detail }: { detail: ScriptTask }) {
  const { script, pending } = detail;
  const { changes, completeness, console: log, error, path } = script;
  return (
    <div className={styles.run}>
      {path && <Again path={path} detail={detail} />}
      {error && <Fault fault={error} path={path} />}
      {pending && <ConfirmCall pending={pending} />}
      {changes && (
        <article className={styles.part} aria-label="Changes">
          <h3>{script.dry_run ? `A run would make ${countWords(changes)}` : countWords(changes)}</h3>
          {completeness && changes.length > 0 && <Shown completeness={completeness} />}
          <ChangesTable changes={changes} />
        </article>
      )}
      {'result' in script && script.result !== undefined && (
        <article className={styles.part} aria-label="Result">
          <h3>Result</h3>
          <Result value={script.result} />
        </article>
      )}
      {log.text !== '' && (
        <article className={styles.part} aria-label="Console">
          <h3>Console</h3>
          <TextBlock aria-label="Console">
            <Plain text={log.text} />
          </TextBlock>
          {log.truncated && <Note>The console is full: its beginning and its end are shown.</Note>}
        </article>
      )}
    </div>
  );
}

/** The way to the script, and to its next run. */
function Again({ path, detail }: { path: string; detail: ScriptTask }) {
  const { dry_run: dryRun, args } = detail.script;
  const over = isOver(detail.task);
  const { starting } = useScript(path);
  return (
    <div className={styles.buttons}>
      {over && (
        <Button
          icon="play"
          look={dryRun ? 'primary' : 'plain'}
          disabled={starting}
          onClick={() => void runWith(path, args, false, detail)}
        >
          {dryRun ? 'Run' : 'Run again'}
        </Button>
      )}
      {over && (
        <Button icon="eye" disabled={starting} onClick={() => void runWith(path, args, true, detail)}>
          {dryRun ? 'Dry run again' : 'Dry run'}
        </Button>
      )}
      <Button look="quiet" icon="fileCode" onClick={() => openFile(path)}>
        Open script
      </Button>
      {args !== undefined && (
        <p className={styles.meta}>
          with <code>{JSON.stringify(args)}</code>
        </p>
      )}
    </div>
  );
}

function Shown({ completeness }: { completeness: Parameters<typeof completenessWords>[0] }) {
  const { text, tone } = completenessWords(completeness);
  return (
    <p className={styles.shown} data-tone={tone}>
      <Icon name={tone === 'ok' ? 'check' : 'warning'} size={14} /> {text}
    </p>
  );
}

/** Why it did not reach its end, with the way to the line. */
function Fault({ fault: { code, message, hint, line, action_type }, path }: { fault: ScriptFault; path?: string }) {
  return (
    <div className={styles.fault} data-tone="err" role="alert">
      <Icon name="error" />
      <div>
        <p>
          <Words text={message} /> {hint && <Words text={hint} />}
        </p>
        <p className={styles.meta}>
          {line !== undefined && path !== undefined && (
            <button type="button" className={styles.link} onClick={() => openFile(path, { line })}>
              {path}, line {line}
            </button>
          )}
          {line !== undefined && path === undefined && <span>line {line}</span>}
          {action_type && <code>{action_type}</code>}
          <code>{code}</code>
        </p>
      </div>
    </div>
  );
}
