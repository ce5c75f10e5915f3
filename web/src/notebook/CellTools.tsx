import { isGuest } from '../app/session';
import { IconButton } from '../ui/Button';
import { Menu } from '../ui/Menu';
import { copySelected, cutSelected, paste, useClipboard } from './clipboard';
import * as edits from './edits';
import { clearOutputs, runPart } from './kernel';
import { canRun } from './kinds';
import styles from './Notebook.module.css';
import { useCell } from './observed';
import { isHiddenFromAi } from './shownToAi';
import { useNotebook } from './view';

/** What can be done to the cell that has the attention; each has a key too. */
export function CellTools({ cellKey, kind }: { cellKey: string; kind: string }) {
  const view = useNotebook();
  const hidden = useCell(view.observed, cellKey, isHiddenFromAi);
  const empty = useClipboard(({ cells }) => cells.length === 0);
  const run = (what: () => void) => () => {
    if (edits.activeKey(view) !== cellKey) return;
    what();
    edits.backToCells(view);
  };
  return (
    <div className={styles.tools} data-own>
      <IconButton icon="chevronUp" label="Move up" onClick={run(() => edits.moveSelected(view, -1))} />
      <IconButton icon="chevronDown" label="Move down" onClick={run(() => edits.moveSelected(view, 1))} />
      <IconButton icon="trash" label="Delete cell" onClick={run(() => edits.removeSelected(view))} />
      <Menu
        icon="more"
        label="More cell actions"
        items={[
          { label: 'Insert cell above', key: 'a', run: () => edits.insert(view, 'above') },
          { label: 'Insert cell below', key: 'b', run: () => edits.insert(view, 'below') },
          { label: 'Insert AI cell below', run: () => edits.insert(view, 'below', 'ai') },
          { label: 'Insert SQL cell below', run: () => edits.insert(view, 'below', 'sql') },
          { label: 'Cut', key: 'x', run: () => cutSelected(view) },
          { label: 'Copy', key: 'c', run: run(() => copySelected(view)) },
          { label: 'Paste below', key: 'v', run: () => paste(view, 'below'), disabled: empty },
          { label: 'Merge with cell below', key: 'Shift-m', run: () => edits.mergeSelected(view) },
          { label: hidden ? 'Show to AI' : 'Hide from AI', run: run(() => edits.toggleForAi(view)) },
          ...(canRun(kind) && !isGuest()
            ? [
                { label: 'Run all above', run: run(() => runPart(view, 'above')) },
                { label: 'Run this cell and all below', run: run(() => runPart(view, 'from')) },
                { label: 'Clear outputs', run: run(() => clearOutputs(view, edits.selectedKeys(view))) },
              ]
            : []),
          ...(canRun(kind)
            ? [
                { label: 'Show or hide code', key: 'Shift-o', run: run(() => edits.togglePart(view, 'source')) },
                { label: 'Show or hide outputs', key: 'o', run: run(() => edits.togglePart(view, 'outputs')) },
              ]
            : []),
          ...(kind === 'markdown'
            ? [
                {
                  label: 'Collapse or expand heading',
                  key: 'ArrowLeft',
                  run: run(() => edits.foldHeading(view, cellKey)),
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}
