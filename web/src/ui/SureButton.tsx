import { useState } from 'react';
import { Button } from './Button';

interface SureButtonProps {
  /** What it does, as a verb: "Revoke". */
  verb: string;
  /** To what, for those who only hear it. */
  what: string;
  onSure(): void;
}

/** A button for what can't be taken back: it has to be pressed twice, and not by a key that is held. */
export function SureButton({ verb, what, onSure }: SureButtonProps) {
  const [sure, setSure] = useState(false);
  const words = sure ? `Really ${verb.toLowerCase()}` : verb;
  return (
    <Button
      look="danger"
      aria-label={`${words} ${what}`}
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onBlur={() => setSure(false)}
      onClick={() => (sure ? onSure() : setSure(true))}
    >
      {words}
    </Button>
  );
}
