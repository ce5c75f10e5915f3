import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { LiveOutput } from '../actions/LiveOutput';
import { doAction } from '../app/actionFlow';
import { Button } from '../ui/Button';
import { Problem } from '../ui/Note';
import { stopAction, submitAction } from '../wire/actions';
import type { ActionId, Failure, FoundKernels, Preview, Submitted } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import styles from './Kernel.module.css';

const PreviewBody = lazy(async () => ({ default: (await import('../actions/ActionCard')).PreviewBody }));

interface Props {
  readonly found: FoundKernels;
  /** The folder of an environment in the workspace; absent, the project's own or a new one. */
  readonly environment?: string;
  /** What the button says. */
  readonly label: string;
  readonly look?: 'primary';
  onAgain(): void;
  /** More buttons, given whether it is under way. */
  readonly more?: (isUnderWay: boolean) => ReactNode;
}

/**
 * Installs a kernel for Python. What would be done is shown as the action says it, and a person says yes to that: here, or
 * where the rules have them asked anyway.
 */
export function SetUp({ found, environment, label, look, onAgain, more }: Props) {
  const action = { action_type: 'kernel.setup', args: environment === undefined ? {} : { environment } };
  const [at, setAt] = useState<'rest' | 'shown' | 'asked' | ActionId>('rest');
  const { preview, failure, isAsked } = useShown(found, environment);
  const setUp = async () => {
    setAt('asked');
    const done = await doAction(action, { done: 'Python kernel installed', begun: setAt });
    setAt('rest');
    if (done) onAgain();
  };
  const runs = at !== 'rest' && at !== 'shown' && at !== 'asked';
  return (
    <>
      {at === 'shown' && preview && (
        <section className={styles.would} aria-label="Command preview">
          <Suspense fallback={null}>
            <PreviewBody record={null} preview={preview} />
          </Suspense>
        </section>
      )}
      {failure && <Problem failure={failure} />}
      {runs && (
        <div role="status" aria-label="Installation output">
          <LiveOutput action={at} />
        </div>
      )}
      <div className={styles.buttons}>
        {at === 'shown' ? (
          <>
            <Button look="primary" onClick={() => void setUp()}>
              Run
            </Button>
            <Button onClick={() => setAt('rest')}>Not now</Button>
          </>
        ) : (
          <Button
            look={look}
            disabled={at !== 'rest' || preview === null || failure !== null}
            onClick={() => (isAsked ? void setUp() : setAt('shown'))}
          >
            {runs ? 'Setting up…' : label}
          </Button>
        )}
        {runs && (
          <Button icon="stop" onClick={() => void stopAction(at)}>
            Stop
          </Button>
        )}
        {more?.(at !== 'rest')}
      </div>
    </>
  );
}

interface Shown {
  readonly preview: Preview | null;
  /** Why it can't be done. */
  readonly failure: Failure | null;
  /** The rules have the person asked, with the same preview. */
  readonly isAsked: boolean;
}

/** What the action would do here, or why it can't; asked again whenever it was looked for kernels again. */
function useShown(found: FoundKernels, environment: string | undefined): Shown {
  const [shown, setShown] = useState<Shown>(NOTHING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another look may have found another state of things
  useEffect(() => {
    let wanted = true;
    const args = environment === undefined ? {} : { environment };
    submitAction({ action_type: 'kernel.setup', args, dry_run: true }).then(
      (answer) => wanted && setShown(shownIn(answer)),
      (error) => wanted && setShown({ ...NOTHING, failure: failureOf(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [found, environment]);
  return shown;
}

const NOTHING: Shown = { preview: null, failure: null, isAsked: false };

function shownIn({ outcome, preview, record }: Submitted): Shown {
  const failure = outcome && 'failure' in outcome ? outcome.failure : null;
  return { preview: preview ?? null, failure, isAsked: record.verdict.ruling === 'confirm' };
}
