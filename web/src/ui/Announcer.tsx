// What assistive technology is told. One region of each urgency, always mounted; each text is gone after a second.
//
//   announce('Answer ready, 120 words');   announce('Could not save notes.md', 'assertive')
import { create } from 'zustand';

type Urgency = 'polite' | 'assertive';
interface Said {
  readonly text: string;
  readonly number: number;
}

/** Each stands in its region for a second. */
const SAID_FOR = 1000;

const useSaid = create<Record<Urgency, readonly Said[]>>(() => ({ polite: [], assertive: [] }));

let count = 0;

/** Says something to people who listen instead of look; what is said before and after it is heard too. */
export function announce(text: string, urgency: Urgency = 'polite'): void {
  const said = { text, number: ++count };
  change(urgency, (all) => [...all, said]);
  setTimeout(() => change(urgency, (all) => all.filter((each) => each !== said)), SAID_FOR);
}

function change(urgency: Urgency, how: (all: readonly Said[]) => readonly Said[]): void {
  useSaid.setState((said) => ({ [urgency]: how(said[urgency]) }));
}

/** The live regions; mounted once, by the shell. */
export function Announcer() {
  return (
    <>
      <Region urgency="polite" />
      <Region urgency="assertive" />
    </>
  );
}

function Region({ urgency }: { urgency: Urgency }) {
  const said = useSaid((all) => all[urgency]);
  return (
    <div
      className="visually-hidden"
      role={urgency === 'polite' ? 'status' : 'alert'}
      aria-live={urgency}
      // What is added is read, not all that stands there.
      aria-atomic="false"
    >
      {said.map(({ text, number }) => (
        <p key={number}>{text}</p>
      ))}
    </div>
  );
}
