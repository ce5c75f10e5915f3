import { lazy, Suspense, useState } from 'react';
import { Sentences } from '../ask/Sentences';
import { isRehearsal, modelName } from '../threads/words';
import { Button } from '../ui/Button';
import { Icon, type IconName } from '../ui/Icon';
import type { Models } from '../wire/gen/types';
import { listModels, lookAgain, setNewModel } from './choosing';
import { pullersOf } from './found';
import { KeyForm } from './KeyForm';
import { useKeys } from './keys';
import styles from './NoModel.module.css';
import { openModels } from './openModels';

const PullView = lazy(async () => ({ default: (await import('./PullView')).PullView }));

/** There is no model: what works anyway, and each way to get one, the nearest first. */
export function NoModel({ models }: { models: Models }) {
  const keys = useKeys();
  const rehearsal = models.providers.find(({ id }) => isRehearsal(`${id}/`))?.models[0];
  return (
    <div className={styles.none}>
      <h3>
        <Icon name="model" size={20} /> No model connected
      </h3>
      <p>Files, search and built-in actions work without one.</p>
      <Sentences of={['go to tasks', 'dark mode']} />
      <p>To use the assistant:</p>
      <SetUp models={models} />
      <Way icon="machine" title="Model on this computer">
        <Ollama models={models} />
      </Way>
      {models.local_only.on ? (
        <Way icon="cloud" title="Remote service">
          <p>Local only is on, so remote services are off.</p>
          <Button onClick={openModels}>Change</Button>
        </Way>
      ) : (
        <Way icon="cloud" title="Remote service with your API key">
          {keys.data ? (
            <KeyForm />
          ) : (
            <p>
              Set <code>OPENAI_API_KEY</code>, <code>ANTHROPIC_API_KEY</code> or another API key before you start Aside.
            </p>
          )}
        </Way>
      )}
      {rehearsal && (
        <Way icon="play" title="Rehearsal">
          <p>Scripted answers, to try Aside without a model.</p>
          <Button onClick={() => void setNewModel(rehearsal.model)}>Use rehearsal</Button>
        </Way>
      )}
      <Button look="quiet" onClick={openModels}>
        Model settings
      </Button>
    </div>
  );
}

/** Services that are set up and were not asked for their models yet: that is one step away. */
function SetUp({ models }: { models: Models }) {
  const ready = models.providers.filter(({ local, problem, off, asked }) => !local && !problem && !off && !asked);
  const [listing, setListing] = useState<string | null>(null);
  if (ready.length === 0) return null;
  const list = async (id: string) => {
    setListing(id);
    await listModels(id);
    setListing(null);
  };
  return (
    <Way icon="cloud" title="Configured service">
      {ready.map(({ id, name, host }) => (
        <div key={id} className={styles.setUp}>
          <p>
            {name}
            {host && (
              <>
                {' '}
                at <code>{host}</code>
              </>
            )}{' '}
            is set up. Listing its models sends no content.
          </p>
          <Button look="primary" disabled={listing === id} onClick={() => void list(id)}>
            {listing === id ? 'Loading…' : `List models of ${name}`}
          </Button>
        </div>
      ))}
    </Way>
  );
}

function Way({ icon, title, children }: { icon: IconName; title: string; children: React.ReactNode }) {
  return (
    <section className={styles.way} aria-label={title}>
      <h4>
        <Icon name={icon} /> {title}
      </h4>
      {children}
    </section>
  );
}

/** What was found of Ollama, and what to do with it. */
function Ollama({ models }: { models: Models }) {
  const again = (
    <Button icon="retry" onClick={lookAgain}>
      Refresh
    </Button>
  );
  switch (models.ollama) {
    case 'ready': {
      const here = models.providers.filter(({ pulls, local }) => pulls && local);
      const found = here.flatMap((provider) => provider.models);
      const best = found.find(({ tools }) => tools) ?? found[0];
      return best ? (
        <>
          <p>
            Ollama is running, with {found.length} {found.length === 1 ? 'model' : 'models'}.
          </p>
          <Button look="primary" onClick={() => void setNewModel(best.model)}>
            Use {modelName(best.model)}
          </Button>
        </>
      ) : null;
    }
    case 'no_models':
      return (
        <>
          <p>Ollama is running but has no models.</p>
          <Suspense fallback={null}>
            <PullView at={pullersOf(models)} />
          </Suspense>
        </>
      );
    case 'not_running':
      return (
        <>
          <p>
            Ollama is installed but not running. Start it: <code>ollama serve</code>
          </p>
          {again}
        </>
      );
    case 'not_installed':
      return (
        <>
          <p>
            Ollama runs models on this computer; nothing leaves it. Install it from{' '}
            <a href="https://ollama.com/download" target="_blank" rel="noreferrer">
              ollama.com
            </a>
            , start it, then refresh.
          </p>
          {again}
        </>
      );
  }
}
