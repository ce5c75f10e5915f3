import { useEffect, useRef, useState } from 'react';
import { useModels } from '../models/store';
import { announce } from '../ui/Announcer';
import { IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import styles from './Palette.module.css';
import { listen, type Recognition } from './speech';

const LOCAL_ONLY = 'Local only is on, and your browser may send the recording to a server. Type instead.';

/** Listens while it is held, with the pointer or a key. The words go to the field; nothing is done with them. */
export function Voice({ onWords }: { onWords(words: string): void }) {
  const recognition = useRef<Recognition | null>(null);
  const [listening, setListening] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => () => recognition.current?.abort(), []);
  const localOnly = useModels().data?.local_only.on ?? false;
  const begin = () => {
    if (recognition.current) return;
    if (localOnly) return setProblem(LOCAL_ONLY);
    setProblem(null);
    const ended = (why: string | null) => {
      recognition.current = null;
      setListening(false);
      setProblem(why);
      if (why) announce(why, 'assertive');
    };
    recognition.current = listen(onWords, ended);
    setListening(recognition.current !== null);
  };
  const end = () => recognition.current?.stop();
  const isHeld = ({ key }: React.KeyboardEvent) => key === ' ' || key === 'Enter';
  return (
    <>
      <IconButton
        icon="mic"
        label="Hold to talk"
        aria-pressed={listening}
        className={styles.voice}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          begin();
        }}
        onPointerUp={end}
        onPointerCancel={end}
        onKeyDown={(event) => isHeld(event) && !event.repeat && begin()}
        onKeyUp={(event) => isHeld(event) && end()}
        onBlur={end}
      />
      {listening && (
        <span className={styles.listening}>Listening. Your browser may send the recording to a server.</span>
      )}
      {problem && (
        <span className={styles.refused}>
          <Icon name="warning" size={14} /> {problem}
        </span>
      )}
    </>
  );
}
