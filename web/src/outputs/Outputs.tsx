import { memo, type ReactNode, useState } from 'react';
import { isGuest } from '../app/session';
import { type CellRun, isUnderWay } from '../notebook/runs';
import { useTrust } from '../notebook/trust';
import ansi from '../ui/Ansi.module.css';
import { Button } from '../ui/Button';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { join } from '../ui/names';
import type { CellOutput } from '../wire/gen/types';
import { Failed } from './Failed';
import { FormView } from './FormView';
import { heldBack, shownOf, unknownForms } from './mime';
import styles from './Outputs.module.css';
import { Stream } from './Stream';

interface OutputsProps {
  path: string;
  cellKey: string;
  run: CellRun;
}

/** Outputs that are drawn at the beginning and at the end, where there are more than both. */
const ENDS = 50;

/** What a cell put out, in order; of very many the first and the last, until all are asked for. */
export function Outputs({ path, cellKey, run }: OutputsProps) {
  const trusted = useTrust(path);
  const [all, setAll] = useState(false);
  // What was run here is the person's own; what came with the file may be anybody's.
  const own = run.execution !== null;
  const count = run.outputs.length;
  const isWhole = all || count <= 2 * ENDS + 1;
  const [head, tail] = isWhole ? [count, count] : [ENDS, count - ENDS];
  const views = (from: number, to: number) =>
    run.outputs.slice(from, to).map((output, at) => {
      const place = { path, cell: cellKey, output: from + at };
      const live = isUnderWay(run) && place.output === count - 1;
      return <OutputView key={place.output} at={place} output={output} trusted={trusted || own} live={live} />;
    });
  return (
    <div className={join(ansi.ansi, styles.outputs)} data-output>
      {views(0, head)}
      {tail > head && (
        <p className={styles.note}>
          {(tail - head).toLocaleString('en')} outputs not shown. <Button onClick={() => setAll(true)}>Show all</Button>
        </p>
      )}
      {views(tail, count)}
    </div>
  );
}

/** Which output it is: the whole of it is read by that. */
export interface OutputPlace {
  readonly path: string;
  readonly cell: string;
  /** Null within a control, whose outputs are kept nowhere else. */
  readonly output: number | null;
}

interface OutputViewProps {
  at: OutputPlace;
  output: CellOutput;
  trusted: boolean;
  /** It may still grow. */
  live?: boolean;
}

/** One of them. */
export const OutputView = memo(
  function OutputView({ live, ...of }: OutputViewProps) {
    return <ErrorBoundary name="This output">{shown(of, live)}</ErrorBoundary>;
  },
  (before, after) =>
    before.output === after.output &&
    before.trusted === after.trusted &&
    before.live === after.live &&
    before.at.output === after.at.output,
);

function shown({ at, output, trusted }: OutputViewProps, live: boolean | undefined): ReactNode {
  if (output.type === 'stream') return <Stream at={at} output={output} live={live} />;
  if (output.type === 'error') return <Failed at={at} output={output} />;
  const form = shownOf(output, trusted);
  const unknown = unknownForms(output);
  if (form) return <FormView at={at} form={form} output={output} />;
  if (!trusted && heldBack(output)) {
    const until = isGuest() ? 'the owner runs the cell' : 'the notebook is trusted';
    return <p className={styles.note}>This output needs scripts. It appears once {until}.</p>;
  }
  return <p className={styles.note}>Can’t display this output: {unknown.join(', ') || 'it is empty'}.</p>;
}
