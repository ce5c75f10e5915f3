import { type TextSize, useFocus } from '../editor/focus';
import { Select } from '../ui/Field';
import { Icon } from '../ui/Icon';
import type { Focus } from '../wire/gen/types';
import styles from './Chips.module.css';
import { focusWords, partWords, SCOPES, type Scope, scopeWords } from './focusWords';
import { chooseScope } from './send';
import { useSending } from './sending';

/** What of the file goes along with the next message, and the choice of something else. */
export function FocusChip() {
  const { focus, size } = useFocus();
  const scope = useSending((state) => state.scope);
  if (!focus) return null;
  const offered = SCOPES.filter(({ scope }) => scope !== 'selection' || focus.selection);
  const chosen = offered.some((each) => each.scope === scope) ? scope : 'auto';
  return (
    <div className={styles.chips}>
      <span className={styles.chip}>
        <Icon name={chosen === 'nothing' ? 'bar' : 'file'} size={14} />
        <span className={styles.label}>{chipWords(focus, size, chosen)}</span>
        <Select
          look="quiet"
          className={styles.scope}
          aria-label="File context"
          title={offered.find((each) => each.scope === chosen)?.meaning}
          value={chosen}
          onChange={(event) => chooseScope(event.target.value as typeof chosen)}
        >
          {offered.map((each) => (
            <option key={each.scope} value={each.scope}>
              {each.label}
            </option>
          ))}
        </Select>
      </span>
    </div>
  );
}

function chipWords(focus: Focus, size: TextSize | null, scope: Scope): string {
  if (scope !== 'auto') return scopeWords(focus, scope);
  return [focusWords(focus), partWords(focus, size)].filter(Boolean).join(' · ');
}
