import { useState } from 'react';
import { setDraft } from '../threads/drafts';
import { openThread } from '../threads/openThread';
import { learnThread } from '../threads/store';
import { Button } from '../ui/Button';
import { toastFailure } from '../ui/Toast';
import type { NewThread, Thread } from '../wire/gen/types';
import { failureOf, newKey, request } from '../wire/requests';
import { countSentence } from './countSentence';
import { showQuick } from './quick';
import type { ThreadSeed } from './seed';

interface OpenAsThreadProps {
  seed(): ThreadSeed;
  readonly words?: string;
  readonly look?: 'quiet' | 'primary';
}

/** Turns a quick task into a thread of its own that begins with everything in it. */
export function OpenAsThread({ seed, words = 'Open as thread', look = 'quiet' }: OpenAsThreadProps) {
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      const { title, text, begun } = seed();
      const body: NewThread = { title, ...begun, key: newKey() };
      const thread = await request<Thread>('POST', 'threads', body);
      learnThread(thread);
      countSentence({ way: 'thread' });
      setDraft(thread.id, text);
      showQuick(null);
      openThread(thread.id);
      requestAnimationFrame(() => window.dispatchEvent(new Event('aside:compose')));
    } catch (error) {
      toastFailure(failureOf(error));
      setBusy(false);
    }
  };
  return (
    <Button look={look} icon="chat" disabled={busy} onClick={() => void open()}>
      {words}
    </Button>
  );
}
