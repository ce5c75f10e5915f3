import { useEffect, useRef, useState } from 'react';
import { openModels } from '../models/openModels';
import { useModels } from '../models/store';
import { announce } from '../ui/Announcer';
import { Button, IconButton } from '../ui/Button';
import { Icon } from '../ui/Icon';
import styles from './Palette.module.css';
import { canRecord, LONGEST, record, type Spoken } from './record';
import { canListen, listen } from './speech';

const LOCAL_ONLY = 'Local only is on, and your browser may send the recording to a server. Type instead.';

/** The state of the microphone. */
type Hearing = 'off' | 'recognising' | 'recording' | 'sending';

const WORDS: Readonly<Record<Exclude<Hearing, 'off'>, string>> = {
  recognising: 'Listening. Your browser may send the recording to a server.',
  recording: 'Recording. A model writes it down when you let go.',
  sending: 'Writing it down…',
};

/** Codes of failures that are mended on the page of the models. */
const OF_MODELS: ReadonlySet<string> = new Set(['needs_consent', 'no_transcription', 'local_only']);

interface VoiceProps {
  onWords(words: string): void;
  /** The palette is closed for the page that mends a problem. */
  onLeave(): void;
}

/** Listens while it is held, with the pointer or a key. The words go to the field; nothing is done with them. */
export function Voice({ onWords, onLeave }: VoiceProps) {
  const hearing = useRef<{ stop(): void; abort(): void } | null>(null);
  const [state, setState] = useState<Hearing>('off');
  const [problem, setProblem] = useState<{ words: string; code: string | null } | null>(null);
  useEffect(() => () => hearing.current?.abort(), []);
  const localOnly = useModels().data?.local_only.on ?? false;
  const ended = (words: string | null, code: string | null = null) => {
    hearing.current = null;
    setState('off');
    setProblem(words === null ? null : { words, code });
    if (words) announce(words, 'assertive');
  };
  const spoken = (end: Spoken) => {
    if (end.kind === 'problem') return ended(end.words, end.failure?.code ?? null);
    onWords(end.text);
    ended(end.wasCut ? `Only the first ${LONGEST / 1000} seconds were recorded.` : null);
  };
  const begin = () => {
    if (hearing.current) return;
    setProblem(null);
    // A browser's recogniser may be anywhere; a service for recordings is asked under the rules of models.
    if (canListen() && !localOnly) {
      hearing.current = listen(onWords, ended);
      setState(hearing.current ? 'recognising' : 'off');
    } else if (canRecord()) {
      hearing.current = record(() => setState('sending'), spoken);
      setState('recording');
    } else {
      ended(LOCAL_ONLY);
    }
  };
  const end = () => hearing.current?.stop();
  const isHeld = ({ key }: React.KeyboardEvent) => key === ' ' || key === 'Enter';
  return (
    <>
      <IconButton
        icon={state === 'sending' ? 'spinner' : 'mic'}
        label="Hold to talk"
        aria-pressed={state !== 'off'}
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
      {state !== 'off' && <span className={styles.listening}>{WORDS[state]}</span>}
      {problem && (
        <span className={styles.refused}>
          <Icon name="warning" size={14} /> <span>{problem.words}</span>
          {problem.code !== null && OF_MODELS.has(problem.code) && (
            <Button
              look="quiet"
              onClick={() => {
                onLeave();
                openModels();
              }}
            >
              Models
            </Button>
          )}
        </span>
      )}
    </>
  );
}
