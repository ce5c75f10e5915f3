import { Field, Input, Select } from '../ui/Field';
import type { AiRestriction, RuleScope } from '../wire/gen/types';
import { restrict, useAssistantState } from './level';
import styles from './Restrictions.module.css';
import { becauseOf, LEVELS, localTime, reasonWords, windowWords } from './words';

const PLACES: readonly { readonly scope: RuleScope; readonly by: 'user' | 'workspace'; readonly name: string }[] = [
  { scope: 'everywhere', by: 'user', name: 'For you, in every folder' },
  { scope: 'workspace', by: 'workspace', name: 'In this folder, for everyone (aside-policy.toml)' },
];

/** How far AI goes: what holds, who says so, and what the person has a say in. */
export function Restrictions() {
  const state = useAssistantState();
  if (!state) return null;
  return (
    <section className={styles.restrictions} aria-label="AI restrictions">
      <h3>AI restrictions</h3>
      <p role="status">{becauseOf(state)}</p>
      {PLACES.map((place) => {
        const own = state.restrictions.find(({ by }) => by === place.by)?.restriction ?? { level: 'full' };
        return <Level key={`${place.scope} ${own.from} ${own.until}`} place={place} own={own} />;
      })}
      {state.restrictions.some(({ restriction }, index) => index > 0 || windowWords(restriction) !== '') && (
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

function Level({ place, own }: { place: (typeof PLACES)[number]; own: AiRestriction }) {
  const say = (next: AiRestriction) =>
    void restrict(next.level === 'full' ? { scope: place.scope } : { ...next, scope: place.scope });
  return (
    <div>
      <Field label={place.name}>
        {(id) => (
          <Select
            id={id}
            value={own.level}
            onChange={(event) => say({ ...own, level: event.target.value as AiRestriction['level'] })}
          >
            {LEVELS.map((each) => (
              <option key={each.level} value={each.level} title={each.meaning}>
                {each.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {own.level !== 'full' && (
        <div className={styles.window}>
          <Time label="From" time={own.from} onSay={(from) => say({ ...own, from })} />
          <Time label="Until" time={own.until} onSay={(until) => say({ ...own, until })} />
        </div>
      )}
    </div>
  );
}

/** One end of the time in which a level holds; empty for none. Said when the person leaves it. */
function Time({ label, time, onSay }: { label: string; time?: number; onSay(time?: number): void }) {
  const before = time === undefined ? '' : localTime(time);
  return (
    <Field label={label}>
      {(id) => (
        <Input
          id={id}
          type="datetime-local"
          defaultValue={before}
          onBlur={({ target }) => {
            if (target.value !== before) onSay(target.value === '' ? undefined : new Date(target.value).getTime());
          }}
        />
      )}
    </Field>
  );
}
