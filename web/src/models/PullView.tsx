import { useState } from 'react';
import { ActionCard } from '../actions/ActionCard';
import { modelName } from '../threads/words';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Problem } from '../ui/Note';
import parts from '../ui/Parts.module.css';
import styles from './PullView.module.css';
import { isOn, type Pull, pullWords, shareOf } from './pull';
import { startPull, stopPull, usePulling } from './pulling';
import { setNewModel } from './store';

/** Small models that take tools, with about what they weigh: enough to begin with. */
const SUGGESTED = [
  { model: 'ollama/qwen3:4b', words: '2.5 GB, for most machines' },
  { model: 'ollama/qwen3:1.7b', words: '1.4 GB, for little memory' },
  { model: 'ollama/qwen3:8b', words: '5.2 GB, answers better' },
] as const;

/** Getting a model for Ollama: one that is suggested or any that is named, and how far it is. */
export function PullView() {
  const pull = usePulling((state) => state.pull);
  return pull && pull.phase !== 'stopped' ? <Running pull={pull} /> : <Choice stopped={pull !== null} />;
}

function Choice({ stopped }: { stopped: boolean }) {
  const [chosen, setChosen] = useState<string>(SUGGESTED[0].model);
  return (
    <form
      className={styles.pull}
      onSubmit={(event) => {
        event.preventDefault();
        void startPull(chosen);
      }}
    >
      <fieldset className={styles.choice}>
        <legend>Get a model that takes tools</legend>
        {SUGGESTED.map(({ model, words }) => (
          <label key={model}>
            <input type="radio" name="pull" checked={chosen === model} onChange={() => setChosen(model)} />
            <b>{modelName(model)}</b> <span>{words}</span>
          </label>
        ))}
      </fieldset>
      <div className={parts.buttons}>
        <Button type="submit" look="primary" icon="download">
          Pull {modelName(chosen)}
        </Button>
        {stopped && <span role="status">Stopped. What is here already is kept by Ollama.</span>}
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
          <Icon name="check" /> {name} is here.
        </p>
        <div className={parts.buttons}>
          <Button look="primary" onClick={() => void setNewModel(pull.model)}>
            Use {name}
          </Button>
          <Button onClick={() => usePulling.setState({ pull: null })}>Get another</Button>
        </div>
      </div>
    );
  }
  return (
    <div className={styles.pull}>
      {pull.phase === 'waiting' && pull.action ? (
        <ActionCard id={pull.action} />
      ) : (
        <>
          <p className={styles.head}>
            {isOn(pull) && <Icon name="spinner" />} {isOn(pull) ? `Getting ${name}` : `${name} was not pulled`}
          </p>
          {isOn(pull) && <progress value={share ?? undefined} max={1} aria-label={`Getting ${name}`} />}
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
              Try again
            </Button>
            <Button onClick={() => usePulling.setState({ pull: null })}>Another model</Button>
          </>
        )}
      </div>
    </div>
  );
}
