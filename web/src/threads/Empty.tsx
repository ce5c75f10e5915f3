import { lazy, Suspense } from 'react';
import { useFocus } from '../editor/focus';
import { useModels } from '../models/store';
import { NEW, setDraft } from './drafts';
import styles from './Empty.module.css';

const NoModel = lazy(async () => ({ default: (await import('../models/NoModel')).NoModel }));

const ABOUT_A_FILE = ['Explain this file', 'Find the bug in this file', 'Write a test for this file'];
const ABOUT_THE_FOLDER = ['What is in this folder?', 'Which files would you read first?'];

/** A conversation that has not begun: what can be said, or how to get a model. */
export function Empty() {
  const { data } = useModels();
  const focus = useFocus((state) => state.focus);
  if (data && data.chosen === null) {
    return (
      <Suspense fallback={null}>
        <NoModel models={data} />
      </Suspense>
    );
  }
  const put = (text: string) => {
    setDraft(NEW, text);
    window.dispatchEvent(new Event('aside:compose'));
  };
  return (
    <div className={styles.empty}>
      <h3>Ask about your files, or say what to change</h3>
      <p>Changes are shown before they are made. You accept or reject each, and can take it back.</p>
      <ul className={styles.ideas} aria-label="For example">
        {(focus ? ABOUT_A_FILE : ABOUT_THE_FOLDER).map((idea) => (
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
