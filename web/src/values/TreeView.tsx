import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { Plain } from '../actions/Plain';
import { openFile } from '../frames/store';
import { useArrival } from '../frames/useArrival';
import { announce } from '../ui/Announcer';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { useVirtualRows } from '../ui/virtualRows';
import { inSlices } from '../viewers/slices';
import { Unshown } from '../viewers/Unshown';
import { useFileBytes } from '../viewers/useFileBytes';
import viewer from '../viewers/Viewer.module.css';
import { ViewerBar } from '../viewers/ViewerBar';
import { chooseWay } from '../viewers/ways';
import { countWords, sizeWords } from '../viewers/words';
import { failureOf } from '../wire/requests';
import { faultIn, placeOf } from './json';
import { isContainer, MOST_ROWS, openedTo, rowsOf, type TreeRow, type ValueNode } from './node';
import { readValues, type Values } from './read';
import styles from './TreeView.module.css';

/** Pixels of a row. */
const ROW = 22;
/** The most characters of a text in which faults are looked for in all of its values. */
const MOST_CHECKED = 5_000_000;
/** The most characters of a value in its row. */
const SHOWN = 500;

/** The values of a JSON, YAML or TOML file as a tree. Arrows walk and open it. */
export default function TreeView({ path, tab }: { path: string; tab: string }) {
  const { bytes, failure } = useFileBytes(path);
  const text = useMemo(() => bytes && new TextDecoder().decode(bytes), [bytes]);
  const { values, wrong } = useValues(text, path);
  if (failure) return <Unshown path={path} message={failure.message} hint={failure.hint} hasSource />;
  if (wrong !== null) return <Unshown path={path} message={wrong} hasSource />;
  if (!values || text === undefined) return <div className={viewer.view} aria-busy="true" />;
  return <Opened path={path} tab={tab} text={text} values={values} size={bytes?.length ?? 0} />;
}

/** The values of a text; the last ones that could be read stay while it can't be. */
function useValues(text: string | undefined, path: string): { values: Values | null; wrong: string | null } {
  const [read, setRead] = useState<{ values: Values | null; wrong: string | null }>({ values: null, wrong: null });
  useEffect(() => {
    if (text === undefined) return;
    const giveUp = new AbortController();
    const show = (values: Values | null, wrong: string | null) => !giveUp.signal.aborted && setRead({ values, wrong });
    readValues(text, path).then(
      async (values) => {
        show(values, null);
        if (!values.isJson || text.length > MOST_CHECKED) return;
        const fault = await inSlices(faultIn(text, values.top), giveUp.signal);
        if (fault) show({ ...values, fault: `line ${fault.line}, column ${fault.column}` }, null);
      },
      (error: unknown) => show(null, failureOf(error).message),
    );
    return () => giveUp.abort();
  }, [text, path]);
  return read;
}

interface OpenedProps {
  path: string;
  tab: string;
  text: string;
  values: Values;
  size: number;
}

function Opened({ path, tab, text, values: { top, fault }, size }: OpenedProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => openedTo(top, 2, 300));
  const [at, setAt] = useState('$');
  const rows = useMemo(() => rowsOf(top, opened), [top, opened]);
  const view = useVirtualRows<HTMLDivElement>(rows.length, ROW);
  useArrival(tab, () => view.scroller.current);
  const index = Math.max(
    0,
    rows.findIndex((row) => row.path === at),
  );
  const row = rows[index] as TreeRow;
  const toggle = ({ path: way }: TreeRow, open: boolean) => {
    const next = new Set(opened);
    if (open) next.add(way);
    else next.delete(way);
    setOpened(next);
  };
  const go = (to: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (!next) return;
    setAt(next.path);
    view.reveal(rows.indexOf(next));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'c' && getSelection()?.isCollapsed)
      void copy(valueText(row.node), 'Value copied');
    else if (!walk(event, { rows, index, row, page: view.page, go, toggle })) return;
    event.preventDefault();
  };
  const name = path.slice(path.lastIndexOf('/') + 1);
  const toSource = () => {
    chooseWay(path, 'source');
    const place = row.node.at === null ? null : placeOf(text, row.node.at);
    if (place) openFile(path, { line: place.line });
  };
  return (
    <div className={viewer.view}>
      <ViewerBar path={path} facts={`${countWords(top.children().length, 'value')} · ${sizeWords(size)}`}>
        <Button look="quiet" onClick={() => setOpened(openedTo(top, 100))}>
          Expand all
        </Button>
        <Button look="quiet" onClick={() => setOpened(new Set(['$']))}>
          Collapse all
        </Button>
      </ViewerBar>
      {fault !== null && (
        <p className={viewer.warning} role="status">
          The file can’t be read from {fault}. Values before that are shown.
        </p>
      )}
      {rows.length >= MOST_ROWS && (
        <p className={viewer.warning} role="status">
          Only the first {MOST_ROWS.toLocaleString('en')} rows are shown. Collapse some values to see others.
        </p>
      )}
      <div
        ref={view.scroller}
        role="tree"
        tabIndex={0}
        className={styles.tree}
        aria-label={`Values of ${name}`}
        aria-activedescendant={`${tab}-value-${index}`}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" className={styles.all} style={{ height: view.height }}>
          <div role="presentation" className={styles.rows} style={{ top: view.before }}>
            {rows.slice(view.first, view.end).map((each, offset) => (
              <Row
                key={each.path}
                id={`${tab}-value-${view.first + offset}`}
                row={each}
                selected={each.path === row.path}
                onSelect={() => setAt(each.path)}
                onToggle={() => toggle(each, !each.open)}
              />
            ))}
          </div>
        </div>
      </div>
      <footer className={styles.foot}>
        <code title={row.path}>
          <Plain text={row.path} />
        </code>
        <IconButton icon="link" label="Copy path" onClick={() => void copy(row.path, 'Path copied')} />
        <IconButton icon="copy" label="Copy value" onClick={() => void copy(valueText(row.node), 'Value copied')} />
        {row.node.at !== null && (
          <Button look="quiet" onClick={toSource}>
            Show in source
          </Button>
        )}
      </footer>
    </div>
  );
}

