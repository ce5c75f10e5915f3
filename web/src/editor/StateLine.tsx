import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { Words } from '../actions/Words';
import { doAction } from '../app/actionFlow';
import { isGuest } from '../app/session';
import type { DocumentStatus, LiveDocument } from '../documents/provider';
import { useKind } from '../files/kind';
import { LabelChip } from '../files/LabelChip';
import { showVersions } from '../files/versions';
import { ModeSwitch } from '../livePreview/ModeSwitch';
import { Button, IconButton } from '../ui/Button';
import { Icon, type IconName } from '../ui/Icon';
import { toast } from '../ui/Toast';
import { WaySwitch } from '../viewers/WaySwitch';
import { useConnection } from '../wire/connection';
import type { Failure } from '../wire/gen/types';
import styles from './StateLine.module.css';

const ServerChip = lazy(() => import('../problems/ServerChip'));

/** Above the text: where it is, and how the document stands with its file. */
export function StateLine({ path, live }: { path: string; live: LiveDocument }) {
  const status = useStore(live.status);
  const online = useConnection((state) => state.status === 'online');
  const parts = path.split('/');
  const isMarkdown = useKind(path) === 'markdown';
  return (
    <div className={styles.lines}>
      <div className={styles.line}>
        <span className={styles.path} title={path}>
          {parts.slice(0, -1).map((part, index) => (
            <span key={parts.slice(0, index + 1).join('/')}>{part} / </span>
          ))}
          {parts.at(-1)}
        </span>
        <LabelChip path={path} />
        {isMarkdown && <ModeSwitch path={path} />}
        <WaySwitch path={path} />
        {!isGuest() && <IconButton icon="clock" label="Version history" onClick={() => showVersions(path)} />}
        <Suspense fallback={null}>
          <ServerChip path={path} />
        </Suspense>
        <span className={styles.state} data-state={status.file?.saved ? 'saved' : 'open'}>
          {wordFor(status, online)}
        </span>
      </div>
      <Trouble path={path} status={status} live={live} />
    </div>
  );
}

function wordFor({ phase, file, unsynced }: DocumentStatus, online: boolean): string {
  if (!online) return unsynced > 0 ? `Offline, ${unsynced} unsynced` : 'Offline';
  if (phase === 'opening') return 'Opening…';
  if (!file || file.problem || file.gone || file.needs_word) return 'Not saved';
  return file.saved ? 'Saved' : 'Saving…';
}

/** What stands between the document and its file, and what can be done about it. */
function Trouble({ path, status, live }: { path: string; status: DocumentStatus; live: LiveDocument }) {
  const { file, lost } = status;
  const checkpoint = (allow_shrink: boolean) =>
    void doAction({ action_type: 'doc.checkpoint', args: { path, allow_shrink } }, { done: `Saved ${path}` });
  if (lost !== null) return <LostText live={live} />;
  if (file?.older_format !== undefined) {
    return (
      <Bar
        icon="warning"
        text={`This notebook has the old format ${file.older_format}. Changes are not saved before it is upgraded.`}
      >
        <Button
          onClick={() =>
            void doAction(
              { action_type: 'doc.checkpoint', args: { path, upgrade: true } },
              { done: `Upgraded ${path}` },
            )
          }
        >
          Upgrade…
        </Button>
      </Bar>
    );
  }
  if (file?.needs_word) {
    return (
      <Bar icon="hand" text="The text is empty or much shorter than the file, so it was not saved.">
        <Button onClick={() => checkpoint(true)}>Save anyway…</Button>
        <Button onClick={() => live.undo.undo()} icon="undo">
          Undo
        </Button>
      </Bar>
    );
  }
  if (file?.gone) {
    return (
      <Bar icon="warning" text="The file was deleted or moved. Its text is still open here.">
        <Button onClick={() => checkpoint(true)}>Recreate file…</Button>
      </Bar>
    );
  }
  if (file?.problem && UNFIT.has(file.problem.code))
    return <Unfit key={file.problem.message} path={path} problem={file.problem} />;
  const cells = file?.problem?.code === 'outgrown' ? [...live.doc.getMap('cells').keys()] : [];
  if (file?.problem) {
    return (
      <Bar icon="error" text={<Said failure={file.problem} />}>
        <Button onClick={() => checkpoint(false)} icon="retry">
          Retry
        </Button>
        {cells.length > 0 && (
          <Button onClick={() => void doAction({ action_type: 'cell.clear_outputs', args: { path, cells } })}>
            Clear all outputs…
          </Button>
        )}
      </Bar>
    );
  }
  return null;
}

/** What another program can have made of a file, so that it can't be taken in. */
const UNFIT = new Set(['unfit', 'binary', 'not_utf8']);

/** The file is nothing that can be brought together with what is open: the person says which of the two counts. */
function Unfit({ path, problem }: { path: string; problem: Failure }) {
  const [left, setLeft] = useState(false);
  if (left) return null;
  const write = () =>
    doAction({ action_type: 'doc.checkpoint', args: { path, write_over: true } }, { done: `Overwrote ${path}` });
  return (
    <Bar icon="error" text={<Said failure={problem} />}>
      <Button onClick={() => void write()}>Overwrite…</Button>
      <Button onClick={() => setLeft(true)}>Dismiss</Button>
    </Bar>
  );
}

/** Unsynced text that could not be merged: the person takes it or drops it. */
export function LostText({ live }: { live: LiveDocument }) {
  const text = useStore(live.status, (status) => status.lost);
  if (text === null) return null;
  const forget = () => live.forgetLost();
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    toast('Copied your text');
    forget();
  };
  return (
    <Bar
      icon="warning"
      text="This file was replaced or deleted while you were offline, so your last changes could not be merged."
    >
      <Button onClick={() => void copy()} icon="copy">
        Copy my text
      </Button>
      <Button onClick={forget}>Discard my text</Button>
    </Bar>
  );
}

function Said({ failure: { message, hint } }: { failure: Failure }) {
  return (
    <>
      <Words text={message} /> {hint && <Words text={hint} />}
    </>
  );
}

function Bar({ icon, text, children }: { icon: IconName; text: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.bar} role="status">
      <Icon name={icon} />
      <span className={styles.text}>{text}</span>
      {children}
    </div>
  );
}
