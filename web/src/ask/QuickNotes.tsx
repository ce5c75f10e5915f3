import { openModels } from '../models/openModels';
import { Button } from '../ui/Button';
import { Note, Problem } from '../ui/Note';
import type { Descriptor, Failure } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { akinActions, bareVerb } from './akin';
import { askModel } from './askModel';
import { choose } from './choose';
import { NOT_OFFERED } from './entries';
import styles from './QuickPanel.module.css';
import { showQuick } from './quick';
import { Sentences } from './Sentences';

/** Sentences that every workspace understands. */
const EXAMPLES = ['open the last five files', 'go to tasks', 'create file ideas.md'];

/** Says that only a model understands the sentence, and what works without one. */
export function NoModelNote({ text }: { text: string }) {
  const verb = bareVerb(text);
  if (verb) {
    return (
      <>
        <Note>Say what to {verb}: a file, a page or a tab, by its name.</Note>
        <Sentences of={EXAMPLES} />
      </>
    );
  }
  return (
    <>
      <Note>
        This sentence needs a model, and none is connected. Names of actions and plain commands work without one.
      </Note>
      <Akin text={text} />
      <div className={styles.foot}>
        <Button
          look="primary"
          onClick={() => {
            showQuick(null);
            openModels();
          }}
        >
          Connect a model
        </Button>
      </div>
    </>
  );
}

/** The actions that share words with the sentence, else sentences that work. */
function Akin({ text }: { text: string }) {
  const { data } = useResource<Descriptor[]>('catalog');
  const akin = akinActions(text, data?.filter(({ name }) => !NOT_OFFERED.test(name)) ?? []);
  if (akin.length === 0) return <Sentences of={EXAMPLES} />;
  const begin = (descriptor: Descriptor) => {
    showQuick(null);
    choose({ kind: 'action', descriptor });
  };
  return (
    <section aria-label="Actions with these words">
      <p className={styles.summary}>Actions with these words:</p>
      <div className={styles.foot}>
        {akin.map((descriptor) => (
          <Button key={descriptor.name} onClick={() => begin(descriptor)}>
            {descriptor.summary}
          </Button>
        ))}
      </div>
    </section>
  );
}

/** Why it did not begin. */
export function QuickFailure({ failure, text }: { failure: Failure; text: string }) {
  return (
    <>
      <Problem failure={failure} />
      <div className={styles.foot}>
        <Button onClick={() => void askModel(text)}>Ask the assistant instead</Button>
      </div>
    </>
  );
}
