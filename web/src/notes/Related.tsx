import { relatedPathOf } from '../search/api';
import { placeWords } from '../search/cards';
import { goToHit } from '../search/goToHit';
import { ReadState } from '../ui/ReadState';
import type { SearchAnswer } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import styles from './Links.module.css';

/** The notes that are like this one, each with the place that is most like it. */
export function Related({ path }: { path: string }) {
  const { data, failure, loading, reload } = useResource<SearchAnswer>(relatedPathOf(path));
  return (
    <>
      <ReadState shown={data !== undefined} loading={loading} failure={failure} onAgain={reload} />
      {data?.hits.length === 0 && (
        <p className={styles.quiet}>
          {data.index.state === 'reading'
            ? 'Reading the files of this folder.'
            : 'No other document is like this note.'}
        </p>
      )}
      <ul className={styles.rows}>
        {data?.hits.map((hit) => (
          <li key={hit.path}>
            <button
              type="button"
              className={styles.row}
              title={[hit.path, placeWords(hit)].filter(Boolean).join(', ')}
              onClick={() => goToHit(hit)}
            >
              <span className={styles.words}>
                <strong>{hit.title || hit.path}</strong>
                <span className={styles.excerpt}>{hit.text}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
