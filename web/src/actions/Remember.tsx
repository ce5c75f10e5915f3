import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Problem } from '../ui/Note';
import { sentence } from '../ui/sentence';
import { TextBlock } from '../ui/TextBlock';
import type { ActionRecord, RuleOffer } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { draftOf, editOf, type RuleDraft } from './draft';
import { Plain } from './Plain';
import styles from './Remember.module.css';
import { RuleFields } from './RuleFields';
import { pastWords, type Reach, reachesOf, writtenText } from './rule';
import { accept, useActions } from './store';
import { useEditedRule } from './useEditedRule';
import { useSettled } from './useSettled';
import { Words } from './Words';

/** Shows the rule that a yes would leave behind, before it does: its text, where it holds, what it would have allowed. */
export function Remember({ record, onClose }: { record: ActionRecord; onClose(): void }) {
  const { data: offer, failure } = useResource<RuleOffer>(`actions/${record.envelope.id}/rule`);
  const section = useRef<HTMLElement>(null);
  // A card that has little room shows its end only when it is scrolled to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is longer once the rule is there
  useEffect(() => {
    // In newer browsers it returns a promise, which is no way to end an effect.
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [offer]);
  return (
    <section ref={section} className={styles.remember} aria-label="Accept and remember">
      {failure && (
        <p className={styles.problem}>
          <Icon name="error" /> {sentence(failure.message)}
        </p>
      )}
      {!offer && !failure && <p>Loading the rule…</p>}
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

function Offer({ record, offer: offered, onClose }: { record: ActionRecord; offer: RuleOffer; onClose(): void }) {
  const id = record.envelope.id;
  const first = useMemo(() => draftOf(offered.rule), [offered]);
  const [draft, setDraft] = useState<RuleDraft | null>(null);
  const edit = draft && editOf(draft);
  const checked = useEditedRule(id, edit);
  const offer = (draft && checked.offer) || offered;
  const reaches = reachesOf(record, offered);
  const [chosen, setReach] = useState<Reach | undefined>(reaches[0]);
  const deciding = useActions((state) => state.deciding.has(id));
  const settled = useSettled(`${record.approval_hash} ${chosen} ${offer.workspace_text}`);
  if (!chosen) return <p>This approval can’t be remembered.</p>;
  const confirm = () => {
    onClose();
    const reach = chosen === 'turn' ? { scope: 'turn' as const } : { scope: 'always' as const, rule_scope: chosen };
    void accept(id, edit ? { ...reach, rule: edit } : reach);
  };
  const unsure = draft !== null && (checked.busy || checked.failure !== null || checked.offer === null);
  return (
    <>
      <Reaches reaches={reaches} chosen={chosen} onChoose={setReach} />
      {draft && <RuleFields draft={draft} offered={first} onChange={setDraft} />}
      {draft && checked.failure && <Problem failure={checked.failure} />}
      <p aria-live="polite">
        <Words text={offer.sentence} /> {pastWords(offer)}
      </p>
      <Beyond offer={offer} />
      <Written reach={chosen} offer={offer} />
      <div className={styles.buttons}>
        <Button
          look={offer.beyond.length > 0 ? 'danger' : 'primary'}
          disabled={deciding || !settled || unsure}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={confirm}
        >
          Accept and remember
        </Button>
        <Button look="quiet" onClick={() => setDraft(draft ? null : first)}>
          {draft ? 'Reset rule' : 'Edit rule…'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </>
  );
}

function Reaches(props: { reaches: readonly Reach[]; chosen: Reach; onChoose(reach: Reach): void }) {
  const group = useId();
  return (
    <fieldset className={styles.reaches}>
      <legend>Scope of this approval</legend>
      {props.reaches.map((reach) => (
        <label key={reach}>
          <input type="radio" name={group} checked={props.chosen === reach} onChange={() => props.onChoose(reach)} />{' '}
          {REACHES[reach]}
        </label>
      ))}
    </fieldset>
  );
}

/** What the rule allows that was not asked for, as the server sees it. */
function Beyond({ offer }: { offer: RuleOffer }) {
  if (offer.beyond.length === 0) return null;
  return (
    <div className={styles.beyond} role="status">
      <p>
        <Icon name="warning" size={14} /> The rule allows more than this request:
      </p>
      <ul>
        {offer.beyond.map((more) => (
          <li key={more}>
            <Words text={more} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const REACHES: Record<Reach, string> = {
  turn: 'The rest of this turn',
  workspace: 'Always, in this workspace',
  everywhere: 'Always, in all my workspaces',
};

function Written({ reach, offer }: { reach: Reach; offer: RuleOffer }) {
  return (
    <>
      <TextBlock>
        <Plain text={writtenText(reach, offer).trim()} />
      </TextBlock>
      <p className={styles.where}>
        {reach === 'turn' ? (
          'Expires at the end of this turn.'
        ) : (
          <>
            Saved in <code>{offer.file}</code>. You can edit or delete it there.
          </>
        )}
      </p>
    </>
  );
}
