// What the kernel needs from the person: an answer, a word on how it goes on. Loaded when there is such.
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Plain } from '../actions/Plain';
import { announce } from '../ui/Announcer';
import { Button, IconButton } from '../ui/Button';
import { Input } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { sentence } from '../ui/sentence';
import type { Failure, HeldBack, InputAsked, NotebookKernel } from '../wire/gen/types';
import { select } from './edits';
import styles from './Kernel.module.css';
import { answer, goOn, interrupt, restart, restartAndRunAll, shutDown } from './kernel';
import { useNotebook } from './view';

const KernelDialog = lazy(async () => ({ default: (await import('./KernelDialog')).KernelDialog }));

/** A line that the running code waits for. */
export function Ask({ asked }: { asked: InputAsked }) {
  const view = useNotebook();
  const [value, setValue] = useState('');
  const [sent, setSent] = useState(false);
  const words = asked.prompt.trim() || (asked.password ? 'Password' : 'Enter a line');
  useEffect(() => announce(`Input requested: ${words}`), [words]);
  useBackToCell();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (!(await answer(view, asked, value))) setSent(false);
  };
  return (
    <form className={styles.ask} aria-label="Input for the code" onSubmit={(event) => void submit(event)}>
      <Icon name="keyboard" />
      <label htmlFor={`ask-${asked.execution}`}>
        <Plain text={words} />
      </label>
      <Input
        id={`ask-${asked.execution}`}
        type={asked.password ? 'password' : 'text'}
        autoComplete="off"
        value={value}
        onChange={(event) => setValue(event.target.value)}
        ref={focusOnce}
      />
      <Button type="submit" look="primary" disabled={sent}>
        Enter
      </Button>
      <Button onClick={() => void interrupt(view)}>Interrupt</Button>
    </form>
  );
}

/** A run that has put out so much that it waits. */
export function Held({ held: { execution, bytes } }: { held: HeldBack }) {
  const view = useNotebook();
  const cells = useStore(view.runs, (state) => state.cells);
  const cell = [...cells].find(([, run]) => run.execution?.id === execution)?.[0];
  const place = cell === undefined ? 0 : view.observed.keys().indexOf(cell) + 1;
  const words = `${place > 0 ? `Cell ${place}` : 'A cell'} produced ${Math.round(bytes / 2 ** 20)} MB of output and is paused.`;
  useEffect(() => announce(words), [words]);
  return (
    <div className={styles.trouble} role="status">
      <Icon name="hand" />
      <p>{words}</p>
      <Button onClick={() => void goOn(view, execution)}>Continue</Button>
      <Button look="primary" onClick={() => void interrupt(view)}>
        Interrupt
      </Button>
    </div>
  );
}

/** Once nothing is asked any more, the keyboard that was here goes back onto the cell. */
function useBackToCell(): void {
  const view = useNotebook();
  useEffect(
    () => () => {
      if (document.activeElement === document.body) select(view, view.shown.getState().selection);
    },
    [view],
  );
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
}

/** In place of advice for programs: the button beside it does the same. */
const KEPT = 'the notebook keeps the name of its kernel until you select another one';

/** Tells whether there are kernels to select from. */
const hasKernels = ({ code, data }: Failure) => code === 'no_kernel' && data !== null;

export function Trouble({ kernel, onLeave }: { kernel: NotebookKernel; onLeave?: () => void }) {
  const view = useNotebook();
  const { problem, state } = kernel;
  const [choosing, setChoosing] = useState(false);
  const hint = problem && (hasKernels(problem) ? KEPT : problem.hint);
  return (
    <div className={styles.trouble} role="status">
      <Icon name="warning" />
      <p>
        <Plain text={problem ? sentence(problem.message) : 'The kernel ended. All variables are lost.'} />
        {hint && (
          <>
            {' '}
            <Plain text={sentence(hint)} />
          </>
        )}
      </p>
      {(state === 'dead' || problem?.code === 'unheeded') && (
        <>
          <Button icon="retry" onClick={() => void restart(view)}>
            Restart
          </Button>
          <Button onClick={() => void restartAndRunAll(view)}>Restart and run all</Button>
        </>
      )}
      {problem?.code === 'no_kernel' && (
        <Button aria-haspopup="dialog" onClick={() => setChoosing(true)}>
          Select kernel
        </Button>
      )}
      {choosing && (
        <Suspense fallback={null}>
          <KernelDialog onClose={() => setChoosing(false)} />
        </Suspense>
      )}
      {problem?.code === 'unreached' && <Button onClick={() => void shutDown(view)}>Shut down</Button>}
      {state !== 'dead' && onLeave && <IconButton icon="close" label="Close" onClick={onLeave} />}
    </div>
  );
}
