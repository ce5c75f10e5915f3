import { lazy, Suspense } from 'react';
import { useFocus } from '../editor/focus';
import { useKind } from '../files/kind';
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
  note: ['What is in this folder?', 'Summarize this note', 'Improve the wording of this note'],
};
const HINTS = {
  title: 'Ask about your files',
  means: 'You get explanations and hints. The assistant changes and runs nothing.',
  file: ['Explain this file', 'Give me a hint about the bug in this file', 'What should a test of this file check?'],
  note: ['What is in this folder?', 'Summarize this note', 'What could be clearer in this note?'],
};
const ABOUT_THE_FOLDER = ['What is in this folder?', 'Which files would you read first?'];

/** A conversation that has not begun: what can be said, or how to get a model. */
export function Empty({ thread }: { thread: ThreadId | null }) {
  const { data, failure, reload } = useModels();
  const { title, means, file, note } = useOnlyHints(thread) ? HINTS : CHANGES;
  const path = useFocus(({ focus }) => focus?.path);
  const isNote = useKind(path ?? '') === 'markdown';
  const ofFile = isNote ? note : file;
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
        {(path === undefined ? ABOUT_THE_FOLDER : ofFile).map((idea) => (
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
