import { memo, type ReactNode, useDeferredValue, useState } from 'react';
import { announce } from '../../ui/Announcer';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import type { ActionId, ActionRecord, FileChange, FileDiff, Hunk, Sha256 } from '../../wire/gen/types';
import { canUndo, openParts, partDecision } from '../card';
import { Plain } from '../Plain';
import { accept, answerTo, redo, reject, undo, useAction, useActions } from '../store';
import { useSettled } from '../useSettled';
import styles from './Diff.module.css';

interface DiffProps {
  /** Whose changes they are, if they can be answered one by one. */
  record: ActionRecord | null;
  files: readonly FileDiff[];
  /** Long changes take all the room they need. */
  whole?: boolean;
  /** The answers to a change that is no part of a record, or what was answered. */
  answers?: AnswersOf;
}

/** What stands beside a change. */
export type AnswersOf = (file: FileDiff, hunk: Hunk) => ReactNode;

/** The changed lines of each file, with an answer for each place. */
export function Diff({ record, files, whole = false, answers }: DiffProps) {
  const standing = record ? standingIn(record) : () => NOT_ASKED;
  return files.map((file) => (
    <section
      key={`${file.path} ${file.cell?.key ?? ''}`}
      className={styles.file}
      aria-label={`Changes in ${pathWords(file)}`}
    >
      <p className={styles.path}>
        <Plain text={pathWords(file)} />
        <span className={styles.count}>{countWords(file)}</span>
        {record && wasMade(record, file) && (
          <Button look="quiet" onClick={() => void showLines(record, file)}>
            Go to lines
          </Button>
        )}
      </p>
      {file.note && <p className={styles.note}>{file.note}</p>}
      {file.hunks.map((hunk, index) => (
        <Change
          key={hunk.part}
          hunk={hunk}
          {...standing(hunk.part)}
          number={index + 1}
          count={file.hunks.length}
          within={file.change.kind === 'edited'}
          whole={whole}
          answer={answers?.(file, hunk)}
        />
      ))}
    </section>
  ));
}

/** Some of it was made in a thread, which has noted what it left. */
function wasMade({ origin, state, parts }: ActionRecord, { change, cell }: FileDiff): boolean {
  const isText = !cell && (change.kind === 'edited' || change.kind === 'created');
  return isText && origin.kind === 'turn' && (state === 'done' || parts.some(({ action }) => action !== null));
}

async function showLines({ envelope }: ActionRecord, { path }: FileDiff): Promise<void> {
  const { goToLines } = await import('../../threads/lines');
  await goToLines(envelope.id, path);
}

/** What was decided about one change, or can be: plain values, so that a row is drawn anew only when its own change. */
interface Standing {
  /** The action whose part it is, if its parts can be answered one by one. */
  action: ActionId | null;
  hash: Sha256 | null;
  /** It waits with others; one alone is answered as the whole. */
  open: boolean;
  /** The whole was turned down, or taken back. */
  dropped: boolean;
  decision: 'approve' | 'reject' | null;
  /** The action that carried it out. */
  made: ActionId | null;
}

const NOT_ASKED: Standing = { action: null, hash: null, open: false, dropped: false, decision: null, made: null };

function standingIn(record: ActionRecord): (part: number) => Standing {
  const open = openParts(record).length > 1;
  const dropped = record.state === 'refused' || record.state === 'undone';
  return (part) => {
    const decided = partDecision(record, part);
    return {
      action: record.envelope.id,
      hash: record.approval_hash,
      open,
      dropped,
      decision: decided?.decision ?? null,
      made: decided?.action ?? null,
    };
  };
}

interface ChangeProps extends Standing {
  hunk: Hunk;
  number: number;
  count: number;
  /** The file goes on around it; a new or deleted file is its one change. */
  within: boolean;
  whole: boolean;
  answer: ReactNode;
}

