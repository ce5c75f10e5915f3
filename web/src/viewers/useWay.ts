import { isGuest } from '../app/session';
import { useFacts } from '../files/kind';
import { useWays, type Way, waysOf } from './ways';

/** The ways to show a file, and the one that counts now. */
export function useWay(path: string): { ways: readonly Way[]; way: Way } {
  const editor = useFacts(path)?.editor;
  const chosen = useWays(({ ways }) => ways[path]);
  // A guest gets texts as documents alone, and no bytes.
  const ways = isGuest() ? [] : waysOf(editor, path);
  return { ways, way: chosen && ways.includes(chosen) ? chosen : (ways[0] ?? 'source') };
}
