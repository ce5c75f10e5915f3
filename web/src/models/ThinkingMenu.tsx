import { useNewThinking } from '../threads/newThinking';
import { changeThread } from '../threads/send';
import { useThreads } from '../threads/state';
import { isRehearsal, modelName } from '../threads/words';
import { Select } from '../ui/Field';
import type { ThinkingEffort, ThreadId } from '../wire/gen/types';
import styles from './Picker.module.css';
import { useModelOf, useModels } from './store';

const EFFORTS: readonly { readonly effort: ThinkingEffort; readonly label: string }[] = [
  { effort: 'usual', label: 'default' },
  { effort: 'off', label: 'off' },
  { effort: 'low', label: 'low' },
  { effort: 'medium', label: 'medium' },
  { effort: 'high', label: 'high' },
];

/** How much the model of a thread thinks before it answers, for one that is known to. */
export function ThinkingMenu({ thread }: { thread: ThreadId | null }) {
  const chosen = useModelOf(thread);
  const { data } = useModels();
  const next = useNewThinking((state) => state.thinking);
  const own = useThreads((state) => (thread ? state.threads.get(thread)?.thinking : undefined));
  // What is scripted does not think.
  if (!chosen || isRehearsal(chosen)) return null;
  const models = data?.providers.flatMap((provider) => provider.models);
  if (!models?.find(({ model }) => model === chosen)?.thinking) return null;
  const choose = (thinking: ThinkingEffort) => {
    if (thread) void changeThread(thread, { thinking });
    else useNewThinking.setState({ thinking });
  };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the select is in it.
    <label className={styles.thinking}>
      <span>Thinking of {modelName(chosen)}</span>
      <Select
        look="quiet"
        title="How long the model thinks before it answers in this thread. More thinking takes longer and costs more."
        value={own ?? next}
        onChange={(event) => choose(event.target.value as ThinkingEffort)}
      >
        {EFFORTS.map(({ effort, label }) => (
          <option key={effort} value={effort}>
            {label}
          </option>
        ))}
      </Select>
    </label>
  );
}
