import { type ComponentProps, useEffect, useState } from 'react';
import { isGuest } from '../app/session';
import { Icon, type IconName } from '../ui/Icon';
import type { CellExecution } from '../wire/gen/types';
import { stopCell } from './ai/stop';
import { useWaits } from './ai/waits';
import { select } from './edits';
import { run as runCells } from './kernel';
import { canRun } from './kinds';
import styles from './Notebook.module.css';
import { type CellRun, isUnderWay } from './runs';
import { only } from './selection';
import { useNotebook, useRun } from './view';
import { type ShownState, shownState, stateWord, tookWords, WAITS } from './words';

interface GutterProps {
  cellKey: string;
  kind: string;
  handle: ComponentProps<'div'>;
}

/** Beside a cell: the button that runs it, how its latest run went. Dragging it moves the cell. */
export function Gutter({ cellKey, kind, handle }: GutterProps) {
  const view = useNotebook();
  const run = useRun(cellKey);
  const execution = run?.execution ?? null;
  const waits = useWaits(cellKey, kind);
  const state = run ? shownState(kind, run) : null;
  const runs = state === 'running';
  return (
    <div className={styles.gutter} {...handle} title="Drag to move cell">
      {canRun(kind) && !isGuest() && (
        <button
          type="button"
          className={styles.run}
          tabIndex={-1}
          aria-label={runs ? 'Interrupt this cell' : 'Run this cell'}
          title={runs ? 'Interrupt' : 'Run (Shift-Enter)'}
          data-state={execution?.state}
          onClick={() => {
            select(view, only(cellKey));
            void (runs ? stopCell(view, cellKey) : runCells(view, [cellKey]));
          }}
        >
          <Icon name={buttonIcon(execution)} size={14} />
        </button>
      )}
      <span className={styles.count}>{kind === 'code' ? countWord(run) : ''}</span>
      {execution && state && (waits ? <Waits /> : <Took execution={execution} state={state} />)}
    </div>
  );
}

function buttonIcon(execution: CellExecution | null): IconName {
  if (execution?.state === 'running') return 'stop';
  return execution?.state === 'queued' ? 'clock' : 'play';
}

/** The number of the run, in brackets as everywhere in the field. */
function countWord(run: CellRun | undefined): string {
  if (isUnderWay(run)) return '[*]';
  return run?.count ? `[${run.count}]` : '[ ]';
}

const ICONS: Partial<Record<ShownState, IconName>> = {
  running: 'spinner',
  ok: 'check',
  failed: 'error',
  stopped: 'stop',
  aborted: 'bar',
  lost: 'warning',
};

/** The answer goes on when a person has decided. */
function Waits() {
  return (
    <span className={styles.took} data-state="waits" title="Waiting for your approval">
      <Icon name="hand" size={12} />
      <span className="visually-hidden">{WAITS}</span>
      <span aria-hidden="true">waiting</span>
    </span>
  );
}

function Took({ execution, state }: { execution: CellExecution; state: ShownState }) {
  const now = useNow(execution.state === 'running');
  const icon = ICONS[state];
  return (
    <span className={styles.took} data-state={state} title={stateWord(state)}>
      {icon && <Icon name={icon} size={12} />}
      <span className="visually-hidden">{stateWord(state)}</span>
      {tookWords(execution, now)}
    </span>
  );
}

/** The time, every second while something runs. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
