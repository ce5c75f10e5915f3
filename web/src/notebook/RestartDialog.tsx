import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { useNotebook, useShown } from './view';

/** Asks once before a restart takes away what the kernel has computed. */
export function RestartDialog() {
  const answer = useShown(({ restarting }) => restarting);
  return answer && <Question answer={answer} />;
}

function Question({ answer }: { answer(sure: boolean): void }) {
  const { shown } = useNotebook();
  const end = (sure: boolean) => {
    shown.setState({ restarting: null });
    answer(sure);
  };
  return (
    <Dialog
      title="Restart the kernel?"
      onClose={() => end(false)}
      footer={
        <>
          <Button onClick={() => end(false)}>Cancel</Button>
          <Button look="danger" onClick={() => end(true)} data-first-focus>
            Restart
          </Button>
        </>
      }
    >
      <p>All variables will be lost.</p>
    </Dialog>
  );
}