const Change = memo(function Change({ hunk, number, count, within, answer, ...props }: ChangeProps) {
  const [whole, setWhole] = useState(props.whole);
  const lines = hunk.before.length + hunk.old.length + hunk.new.length + hunk.after.length;
  const label = `Change ${number} of ${count}, line ${hunk.start}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-label={label} className={styles.hunk} tabIndex={-1}>
      {within && (
        <div className={styles.row}>
          <span>
            Line {hunk.start}
            {hunk.confidence === 'loose' && ' · approximate match'}
          </span>
          {props.action && <Answer {...props} action={props.action} hunk={hunk} />}
          {answer}
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <pre className={styles.lines} data-whole={whole} tabIndex={0}>
        <Lines lines={hunk.before} />
        <Lines lines={hunk.old} sign="−" />
        <Lines lines={hunk.new} sign="+" />
        <Lines lines={hunk.after} />
      </pre>
      {!whole && lines > MANY && (
        <Button look="quiet" className={styles.more} onClick={() => setWhole(true)}>
          Show all {lines} lines
        </Button>
      )}
    </div>
  );
});

/** More lines than these scroll on their own until all are asked for. */
const MANY = 18;

const KIND = { '−': styles.old, '+': styles.new, '\u00a0': styles.context };

function Lines({ lines, sign = '\u00a0' }: { lines: readonly string[]; sign?: keyof typeof KIND }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never change.
    <div key={index} className={KIND[sign]}>
      <span className={styles.sign}>{sign}</span>
      <span className={styles.text}>{line === '' ? '\u200b' : <Plain text={line} />}</span>
    </div>
  ));
}

interface AnswerProps extends Standing {
  action: ActionId;
  hunk: Hunk;
}

/** The buttons of one place, or what was answered. */
function Answer({ action: id, hunk, hash, open, dropped, decision, made }: AnswerProps) {
  // The editor shows the answer first.
  const deciding = useDeferredValue(useActions((state) => answerTo(state.deciding, id, hunk.part) !== null));
  const settled = useSettled(hash);
  if (decision) return <Decided decision={decision} action={made} hunk={hunk} />;
  if (dropped) return <Copy hunk={hunk} />;
  if (!open) return null;
  return (
    <span className={styles.answers}>
      <Button look="quiet" disabled={deciding || !settled} onClick={() => void accept(id, { parts: [hunk.part] })}>
        Accept
      </Button>
      <Button look="quiet" disabled={deciding || !settled} onClick={() => void reject(id, { parts: [hunk.part] })}>
        Reject
      </Button>
    </span>
  );
}

/** What was answered, with a way back from a yes that was carried out, and a copy of what was turned down. */
export function Decided({
  decision,
  action,
  hunk,
}: {
  decision: 'approve' | 'reject';
  action: string | null;
  hunk: Hunk;
}) {
  const part = useAction(action ?? '');
  if (decision === 'reject') {
    return (
      <span className={styles.answers}>
        <span className={styles.rejected}>Rejected</span>
        <Copy hunk={hunk} />
      </span>
    );
  }
  return (
    <span className={styles.answers}>
      <span className={styles.accepted}>
        <Icon name="check" /> {part?.state === 'undone' ? 'Undone' : 'Accepted'}
      </span>
      {part?.state === 'done' && canUndo(part) && (
        <Button look="quiet" onClick={() => void undo(part.envelope.id)}>
          Undo
        </Button>
      )}
      {part?.state === 'undone' && part.undone_by && (
        <Button look="quiet" onClick={() => void redo(part.envelope.id)}>
          Redo
        </Button>
      )}
    </span>
  );
}

/** What was turned down is not lost. */
function Copy({ hunk }: { hunk: Hunk }) {
  const [copied, setCopied] = useState(false);
  if (hunk.new.length === 0) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(`${hunk.new.join('\n')}\n`);
    setCopied(true);
    announce('Copied');
  };
  return (
    <Button look="quiet" icon={copied ? 'check' : 'copy'} onClick={() => void copy()}>
      {copied ? 'Copied' : 'Copy'}
    </Button>
  );
}

function pathWords({ path, change, cell }: FileDiff): string {
  if (cell) return `${path}, cell ${cell.number} (${cell.kind})`;
  return change.kind === 'moved' || change.kind === 'copied' ? `${change.from} → ${path}` : path;
}

const CHANGE_WORDS: Record<FileChange['kind'], string> = {
  created: 'new',
  edited: '',
  deleted: 'deleted',
  moved: 'moved',
  copied: 'copied',
};

/** "+4 −2", so that nothing below is overlooked. */
function countWords({ change, hunks, note }: FileDiff): string {
  const added = hunks.reduce((sum, hunk) => sum + hunk.new.length, 0);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.old.length, 0);
  return [note ? '' : CHANGE_WORDS[change.kind], added > 0 && `+${added}`, removed > 0 && `−${removed}`]
    .filter(Boolean)
    .join(' ');
}
