import { useStore } from 'zustand';
import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { ReadState } from '../ui/ReadState';
import type { FoundKernel, FoundKernels, WithoutKernel as WithoutKernelOf } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './Kernel.module.css';
import { change, interrupt, restart, shutDown } from './kernel';
import { hasPython } from './pythonKernel';
import { RunningKernels } from './RunningKernels';
import { SetUp } from './SetUp';
import SetUpPython from './SetUpPython';
import { useNotebook } from './view';

/** The kernels there are, and what can be done with the one that runs. */
export function KernelDialog({ onClose }: { onClose(): void }) {
  const view = useNotebook();
  const kernel = useStore(view.runs, (state) => state.kernel);
  const found = useResource<FoundKernels>('kernels');
  const runs = kernel !== null && kernel.state !== 'absent' && kernel.state !== 'dead';
  const then = (what: () => unknown) => () => {
    void what();
    onClose();
  };
  return (
    <Dialog
      title="Kernel"
      onClose={onClose}
      footer={
        <>
          {runs && (
            <>
              <Button icon="stop" disabled={kernel.state !== 'busy'} onClick={then(() => interrupt(view))}>
                Interrupt
              </Button>
              <Button icon="retry" onClick={then(() => restart(view))}>
                Restart
              </Button>
              <Button onClick={then(() => shutDown(view))}>Shut down</Button>
            </>
          )}
          <Button onClick={onClose} data-first-focus>
            Close
          </Button>
        </>
      }
    >
      <p className={styles.what}>
        The kernel runs your code. It keeps running when you close the window; a restart deletes all variables.
      </p>
      <ReadState
        shown={found.data !== undefined}
        loading={found.loading}
        failure={found.failure}
        onAgain={found.reload}
      />
      {found.data && !hasPython(found.data) && <SetUpPython found={found.data} onAgain={found.reload} />}
      <ul className={styles.kernels} aria-label="Available kernels">
        {found.data?.kernels.map((each) => (
          <Row
            key={each.name}
            kernel={each}
            current={kernel?.kernel?.name === each.name && runs}
            onChoose={then(() => change(view, each.name))}
          />
        ))}
      </ul>
      {found.data?.without_kernel.map((each) => (
        <WithoutKernel key={each.interpreter} without={each} found={found.data} onAgain={found.reload} />
      ))}
      {found.data?.problems.map(({ path, message }) => (
        <p key={`${path} ${message}`} className={styles.problem}>
          <code>
            <Plain text={path} />
          </code>
          : <Plain text={message} />
        </p>
      ))}
      <RunningKernels onGo={onClose} />
    </Dialog>
  );
}

/** An environment that could run notebooks. One elsewhere is its person's to change. */
function WithoutKernel(props: { without: WithoutKernelOf; found: FoundKernels | undefined; onAgain(): void }) {
  const { without, found, onAgain } = props;
  const { interpreter, environment } = without;
  return (
    <section className={styles.setUp} aria-label={`No kernel: ${environment ?? interpreter}`}>
      <p>
        <code>
          <Plain text={interpreter} />
        </code>{' '}
        needs ipykernel to run notebooks.
      </p>
      {found && environment && (
        <SetUp found={found} environment={environment} label="Install ipykernel…" onAgain={onAgain} />
      )}
    </section>
  );
}

function Row({ kernel, current, onChoose }: { kernel: FoundKernel; current: boolean; onChoose(): void }) {
  return (
    <li>
      <button type="button" className={styles.row} aria-current={current || undefined} onClick={onChoose}>
        <span className={styles.name}>
          <Plain text={kernel.display_name} />
        </span>
        <span className={styles.state}>{current ? 'in use' : PLACES[kernel.place]}</span>
        <span className={styles.path}>
          <Plain text={kernel.path} />
        </span>
      </button>
    </li>
  );
}

const PLACES: Record<FoundKernel['place'], string> = {
  named: 'set by environment variable',
  environment: 'active environment',
  workspace: 'this workspace',
  person: 'yours',
  system: 'this computer',
};
