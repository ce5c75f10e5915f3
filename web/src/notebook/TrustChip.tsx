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
            <Button onClick={() => say(false)}>Revoke trust</Button>
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
        Outputs can contain scripts, such as interactive charts. Scripts run only in trusted notebooks, in isolated
        frames without access to this page, your files or the network.
      </p>
      <p>
        A notebook can also contain instructions for models and their earlier answers. Models follow them only in
        trusted notebooks; otherwise they treat them as untrusted content.
      </p>
      <p>
        Trust covers the current content in every window. Later changes by other programs are not trusted. Jupyter and
        Aside share this setting.
      </p>
    </Dialog>
  );
}
