import { Field, Select } from '../ui/Field';
import type { AiLevel, RuleScope } from '../wire/gen/types';
import { restrict, useAssistantState } from './level';
import styles from './Restrictions.module.css';
import { becauseOf, LEVELS, reasonWords } from './words';

const PLACES: readonly { readonly scope: RuleScope; readonly by: 'user' | 'workspace'; readonly name: string }[] = [
  { scope: 'everywhere', by: 'user', name: 'For you, in every folder' },
  { scope: 'workspace', by: 'workspace', name: 'In this folder, for everyone (aside-policy.toml)' },
];

/** How far AI goes: what holds, who says so, and what the person has a say in. */
export function Restrictions() {
  const state = useAssistantState();
  if (!state) return null;
  return (
    <section className={styles.restrictions} aria-label="How far AI goes">
      <h3>How far AI goes</h3>
      <p role="status">{becauseOf(state)}</p>
      {PLACES.map((place) => {
        const own = state.restrictions.find(({ by }) => by === place.by)?.restriction.level ?? 'full';
        return <Level key={place.scope} place={place} level={own} />;
      })}
      {state.restrictions.length > 1 && (
        <ul>
          {state.restrictions.map((reason, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is read whole each time.
            <li key={index}>{reasonWords(reason)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Level({ place, level }: { place: (typeof PLACES)[number]; level: AiLevel }) {
  const choose = (next: AiLevel) =>
    void restrict(next === 'full' ? { scope: place.scope } : { scope: place.scope, level: next });
  return (
    <Field label={place.name}>
      {(id) => (
        <Select id={id} value={level} onChange={(event) => choose(event.target.value as AiLevel)}>
          {LEVELS.map((each) => (
            <option key={each.level} value={each.level} title={each.meaning}>
              {each.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
