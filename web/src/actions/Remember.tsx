import { useId, useState } from 'react';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { sentence } from '../ui/sentence';
import { TextBlock } from '../ui/TextBlock';
import type { ActionRecord, RuleOffer } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { Plain } from './Plain';
import styles from './Remember.module.css';
import { pastWords, type Reach, reachesOf, writtenText } from './rule';
import { accept, useActions } from './store';
import { useSettled } from './useSettled';
import { Words } from './Words';

/** Shows the rule that a yes would leave behind, before it does: its text, where it holds, what it would have allowed. */
export function Remember({ record, onClose }: { record: ActionRecord; onClose(): void }) {
  const { data: offer, failure } = useResource<RuleOffer>(`actions/${record.envelope.id}/rule`);
  return (
    <section className={styles.remember} aria-label="Accept and remember">
      {failure && (
        <p className={styles.problem}>
          <Icon name="error" /> {sentence(failure.message)}
        </p>
      )}
      {!offer && !failure && <p>Reading the rule…</p>}
      {offer ? (
        <Offer record={record} offer={offer} onClose={onClose} />
      ) : (
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      )}
    </section>
  );
}

function Offer({ record, offer, onClose }: { record: ActionRecord; offer: RuleOffer; onClose(): void }) {
  const reaches = reachesOf(record, offer);
  const [chosen, setReach] = useState<Reach | undefined>(reaches[0]);
  const deciding = useActions((state) => state.deciding.has(record.envelope.id));
  const settled = useSettled(`${record.approval_hash} ${chosen}`);
  const group = useId();
  if (!chosen) return <p>There is nowhere to remember it.</p>;
  const confirm = () => {
    onClose();
    void accept(record.envelope.id, chosen === 'turn' ? { scope: 'turn' } : { scope: 'always', rule_scope: chosen });
  };
  return (
    <>
      <fieldset className={styles.reaches}>
        <legend>How far does your yes reach?</legend>
        {reaches.map((reach) => (
          <label key={reach}>
            <input type="radio" name={group} checked={chosen === reach} onChange={() => setReach(reach)} />{' '}
            {REACHES[reach]}
          </label>
        ))}
      </fieldset>
      <p>
        <Words text={offer.sentence} /> {pastWords(offer)}
      </p>
      <Written reach={chosen} offer={offer} />
      <div className={styles.buttons}>
        <Button
          look="primary"
          disabled={deciding || !settled}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={confirm}
        >
          Accept and remember
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </>
  );
}

const REACHES: Record<Reach, string> = {
  turn: 'The rest of this turn',
  workspace: 'Always, in this workspace',
  everywhere: 'Always, in every workspace of mine',
};

function Written({ reach, offer }: { reach: Reach; offer: RuleOffer }) {
  return (
    <>
      <TextBlock>
        <Plain text={writtenText(reach, offer).trim()} />
      </TextBlock>
      <p className={styles.where}>
        {reach === 'turn' ? (
          'It is kept with this turn, and forgotten at its end.'
        ) : (
          <>
            It is written to <code>{offer.file}</code>, where you can change it or take it out.
          </>
        )}
      </p>
    </>
  );
}
