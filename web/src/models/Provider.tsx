import { useState } from 'react';
import { Words } from '../actions/Words';
import { isRehearsal, modelName } from '../threads/words';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { join } from '../ui/names';
import parts from '../ui/Parts.module.css';
import type { ModelRef, ModelStatus, ProviderStatus } from '../wire/gen/types';
import { ConsentLine } from './ConsentLine';
import { listModels, setNewModel } from './choosing';
import { KeyLine } from './KeyLine';
import styles from './Models.module.css';
import { ModelFacts } from './PickerRow';
import { pickModel } from './picking';

/** Models that are shown of one provider; the picker has all. */
const SHOWN = 6;

/** One provider as it was found: where, whether anything leaves this machine, its key, its models or what to do. */
export function Provider({ provider, chosen }: { provider: ProviderStatus; chosen: ModelRef | null }) {
  const { tone, word } = stateOf(provider);
  return (
    <section className={join(parts.toned, styles.provider)} data-tone={tone} aria-label={provider.name}>
      <header className={styles.providerHeader}>
        <Icon name={provider.local ? 'machine' : 'cloud'} />
        <h3>{provider.name}</h3>
        <span className={styles.place}>{placeWords(provider)}</span>
        <span className={styles.state}>{word}</span>
      </header>
      {provider.problem && (
        <p className={styles.problem}>
          <Words text={provider.problem} />
        </p>
      )}
      {provider.takes_key && <KeyLine provider={provider} />}
      {provider.host && !provider.problem && <ConsentLine provider={provider} />}
      {provider.list_problem && (
        <p className={styles.problem}>
          <Words text={provider.list_problem} />
        </p>
      )}
      <ModelList provider={provider} chosen={chosen} />
      {provider.endpoint !== '' && <code className={styles.endpoint}>{provider.endpoint}</code>}
    </section>
  );
}

function stateOf({ problem, off, consent }: ProviderStatus): { tone: 'ok' | 'warn' | 'quiet'; word: string } {
  if (off) return { tone: 'quiet', word: 'off: local only' };
  if (problem) return { tone: 'quiet', word: 'not ready' };
  return consent === 'needed' ? { tone: 'warn', word: 'asks before the first message' } : { tone: 'ok', word: 'ready' };
}

function ModelList({ provider, chosen }: { provider: ProviderStatus; chosen: ModelRef | null }) {
  const { models, problem, name } = provider;
  if (models.length === 0) return problem ? null : <ListButton provider={provider} />;
  // The one in use is shown wherever it stands in the list.
  const first = models.filter(({ model }, index) => index < SHOWN || model === chosen);
  return (
    <>
      <ul className={styles.models}>
        {first.map((model) => (
          <li key={model.model}>
            <Model provider={provider} model={model} chosen={model.model === chosen} />
          </li>
        ))}
      </ul>
      {models.length > first.length && (
        <Button className={styles.list} onClick={() => pickModel(name)}>
          Search all {models.length}…
        </Button>
      )}
    </>
  );
}

function ListButton({ provider }: { provider: ProviderStatus }) {
  const [asking, setAsking] = useState(false);
  const list = async () => {
    setAsking(true);
    await listModels(provider.id);
    setAsking(false);
  };
  return (
    <Button className={styles.list} disabled={asking} onClick={() => void list()}>
      {asking ? 'Loading…' : listWords(provider)}
    </Button>
  );
}

function listWords({ asked, list_problem }: ProviderStatus): string {
  if (list_problem) return 'List models again';
  return asked ? 'No models found: refresh' : 'List models';
}

function Model({ provider, model, chosen }: { provider: ProviderStatus; model: ModelStatus; chosen: boolean }) {
  const name = modelName(model.model);
  return (
    <div className={styles.model}>
      <span className={styles.name}>{name}</span>
      <ModelFacts provider={provider} model={model} />
      {chosen ? (
        <span className={styles.chosen}>
          <Icon name="check" /> New threads
        </span>
      ) : (
        <Button aria-label={`Use ${name} for new threads`} onClick={() => void setNewModel(model.model)}>
          Use
        </Button>
      )}
    </div>
  );
}

function placeWords({ id, local, host }: ProviderStatus): string {
  if (isRehearsal(`${id}/`)) return 'scripted answers, no model';
  if (local) return 'on this computer';
  return host ? `remote, at ${host}` : 'remote';
}
