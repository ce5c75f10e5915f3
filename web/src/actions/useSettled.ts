import { useEffect, useState } from 'react';

const SETTLE = 400;

/**
 * Tells whether something has been on the screen for a moment. An answer given before that was meant for what
 * stood there earlier: a second click, or a key that is still held.
 */
export function useSettled(shown: string | null): boolean {
  const [settled, setSettled] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(shown), SETTLE);
    return () => clearTimeout(timer);
  }, [shown]);
  return settled === shown;
}
