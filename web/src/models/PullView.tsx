import { lazy, Suspense, useEffect, useState } from 'react';
import { modelName } from '../threads/words';
import { Button } from '../ui/Button';
import { Field, Input, Select } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { Problem } from '../ui/Note';
import parts from '../ui/Parts.module.css';
import type { ProviderStatus } from '../wire/gen/types';
import { setNewModel } from './choosing';
import styles from './PullView.module.css';
import { isOn, type Pull, pullWords, shareOf } from './pull';
import { findPull, startPull, stopPull, usePulling } from './pulling';

const ActionCard = lazy(async () => ({ default: (await import('../actions/ActionCard')).ActionCard }));

/** Small models that take tools, with about what they weigh: enough to begin with. */
const SUGGESTED = [
  { name: 'qwen3:4b', words: '2.5 GB, for most computers' },
  { name: 'qwen3:1.7b', words: '1.4 GB, for low memory' },
  { name: 'qwen3:8b', words: '5.2 GB, better answers' },
] as const;

/** Getting a model for one of these Ollama servers, and how far it is. */
export function PullView({ at }: { at: readonly ProviderStatus[] }) {
  const pull = usePulling((state) => state.pull);
  useEffect(() => void findPull(), []);
  return pull && pull.phase !== 'stopped' ? <Running pull={pull} /> : <Choice at={at} stopped={pull !== null} />;
}

function Choice({ at, stopped }: { at: readonly ProviderStatus[]; stopped: boolean }) {
  const [chosen, setChosen] = useState<string>(SUGGESTED[0].name);
  // One that is typed comes before those that are suggested.
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState<string | null>(null);
  // The one that was chosen may be gone by now.
  const server = at.find(({ id }) => id === place) ?? at[0];
  if (!server) return null;
  const offered = SUGGESTED.filter(({ name }) => !server.models.some(({ model }) => model === `${server.id}/${name}`));
  const suggested = (offered.find(({ name }) => name === chosen) ?? offered[0])?.name;
  const wanted = typed.trim() || suggested;
  const choose = (name: string) => {
    setChosen(name);
    setTyped('');
  };
  return (
    <form
      className={styles.pull}
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted) void startPull(`${server.id}/${wanted}`);
      }}
    >
      <fieldset className={styles.choice}>
        <legend>Download a model with tool support</legend>
        {offered.map(({ name, words }) => (
          <label key={name}>
            <input type="radio" name="pull" checked={wanted === name} onChange={() => choose(name)} />
            <b>{name}</b> <span>{words}</span>
          </label>
        ))}
        {offered.length === 0 && <p>{server.name} has all suggested models.</p>}
      </fieldset>
      <Field label="Other model from the Ollama library">
        {(id) => (
          <Input
            id={id}
            value={typed}
            placeholder="llama3.2:3b"
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      {at.length > 1 && (
        <Field label="Server">
          {(id) => (
            <Select id={id} value={server.id} onChange={(event) => setPlace(event.target.value)}>
              {at.map(({ id, name, host }) => (
                <option key={id} value={id}>
                  {host ? `${name} at ${host}` : name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <div className={parts.buttons}>
        {wanted && (
          <Button type="submit" look="primary" icon="download">
            Download {wanted}
          </Button>
        )}
        {stopped && <span role="status">Stopped. Ollama keeps the part that was downloaded.</span>}
      </div>
    </form>
  );
}

function Running({ pull }: { pull: Pull }) {
  const name = modelName(pull.model);
  const share = shareOf(pull);
  if (pull.phase === 'done') {
    return (
      <div className={styles.pull} role="status">
        <p className={styles.head}>
          <Icon name="check" /> {name} is ready.
        </p>
        <div className={parts.buttons}>
          <Button look="primary" onClick={() => void setNewModel(pull.model)}>
            Use {name}
          </Button>
          <Button onClick={() => usePulling.setState({ pull: null })}>Download another</Button>
        </div>
      </div>
    );
  }
  return (
    <div className={styles.pull}>
      {pull.phase === 'waiting' && pull.action ? (
        <Suspense fallback={null}>
          <ActionCard id={pull.action} />
        </Suspense>
      ) : (
        <>
          <p className={styles.head}>
            {isOn(pull) && <Icon name="spinner" />} {isOn(pull) ? `Downloading ${name}` : `Couldn’t download ${name}`}
          </p>
          {isOn(pull) && <progress value={share ?? undefined} max={1} aria-label={`Downloading ${name}`} />}
        </>
      )}
      {pull.failure && <Problem failure={pull.failure} />}
      <div className={parts.buttons}>
        {isOn(pull) && pull.phase !== 'waiting' && <span className={styles.words}>{pullWords(pull)}</span>}
        {isOn(pull) ? (
          <Button icon="stop" onClick={stopPull}>
            Cancel
          </Button>
        ) : (
          <>
            <Button icon="retry" onClick={() => void startPull(pull.model)}>
              Retry
            </Button>
            <Button onClick={() => usePulling.setState({ pull: null })}>Choose another model</Button>
          </>
        )}
      </div>
    </div>
  );
}
