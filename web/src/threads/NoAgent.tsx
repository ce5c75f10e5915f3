import { create } from 'zustand';
import { useFacts, useIcon, useKind } from '../files/kind';
import { useSideDocument } from '../side/modes';
import { Button } from '../ui/Button';
import foot from '../ui/Foot.module.css';
import { Icon } from '../ui/Icon';
import type { FileKind, ThreadId } from '../wire/gen/types';
import { NEW, setDraft, useDrafts } from './drafts';
import { mentionOf } from './mention';
import styles from './NoAgent.module.css';

/** The file beside which the person writes all the same, because they said so. */
const useAnyway = create<{ readonly path: string | null }>(() => ({ path: null }));

/** The file that the side is about if no agent works on its kind; null if one does, or no file is there. */
export function useAgentless(): string | null {
  const path = useSideDocument();
  const anyway = useAnyway((state) => state.path);
  const agent = useFacts(path ?? '')?.agent;
  return path !== anyway && agent === 'none' ? path : null;
}

/** In place of the composer beside a file that the Coding Agent can't work on: why, and the way on. */
export function NoAgent({ path, thread }: { path: string; thread: ThreadId | null }) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const icon = useIcon(path);
  const kind = useKind(path);
  const isImage = kind === 'image';
  const write = (mention: string) => {
    const key = thread ?? NEW;
    const draft = useDrafts.getState().drafts[key] ?? '';
    if (mention && !draft.includes(mention)) setDraft(key, `${draft}${draft && ' '}${mention} `);
    useAnyway.setState({ path });
    requestAnimationFrame(() => window.dispatchEvent(new Event('aside:compose')));
  };
  return (
    <section className={`${foot.foot} ${styles.none}`} aria-label="No agent for this file">
      <p>
        <Icon name={icon} /> <strong>{name}</strong> {REASONS[kind] ?? 'is not text'}. The Coding Agent works only on
        text.
      </p>
      <div className={styles.ways}>
        {isImage && <Button onClick={() => write(mentionOf(path))}>Ask about this image</Button>}
        <Button look={isImage ? 'quiet' : 'plain'} onClick={() => write('')}>
          Write anyway
        </Button>
      </div>
    </section>
  );
}

const REASONS: Partial<Record<FileKind, string>> = {
  image: 'is an image',
  pdf: 'is a PDF',
  audio: 'is an audio file',
  video: 'is a video',
  binary: 'is a binary file',
};
