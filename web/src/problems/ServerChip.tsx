import { useKind } from '../files/kind';
import chip from '../ui/Chip.module.css';
import { Icon } from '../ui/Icon';
import { openProblems } from './goTo';
import { needsWord, useLanguageServers } from './languageServers';

/** Says beside a file's name that its language server starts, or does not work; the list of problems says why. */
export default function ServerChip({ path }: { path: string }) {
  const kind = useKind(path);
  const server = needsWord(useLanguageServers()?.servers ?? [], kind);
  if (!server) return null;
  if (server.state === 'starting' && server.said === null) {
    return (
      <span className={chip.chip} data-quiet>
        <Icon name="spinner" size={12} /> {server.name} starting
      </span>
    );
  }
  return (
    <button type="button" className={chip.chip} data-tone="warn" onClick={openProblems}>
      <Icon name="warning" size={12} /> {server.name} not running
    </button>
  );
}
