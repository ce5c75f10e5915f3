import { lazy, Suspense } from 'react';
import { useFocus } from '../editor/focus';
import { useModels } from '../models/store';
import { Unread } from '../ui/Unread';
import type { ThreadId } from '../wire/gen/types';
import { NEW, setDraft } from './drafts';
import styles from './Empty.module.css';
import { useOnlyHints } from './onlyHints';

const NoModel = lazy(async () => ({ default: (await import('../models/NoModel')).NoModel }));

const CHANGES = {
  title: 'Ask about your files or describe a change',
  means: 'You review each change before it is made. You can undo it later.',
  file: ['Explain this file', 'Find the bug in this file', 'Write a test for this file'],
};
const HINTS = {
  title: 'Ask about your files',
  means: 'You get explanations and hints. The assistant changes and runs nothing.',
  file: ['Explain this file', 'Give me a hint about the bug in this file', 'What should a test of this file check?'],
};
const ABOUT_THE_FOLDER = ['What is in this folder?', 'Which files would you read first?'];

/** A conversation that has not begun: what can be said, or how to get a model. */
export function Empty({ thread }: { thread: ThreadId | null }) {
  const { data, failure, reload } = useModels();
  const { title, means, file } = useOnlyHints(thread) ? HINTS : CHANGES;
  const hasFile = useFocus((state) => state.focus !== null);
  if (data && data.chosen === null) {
    return (
      <Suspense fallback={null}>
        <NoModel models={data} />
      </Suspense>
    );
  }
  if (!data && failure) return <Unread title="Couldn’t load the models" failure={failure} onAgain={reload} />;
  const put = (text: string) => {
    setDraft(thread ?? NEW, text);
    window.dispatchEvent(new Event('aside:compose'));
  };
  return (
    <div className={styles.empty}>
      <h3>{title}</h3>
      <p>{means}</p>
      <ul className={styles.ideas} aria-label="Examples">
        {(hasFile ? file : ABOUT_THE_FOLDER).map((idea) => (
          <li key={idea}>
            <button type="button" onClick={() => put(idea)}>
              {idea}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
