import { useId } from 'react';
import { flushSync } from 'react-dom';
import { type NavView, showNav } from '../app/shell';
import { useIsGuest } from '../side/modes';
import { registerFindCommands } from './commands';
import { FindInFiles } from './FindInFiles';
import { Search } from './Search';
import styles from './SearchPanel.module.css';

type View = Exclude<NavView, 'files'>;

const VIEWS: readonly { view: View; name: string }[] = [
  { view: 'search', name: 'Search' },
  { view: 'find', name: 'Find in files' },
];

registerFindCommands();

/** In the place of the explorer: the search by words and meaning, or the one that reads all files. */
export default function SearchPanel({ view: wanted }: { view: View }) {
  const id = useId();
  const views = useIsGuest() ? VIEWS.slice(1) : VIEWS;
  const view = views.some((each) => each.view === wanted) ? wanted : 'find';
  const onKeyDown = ({ key }: React.KeyboardEvent) => {
    if ((key !== 'ArrowRight' && key !== 'ArrowLeft') || views.length < 2) return;
    const other = view === 'search' ? 'find' : 'search';
    flushSync(() => showNav(other));
    document.getElementById(`${id}-${other}`)?.focus();
  };
  return (
    <div className={styles.panel}>
      <div className={styles.tabs} role="tablist" aria-label="Search" onKeyDown={onKeyDown}>
        {views.map((each) => (
          <button
            key={each.view}
            type="button"
            role="tab"
            id={`${id}-${each.view}`}
            className={styles.tab}
            aria-selected={each.view === view}
            aria-controls={`${id}-panel`}
            tabIndex={each.view === view ? 0 : -1}
            onClick={() => showNav(each.view)}
          >
            {each.name}
          </button>
        ))}
      </div>
      <div className={styles.content} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${view}`}>
        {view === 'search' ? <Search /> : <FindInFiles />}
      </div>
    </div>
  );
}
