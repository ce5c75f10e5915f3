import { openView } from '../frames/store';
import type { Page } from '../frames/tree';
import styles from './Sections.module.css';

const SECTIONS: readonly { readonly page: Page; readonly words: string }[] = [
  { page: 'settings', words: 'General' },
  { page: 'models', words: 'Models' },
  { page: 'policy', words: 'Permissions' },
  { page: 'grants', words: 'Access tokens' },
  { page: 'programs', words: 'MCP' },
];

/** The pages on which it is settled who may do what, and who answers. */
export function Sections({ current }: { current: Page }) {
  return (
    <nav className={styles.sections} aria-label="Settings">
      {SECTIONS.map(({ page, words }) => (
        <button
          key={page}
          type="button"
          aria-current={page === current ? 'page' : undefined}
          onClick={() => openView({ kind: page })}
        >
          {words}
        </button>
      ))}
    </nav>
  );
}
