import { openView } from '../frames/store';
import { modelName } from '../threads/words';
import { Select } from '../ui/Field';
import type { Models, ThreadId } from '../wire/gen/types';
import styles from './ModelPicker.module.css';
import { chooseModel, useModelOf, useModels } from './store';

const MORE = ':models';

/** The model that answers, and the others that were found. */
export function ModelPicker({ thread }: { thread: ThreadId | null }) {
  const { data } = useModels();
  const chosen = useModelOf(thread);
  if (!data) return <span className={styles.none}>…</span>;
  const choose = (value: string) => {
    if (value === MORE) openView({ kind: 'models' });
    else void chooseModel(value, thread);
  };
  return (
    <Select
      look="quiet"
      className={styles.picker}
      aria-label="Model"
      title={chosen ?? 'No model'}
      value={chosen ?? ''}
      onChange={(event) => choose(event.target.value)}
    >
      {chosen === null && <option value="">No model</option>}
      {chosen && !isListed(data, chosen) && <option value={chosen}>{modelName(chosen)} (not found)</option>}
      {data.providers
        .filter((provider) => provider.models.length > 0)
        .map((provider) => (
          <optgroup key={provider.id} label={provider.name}>
            {provider.models.map(({ model }) => (
              <option key={model} value={model}>
                {modelName(model)}
              </option>
            ))}
          </optgroup>
        ))}
      <option value={MORE}>All models and how to add one…</option>
    </Select>
  );
}

function isListed(models: Models, chosen: string): boolean {
  return models.providers.some((provider) => provider.models.some(({ model }) => model === chosen));
}