interface RowProps {
  id: string;
  row: TreeRow;
  selected: boolean;
  onSelect(): void;
  onToggle(): void;
}

function Row({ id, row: { node, depth, open }, selected, onSelect, onToggle }: RowProps) {
  const container = isContainer(node);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the keyboard, and names its row.
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={container ? open : undefined}
      aria-selected={selected}
      className={styles.row}
      style={{ paddingInlineStart: `calc(var(--space-3) + ${Math.min(depth, 40)} * 1rem)` }}
      onClick={() => {
        onSelect();
        if (container) onToggle();
      }}
    >
      <span className={styles.twist}>
        {container && <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />}
      </span>
      {node.name !== null && (
        <span className={styles.name}>
          <Plain text={String(node.name).slice(0, SHOWN)} />:
        </span>
      )}
      <span className={styles.value} data-kind={node.kind}>
        {container ? containerWords(node) : <Plain text={leafWords(node)} />}
      </span>
    </div>
  );
}

function containerWords({ kind, size }: ValueNode): string {
  const [open, close] = kind === 'array' ? '[]' : '{}';
  return size === null ? `${open}…${close}` : `${open}${size.toLocaleString('en')}${close}`;
}

function leafWords({ kind, text }: ValueNode): string {
  const cut = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return kind === 'string' ? `"${cut}"` : cut;
}

/** A value as JSON, as far as it is one. */
function valueText(node: ValueNode): string {
  if (!isContainer(node)) return node.text;
  return JSON.stringify(plainOf(node, 200), null, 2);
}

function plainOf(node: ValueNode, depth: number): unknown {
  if (depth === 0) return '…';
  if (node.kind === 'array') return node.children().map((child) => plainOf(child, depth - 1));
  if (node.kind === 'object')
    return Object.fromEntries(node.children().map((child) => [child.name, plainOf(child, depth - 1)]));
  if (node.kind === 'null') return null;
  if (node.kind === 'boolean') return node.text === 'true';
  const number = Number(node.text);
  return node.kind === 'number' && String(number) === node.text ? number : node.text;
}

interface Walking {
  rows: readonly TreeRow[];
  index: number;
  row: TreeRow;
  page: number;
  go(to: number): void;
  toggle(row: TreeRow, open: boolean): void;
}

/** Does what a key does in a tree; false for one that does nothing. */
function walk(
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  { rows, index, row, page, go, toggle }: Walking,
): boolean {
  if (altKey || ctrlKey || metaKey) return false;
  const container = isContainer(row.node);
  const steps: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: rows.length - 1,
  };
  const step = steps[key];
  if (step !== undefined) go(step);
  else if (key === 'ArrowRight' && container && !row.open) toggle(row, true);
  else if (key === 'ArrowRight' && container) go(index + 1);
  else if (key === 'ArrowLeft' && row.open) toggle(row, false);
  else if (key === 'ArrowLeft') go(parentOf(rows, index));
  else if ((key === 'Enter' || key === ' ') && container) toggle(row, !row.open);
  else return false;
  return true;
}

function parentOf(rows: readonly TreeRow[], index: number): number {
  const depth = (rows[index]?.depth ?? 0) - 1;
  for (let at = index; at >= 0; at--) if (rows[at]?.depth === depth) return at;
  return 0;
}

async function copy(text: string, said: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  announce(said);
}
