import { costWords, timeWords } from '../models/money';
import { usageLine, usageRows } from '../models/usage';
import type { Cost, Usage } from '../wire/gen/types';
import styles from './UsageLine.module.css';

/** Under an answer: what it used and cost; opened, every kind of token. */
export function UsageLine({ usage, cost }: { usage: Usage | null; cost: Cost | null }) {
  const line = usageLine(usage, cost);
  if (line === null) return null;
  return (
    <details className={styles.usage}>
      <summary title="Usage and cost of this answer">{line}</summary>
      <dl>
        {usage &&
          usageRows(usage).map(({ what, count }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{count}</dd>
            </div>
          ))}
        {cost && (
          <>
            <div>
              <dt>Cost</dt>
              <dd>{cost.local > 0 && cost.picodollars === 0 ? 'none, on this computer' : costWords(cost)}</dd>
            </div>
            <div>
              <dt>Model time</dt>
              <dd>{timeWords(cost)}</dd>
            </div>
          </>
        )}
      </dl>
    </details>
  );
}
