import { useStore } from 'zustand';
import { isGuest } from '../app/session';
import { Button, IconButton } from '../ui/Button';
import { Select } from '../ui/Field';
import type { IconName } from '../ui/Icon';
import { Menu } from '../ui/Menu';
import * as edits from './edits';
import { askForWords } from './FindBar';
import { KernelChip } from './KernelChip';
import { clearOutputs, interrupt, restart, restartAndRunAll, runPart, runSelected } from './kernel';
import { KINDS } from './kinds';
import styles from './Notebook.module.css';
import { useKind } from './observed';
import { isBusy } from './runs';
import { TrustChip } from './TrustChip';
import { useNotebook, useShown } from './view';

/** Above the cells: what is done most, and the kernel. */
export function Toolbar() {
  const view = useNotebook();
  const outline = useShown((shown) => shown.outline);
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Notebook">
      <Tool icon="plus" words="Cell" label="Insert cell below (B)" onClick={() => edits.insert(view, 'below')} />
      {!isGuest() && <RunTools />}
      <KindChoice />
      <IconButton icon="search" label="Find and replace (F)" onClick={() => askForWords(view)} />
      <IconButton
        icon="menu"
        label="Outline"
        aria-pressed={outline}
        onClick={() => view.shown.setState({ outline: !outline })}
      />
      <span className={styles.space} />
      {isGuest() ? (
        <span className={styles.owners}>Only the owner can run cells</span>
      ) : (
        <>
          <TrustChip />
          <KernelChip />
        </>
      )}
    </div>
  );
}

/** A tool with its word; where a narrow window has no room for it, the shape alone. */
function Tool({ words, label, ...button }: { icon: IconName; words: string; label: string; onClick(): void }) {
  return (
    <Button look="quiet" aria-label={label} title={label} {...button}>
      <span className={styles.word}>{words}</span>
    </Button>
  );
}

/** What the kernel is asked for. */
function RunTools() {
  const view = useNotebook();
  const busy = useStore(view.runs, isBusy);
  /** The next key is for the cells again, unless the person has gone elsewhere meanwhile. */
  const then = (what: () => unknown) => async () => {
    await what();
    const at = document.activeElement;
    if (at === document.body || at?.closest('[role="toolbar"]')) edits.backToCells(view);
  };
  return (
    <>
      <Tool icon="play" words="Run" label="Run and advance (Shift-Enter)" onClick={() => runSelected(view, 'next')} />
      <Menu
        icon="chevronDown"
        label="Run"
        items={[
          { label: 'Run all cells', run: then(() => runPart(view, 'all')) },
          { label: 'Run all above', run: then(() => runPart(view, 'above')) },
          { label: 'Run this cell and all below', run: then(() => runPart(view, 'from')) },
          { label: 'Restart kernel', key: '0 0', run: then(() => restart(view)) },
          { label: 'Restart kernel and run all cells', run: then(() => restartAndRunAll(view)) },
          { label: 'Clear all outputs', run: then(() => clearOutputs(view, view.observed.keys())) },
        ]}
      />
      <IconButton icon="stop" label="Interrupt (I I)" disabled={!busy} onClick={then(() => interrupt(view))} />
    </>
  );
}

function KindChoice() {
  const view = useNotebook();
  const active = useShown(({ selection }) => selection.active);
  return active === null ? null : <KindOf key={active} cellKey={active} view={view} />;
}

function KindOf({ cellKey, view }: { cellKey: string; view: ReturnType<typeof useNotebook> }) {
  const kind = useKind(view.observed, cellKey);
  return (
    <Select
      look="quiet"
      aria-label="Cell type"
      value={kind}
      onChange={(event) => {
        edits.changeKind(view, event.target.value);
        edits.backToCells(view);
      }}
    >
      {!(kind in KINDS) && <option value={kind}>{kind || 'Unknown'}</option>}
      {Object.entries(KINDS).map(([value, { name }]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </Select>
  );
}
