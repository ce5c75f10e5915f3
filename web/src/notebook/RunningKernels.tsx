import { useEffect, useState } from 'react';
import { Plain } from '../actions/Plain';
import { doAction } from '../app/actionFlow';
import { openFile } from '../frames/store';
import { ago } from '../threads/list';
import { Button } from '../ui/Button';
import type { RunningKernel } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './Kernel.module.css';
import { hasComputed, isSure } from './kernel';
import { idleWords, othersOf } from './runningKernels';
import { useNotebook } from './view';

/** The kernels that run beside other notebooks, each with the way to end it: those that idle hold their memory. */
export function RunningKernels({ onGo }: { onGo(): void }) {
  const view = useNotebook();
  const { data, reload } = useResource<RunningKernel[]>('kernels/running');
  const [ending, setEnding] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read when it was opened before is old
  useEffect(reload, []);
  const others = othersOf(data ?? [], view.path);
  if (others.length === 0) return null;
  const idle = others.filter(({ state }) => state === 'idle');
  const end = async (kernels: readonly RunningKernel[]) => {
    const what = kernels.length === 1 ? `the kernel of ${kernels[0]?.path}` : `${kernels.length} kernels`;
    if (kernels.some(hasComputed) && !(await isSure(view, 'Shut down', what))) return;
    setEnding(true);
    for (const each of kernels) {
      if (!(await doAction({ action_type: 'kernel.shutdown', args: { path: each.path } }))) break;
    }
    setEnding(false);
    reload();
  };
  return (
    <section className={styles.running}>
      <h3>Kernels of other notebooks</h3>
      <ul className={styles.kernels} aria-label="Kernels of other notebooks">
        {others.map((each) => (
          <li key={each.path} className={styles.other}>
            <Button
              look="quiet"
              className={styles.where}
              onClick={() => {
                openFile(each.path);
                onGo();
              }}
            >
              <Plain text={each.path} />
            </Button>
            <span className={styles.state}>
              <Plain text={each.kernel.display_name} />, {idleWords(each, (then) => ago(then, Date.now()))}
            </span>
            <Button
              disabled={ending}
              aria-label={`Shut down the kernel of ${each.path}`}
              onClick={() => void end([each])}
            >
              Shut down
            </Button>
          </li>
        ))}
      </ul>
      {idle.length > 1 && (
        <Button disabled={ending} onClick={() => void end(idle)}>
          Shut down {idle.length} idle kernels
        </Button>
      )}
    </section>
  );
}
