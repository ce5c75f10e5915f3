import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { type Losing, useNotebook, useShown } from './view';

/** Asks once before something takes away what a kernel has computed. */
export function LosingDialog() {
  const losing = useShown((shown) => shown.losing);
  return losing && <Question {...losing} />;
}

function Question({ verb, what, answer }: Losing) {
  const { shown } = useNotebook();
  const end = (sure: boolean) => {
    shown.setState({ losing: null });
    answer(sure);
  };
  return (
    <Dialog
      title={`${verb} ${what}?`}
      onClose={() => end(false)}
      footer={
        <>
          <Button onClick={() => end(false)}>Cancel</Button>
          <Button look="danger" onClick={() => end(true)} data-first-focus>
            {verb}
          </Button>
        </>
      }
    >
      <p>All variables will be lost.</p>
    </Dialog>
  );
}
