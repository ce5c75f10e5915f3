import type { PriceList } from '../wire/gen/types';
import styles from './Models.module.css';

/** Which lists the prices are from, and how old they are. */
export function Prices({ lists, file }: { lists: readonly PriceList[]; file: string | null }) {
  return (
    <div className={styles.prices}>
      <ul>
        {lists.map(({ source, date, models }) => (
          <li key={`${source} ${date}`}>
            {source}
            {date && <time dateTime={date}>, {date}</time>}: {models.toLocaleString('en')}{' '}
            {models === 1 ? 'model' : 'models'}
          </li>
        ))}
      </ul>
      <p className={styles.place}>
        The first list that knows a model counts; where a price depends on the hour, the dearer one.
        {file && (
          <>
            {' '}
            Limits and prices of your own are in <code>{file}</code>.
          </>
        )}
      </p>
    </div>
  );
}
