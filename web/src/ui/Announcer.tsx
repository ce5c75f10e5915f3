// What assistive technology is told. One region of each urgency, always mounted, cleared after a second.
//
//   announce('Answer ready, 120 words');   announce('Could not save notes.md', 'assertive')
import { useEffect } from 'react';
import { create } from 'zustand';

type Urgency = 'polite' | 'assertive';
interface Said {
  text: string;
  count: number;
}

const useSaid = create<Record<Urgency, Said>>(() => ({
  polite: { text: '', count: 0 },
  assertive: { text: '', count: 0 },
}));

/** Says something to people who listen instead of look. */
export function announce(text: string, urgency: Urgency = 'polite'): void {
  useSaid.setState((said) => ({ [urgency]: { text, count: said[urgency].count + 1 } }));
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
  const { text, count } = useSaid((said) => said[urgency]);
  useEffect(() => {
    if (count === 0) return;
    const timer = setTimeout(() => useSaid.setState({ [urgency]: { text: '', count: 0 } }), 1000);
    return () => clearTimeout(timer);
  }, [urgency, count]);
  return (
    <div className="visually-hidden" role={urgency === 'polite' ? 'status' : 'alert'} aria-live={urgency}>
      {text}
    </div>
  );
}
