import { lazy, Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { part } from '../ui/part';
import type { Failure, FoundKernels, NotebookKernel } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './Kernel.module.css';
import { start } from './kernel';
import { codeKind } from './language';
import { needsPython } from './pythonKernel';
import { useNotebook } from './view';

const SetUpPython = lazy(() => import('./SetUpPython'));
const news = () => import('./KernelNews');
const Ask = part(async () => ({ default: (await news()).Ask }));
const Held = part(async () => ({ default: (await news()).Held }));
const Trouble = part(async () => ({ default: (await news()).Trouble }));

/** Between the tools and the cells: what the kernel needs from the person, or why it does not run. */
export function KernelLine() {
  return (
    <Suspense fallback={null}>
      <Line />
    </Suspense>
  );
}

function Line() {
  const { runs } = useNotebook();
  const kernel = useStore(runs, (state) => state.kernel);
  const [left, setLeft] = useState<Failure | null>(null);
  const problem = kernel?.problem ?? null;
  if (kernel?.asks) return <Ask key={`${kernel.asks.execution} ${kernel.asks.question}`} asked={kernel.asks} />;
  if (kernel?.holds) return <Held held={kernel.holds} />;
  if (kernel === null || (kernel.state === 'absent' && isMissing(kernel))) return <NoKernel kernel={kernel} />;
  const isLeft = problem?.code === left?.code && problem?.message === left?.message;
  const isShown = kernel.state === 'dead' || (problem !== null && !isLeft);
  return isShown ? <Trouble kernel={kernel} onLeave={() => setLeft(problem)} /> : null;
}

/** Nothing else is wrong than that there may be no kernel. */
const isMissing = ({ problem }: NotebookKernel) => problem === null || problem.code === 'no_kernel';

/** Where nothing runs it matters whether something could: what helps is offered, also after cells were run in vain. */
function NoKernel({ kernel }: { kernel: NotebookKernel | null }) {
  const view = useNotebook();
  const found = useResource<FoundKernels>('kernels');
  if (!found.data || !needsPython(found.data, codeKind(view.observed.doc, undefined))) {
    return kernel?.problem ? <Trouble kernel={kernel} /> : null;
  }
  const onAgain = () => {
    found.reload();
    // What was asked for in vain is tried again, which also says how that stands.
    if (kernel?.problem) void start(view);
  };
  return (
    <Suspense fallback={null}>
      <div className={styles.none}>
        <SetUpPython found={found.data} onAgain={onAgain} />
      </div>
    </Suspense>
  );
}
