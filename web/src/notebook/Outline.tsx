import { useSyncExternalStore } from 'react';
import { OutlineList } from '../ui/OutlineList';
import { kindOf, sourceText } from './cells';
import { select } from './edits';
import { type Heading, headingsIn } from './headings';
import styles from './Notebook.module.css';
import { only } from './selection';
import { type NotebookView, useNotebook, useShown } from './view';

/** The headings of the notebook, as a way to them. */
export function Outline() {
  const open = useShown((shown) => shown.outline);
  return open ? <List /> : null;
}

function List() {
  const view = useNotebook();
  const headings = useHeadings(view);
  const active = useShown(({ selection }) => selection.active);
  const entries = headings.map(({ key, level, text }, at) => ({
    // A cell can have the same heading twice.
    key: `${key} ${at}`,
    level,
    text,
    isCurrent: key === active,
    go: () => select(view, only(key)),
  }));
  return (
    <div className={styles.outline}>
      <OutlineList label="Notebook outline" entries={entries} empty="Headings in Markdown cells appear here." />
    </div>
  );
}

const known = new WeakMap<NotebookView, Heading[]>();

/** All headings; the same list as long as they are the same. */
function useHeadings(view: NotebookView): Heading[] {
  return useSyncExternalStore(
    (listener) => {
      const cells = view.observed.doc.getMap('cells');
      cells.observeDeep(listener);
      return () => cells.unobserveDeep(listener);
    },
    () => {
      const { doc } = view.observed;
      const keys = view.observed.keys().filter((key) => kindOf(doc, key) === 'markdown');
      const found = keys.flatMap((key) => headingsIn(key, sourceText(doc, key)));
      const before = known.get(view);
      if (before && JSON.stringify(before) === JSON.stringify(found)) return before;
      known.set(view, found);
      return found;
    },
  );
}
