import { Fragment, lazy, Suspense, useEffect, useMemo } from 'react';
import { startActions } from '../../actions/sync';
import { ANSWER, LinkContext } from '../../markdown/places';
import { OutputView } from '../../outputs/Outputs';
import { isNewlyLeftOut, openStep, type TurnView } from '../../threads/events';
import { LeftOut } from '../../threads/LeftOut';
import { openThread } from '../../threads/openThread';
import { useThreads } from '../../threads/state';
import { follow } from '../../threads/store';
import { UsageLine } from '../../threads/UsageLine';
import { modelName } from '../../threads/words';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import type { ThreadId } from '../../wire/gen/types';
import { type CellRun, isUnderWay } from '../runs';
import { useTrust } from '../trust';
import { useNotebook } from '../view';
import styles from './Ai.module.css';
import { AiCall } from './AiCall';
import { AiEnd, Limit } from './AiEnd';
import { modelIn, type Part, partsOf } from './answer';
import { stopCell } from './stop';
import { useAiThread } from './threads';
import { useWaits } from './waits';

const Markdown = lazy(() => import('../../markdown/Markdown'));

/** The answer of an AI cell as it comes: its words, what it asks for, what waits for a person, what it cost. */
export default function AiAnswer({ cellKey, run }: { cellKey: string; run: CellRun }) {
  const { path } = useNotebook();
  const thread = useAiThread(cellKey);
  const parts = useMemo(() => partsOf(run.outputs), [run.outputs]);
  const trusted = useTrust(path) || run.execution !== null;
  const open = isUnderWay(run);
  useEffect(startActions, []);
  useEffect(() => (thread ? follow(thread) : undefined), [thread]);
  return (
    <div className={styles.answer} data-output data-own aria-busy={open}>
      {thread && <NotGiven thread={thread} />}
      {parts.map((part) => (
        <Fragment key={part.at}>{shown(part, cellKey, path, open, trusted)}</Fragment>
      ))}
      {open ? <Progress cellKey={cellKey} thread={thread} /> : <Foot parts={parts} thread={thread} />}
    </div>
  );
}

function shown(part: Part, cellKey: string, path: string, open: boolean, trusted: boolean) {
  switch (part.kind) {
    case 'text':
      return (
        <Suspense fallback={<p className={styles.plain}>{part.text}</p>}>
          <LinkContext value={ANSWER}>
            <Markdown text={part.text} />
          </LinkContext>
        </Suspense>
      );
    case 'call':
      return <AiCall cellKey={cellKey} call={part} open={open} />;
    case 'limit':
      return <Limit cellKey={cellKey} steps={part.steps} />;
    case 'end':
      return <AiEnd cellKey={cellKey} end={part} />;
    case 'other':
      return <OutputView at={{ path, cell: cellKey, output: part.at }} output={part.output} trusted={trusted} />;
  }
}

/** The answer that the cell shows: the latest of its thread. */
const useTurn = <T,>(thread: ThreadId | null, read: (turn: TurnView | undefined) => T): T =>
  useThreads(({ views }) => read(thread ? views.get(thread)?.turns.at(-1) : undefined));

/** Says what the model was not given of the notebook, where it was not. */
function NotGiven({ thread }: { thread: ThreadId }) {
  const turn = useTurn(thread, (latest) => latest);
  if (!turn) return null;
  const newly = turn.steps.flatMap((step, index) =>
    step.leftOut && isNewlyLeftOut(turn, index) ? [{ step: step.step, of: step.leftOut }] : [],
  );
  return newly.map(({ step, of }) => <LeftOut key={step} of={of} />);
}

/** What goes on, and the way to stop it. */
function Progress({ cellKey, thread }: { cellKey: string; thread: ThreadId | null }) {
  const view = useNotebook();
  const waits = useWaits(cellKey, 'ai');
  const words = useTurn(thread, (turn) => {
    const step = turn?.end === null ? openStep(turn) : null;
    if (step?.text.text) return 'Writing…';
    return step?.thinking.text ? 'Thinking…' : 'Working…';
  });
  return (
    <div className={styles.row}>
      <p className={styles.progress} data-waits={waits || undefined}>
        <Icon name={waits ? 'hand' : 'spinner'} size={14} />
        {waits ? 'Waiting for your approval.' : words}
      </p>
      <Button look="quiet" icon="stop" onClick={() => void stopCell(view, cellKey)}>
        Stop
      </Button>
    </div>
  );
}

/** Who answered, what it used and cost, and the thread of the cell. */
function Foot({ parts, thread }: { parts: readonly Part[]; thread: ThreadId | null }) {
  const usage = useTurn(thread, (turn) => (turn?.end ? turn.usage : null));
  const cost = useTurn(thread, (turn) => (turn?.end ? turn.cost : null));
  const answered = useTurn(thread, (turn) => turn?.model ?? null);
  const model = modelIn(parts) ?? answered;
  if (parts.length === 0) return null;
  return (
    <div className={styles.foot}>
      {model && (
        <span className={styles.by} title={model}>
          {modelName(model)}
        </span>
      )}
      <UsageLine usage={usage} cost={cost} />
      {thread && (
        <Button look="quiet" icon="chat" className={styles.small} onClick={() => openThread(thread)}>
          Open thread
        </Button>
      )}
    </div>
  );
}
