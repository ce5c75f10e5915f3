import { useSyncExternalStore } from 'react';
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
  return (
    <nav className={styles.outline} aria-label="Notebook outline">
      {headings.length === 0 && <p>Headings in Markdown cells appear here.</p>}
      <ul>
        {headings.map(({ key, level, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell can have the same heading twice
          <li key={`${key} ${at}`} style={{ paddingInlineStart: `${(level - 1) * 0.75}rem` }}>
            <button type="button" aria-current={key === active || undefined} onClick={() => select(view, only(key))}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </nav>
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
