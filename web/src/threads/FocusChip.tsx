import { useFocus } from '../editor/focus';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import styles from './Chips.module.css';
import { focusWords } from './focusWords';
import { useSending } from './send';

/** The place that goes along with the next message, until the person takes it off. */
export function FocusChip() {
  const focus = useFocus((state) => state.focus);
  const without = useSending((state) => state.withoutFocus);
  if (!focus) return null;
  const words = focusWords(focus);
  if (without) {
    return (
      <div className={styles.chips}>
        <Button look="quiet" icon="plus" onClick={() => useSending.setState({ withoutFocus: false })}>
          Send {words} along
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.chips}>
      <span className={styles.chip}>
        <Icon name="file" size={14} />
        <span className={styles.label}>{words}</span>
        <IconButton
          icon="close"
          label={`Don’t send ${words} along`}
          onClick={() => useSending.setState({ withoutFocus: true })}
        />
      </span>
    </div>
  );
}
