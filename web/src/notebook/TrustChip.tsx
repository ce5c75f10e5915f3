import { useState } from 'react';
import { useStore } from 'zustand';
import { heldBack } from '../outputs/mime';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import type { NotebookTrust } from '../wire/gen/types';
import type { Runs } from './runs';
import { setTrusted, useTrustOf } from './trust';
import { useNotebook } from './view';

/** Says that something of a notebook waits for the person's trust, and lets them give it; for one that is trusted, the way back. */
export function TrustChip() {
  const { path, runs } = useNotebook();
  const trust = useTrustOf(path);
  const held = useStore(runs, hasHeldBack);
  const [looked, setLooked] = useState<NotebookTrust | null>(null);
  if (!trust || !(held || trust.waits || trust.said)) return null;
  const trusted = isTrusted(trust);
  return (
    <>
      <Button look="quiet" icon={trusted ? 'check' : 'hand'} onClick={() => setLooked(trust)}>
        {trusted ? 'Trusted' : 'Not trusted'}
      </Button>
      {looked && <TrustDialog trust={looked} onClose={() => setLooked(null)} />}
    </>
  );
}

const isTrusted = ({ trusted, waits }: NotebookTrust) => trusted && !waits;

function hasHeldBack({ cells }: Runs): boolean {
  for (const { execution, outputs } of cells.values()) {
    // What was run here is the person's own.
    if (execution === null && outputs.some((output) => output.type === 'display' && heldBack(output))) return true;
  }
  return false;
}

function TrustDialog({ trust, onClose }: { trust: NotebookTrust; onClose(): void }) {
  const trusted = isTrusted(trust);
  const say = (value: boolean) => {
    void setTrusted(trust, value);
    onClose();
  };
  return (
    <Dialog
      title={trusted ? 'This notebook is trusted' : 'Trust this notebook?'}
      onClose={onClose}
      footer={
        <>
          {trusted ? (
            <Button onClick={() => say(false)}>Trust it no longer</Button>
          ) : (
            <Button look="primary" onClick={() => say(true)}>
              Trust this notebook
            </Button>
          )}
          <Button onClick={onClose} data-first-focus>
            Close
          </Button>
        </>
      }
    >
      <p>
        Outputs may bring scripts of their own, such as charts that react to the mouse. They run only in notebooks that
        you trust, each in a frame of its own that reaches neither this page, nor your files, nor a network. Until then
        you see what can be shown without scripts.
      </p>
      <p>
        A notebook may also say how models are to work in it, and hold answers of models. What it says is followed only
        if you trust it; else models take it for somebody’s advice.
      </p>
      <p>
        What you say holds for what stands in it now, in every window: what another program writes into it later is not
        trusted. Where you use Jupyter it is signed there too, and a notebook that you signed there is trusted here.
      </p>
    </Dialog>
  );
}
