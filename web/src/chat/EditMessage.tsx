import { useState } from 'react';
import { isSendKey } from '../settings/sendKey';
import { Button } from '../ui/Button';
import { TextArea } from '../ui/Field';
import { Problem } from '../ui/Note';
import type { ChatMessage, Failure } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import styles from './Chat.module.css';
import { editMessage } from './messages';

/** Changes one's own message in its place. */
export function EditMessage({ path, message, onDone }: { path: string; message: ChatMessage; onDone(): void }) {
  const [text, setText] = useState(message.text);
  const [failure, setFailure] = useState<Failure | null>(null);
  const save = async () => {
    if (text.trim() === '') return;
    try {
      if (text !== message.text) await editMessage(path, message.id, text);
      onDone();
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (isSendKey(event)) {
      event.preventDefault();
      void save();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      onDone();
    }
  };
  return (
    <div className={styles.edit}>
      <TextArea
        autoFocus
        aria-label="Your message"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {failure && <Problem failure={failure} />}
      <div className={styles.row}>
        <Button look="primary" disabled={text.trim() === ''} onClick={() => void save()}>
          Save
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </div>
  );
}
