import { useState } from 'react';
import { useStore } from 'zustand';
import { heldBack } from '../outputs/mime';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import type { Runs } from './runs';
import { setTrusted, useTrust } from './trust';
import { useNotebook } from './view';

/** Says that outputs are held back, and lets the person trust the notebook; for one that is trusted, the way back. */
export function TrustChip() {
  const { path, runs } = useNotebook();
  const trusted = useTrust(path);
  const held = useStore(runs, hasHeldBack);
  const [open, setOpen] = useState(false);
  if (!held) return null;
  return (
    <>
      <Button look="quiet" icon={trusted ? 'check' : 'hand'} onClick={() => setOpen(true)}>
        {trusted ? 'Trusted' : 'Not trusted'}
      </Button>
      {open && <TrustDialog path={path} trusted={trusted} onClose={() => setOpen(false)} />}
    </>
  );
}

function hasHeldBack({ cells }: Runs): boolean {
  for (const { execution, outputs } of cells.values()) {
    // What was run here is the person's own.
    if (execution === null && outputs.some((output) => output.type === 'display' && heldBack(output))) return true;
  }
  return false;
}

function TrustDialog({ path, trusted, onClose }: { path: string; trusted: boolean; onClose(): void }) {
  const say = (value: boolean) => {
    void setTrusted(path, value);
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
        Some of its outputs bring scripts of their own, such as charts that react to the mouse. They run only in
        notebooks that you trust, each in a frame of its own that reaches neither this page, nor your files, nor a
        network. Until then you see what can be shown without scripts.
      </p>
      <p>
        What you say holds for what stands in it now, in every window: what another program writes into it later is not
        trusted. Where you use Jupyter it is signed there too, and a notebook that you signed there is trusted here.
      </p>
    </Dialog>
  );
}
