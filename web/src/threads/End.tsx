import { Plain } from '../actions/Plain';
import { Words } from '../actions/Words';
import { HandOffButton } from '../ask/HandOffButton';
import { useAiLevel } from '../assistant/level';
import { openModels } from '../models/openModels';
import { Button } from '../ui/Button';
import { join } from '../ui/names';
import { again, type TurnView } from './events';
import { holdFor, send } from './send';
import styles from './Turn.module.css';
import { UsageLine } from './UsageLine';
import { type EndWords, endWords } from './words';

/** How a turn ended, what can be done about it, and what it used. */
export function End({ turn, last }: { turn: TurnView; last: boolean }) {
  const words = turn.end && endWords(turn.end);
  // What only a model could do is not offered where none may be asked.
  const off = useAiLevel() === 'off';
  return (
    <>
      {words && (
        <div className={join(styles.end, styles[words.tone])}>
          <div className={styles.endWords}>
            <Plain text={words.text} />
            {words.detail && (
              <span className={styles.detail}>
                <Words text={words.detail} />
              </span>
            )}
          </div>
          {last && !off && <Offers words={words} turn={turn} />}
        </div>
      )}
      <UsageLine usage={turn.usage} cost={turn.cost} />
    </>
  );
}

function Offers({ words, turn }: { words: EndWords; turn: TurnView }) {
  switch (words.offer) {
    case null:
      return null;
    case 'hand_off':
      return turn.end?.kind === 'hand_off' && <HandOffButton goal={turn.text} offer={turn.end.offer} />;
    case 'continue':
      return <Button onClick={() => void send('Continue.')}>Continue</Button>;
    case 'retry':
      return <Button onClick={() => void send(again(turn))}>Retry</Button>;
    case 'settings':
      return (
        <>
          <Button onClick={openModels}>Models and limits</Button>
          <Button onClick={() => void send(again(turn))}>Retry</Button>
        </>
      );
    case 'allow': {
      const asked = turn.end?.kind === 'failed' ? turn.end.failure.data : null;
      return <Button onClick={() => void holdFor(turn.text, asked)}>Review data to send…</Button>;
    }
  }
}
