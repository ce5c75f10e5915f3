import { Words } from '../actions/Words';
import { isRehearsal, modelName } from '../threads/words';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import type { ModelRef, ModelStatus, ProviderStatus } from '../wire/gen/types';
import styles from './Models.module.css';
import { listModels, setNewModel } from './store';

/** One provider as it was found: where, whether anything leaves this machine, its models or what to do. */
export function Provider({ provider, chosen }: { provider: ProviderStatus; chosen: ModelRef | null }) {
  return (
    <div className={styles.provider}>
      <header className={styles.providerHeader}>
        <Icon name={provider.problem ? 'bar' : 'check'} />
        <h3>{provider.name}</h3>
        <span className={styles.place}>{placeWords(provider)}</span>
      </header>
      {provider.problem && (
        <p className={styles.problem}>
          <Words text={provider.problem} />
        </p>
      )}
      {provider.models.length > 0 && (
        <ul className={styles.models}>
          {provider.models.map((model) => (
            <li key={model.model}>
              <Model model={model} chosen={model.model === chosen} />
            </li>
          ))}
        </ul>
      )}
      {!provider.problem && provider.models.length === 0 && (
        <Button className={styles.list} onClick={() => void listModels(provider.id)}>
          List its models
        </Button>
      )}
      {provider.endpoint !== '' && <code className={styles.endpoint}>{provider.endpoint}</code>}
    </div>
  );
}

function Model({ model, chosen }: { model: ModelStatus; chosen: boolean }) {
  const name = isRehearsal(model.model) ? 'rehearsal' : modelName(model.model);
  return (
    <div className={styles.model}>
      <div>
        <span className={styles.name}>{name}</span>
        <span className={styles.abilities}>{abilities(model)}</span>
      </div>
      {chosen ? (
        <span className={styles.chosen}>
          <Icon name="check" /> In use
        </span>
      ) : (
        <Button aria-label={`Use ${name}`} onClick={() => void setNewModel(model.model)}>
          Use
        </Button>
      )}
    </div>
  );
}

function placeWords({ id, local }: ProviderStatus): string {
  if (id === 'rehearsal') return 'scripted answers, no model';
  return local ? 'on this machine' : 'sends your messages to its service';
}

function abilities({ model, tools, vision, thinking, context }: ModelStatus): string {
  if (isRehearsal(model)) return 'to try Aside without a model';
  const words = [
    tools === true && 'tools',
    tools === false && 'no tools',
    thinking && 'thinks',
    vision && 'sees',
    context !== null && `${Math.round(context / 1000)}k context`,
  ];
  return words.filter(Boolean).join(' · ');
}
