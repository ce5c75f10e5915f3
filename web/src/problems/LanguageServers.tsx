import { Button } from '../ui/Button';
import { Note, Problem } from '../ui/Note';
import type { LanguageServer } from '../wire/gen/types';
import { restartServer, useLanguageServers } from './languageServers';

/** The language servers that need a word: one that starts, and one that does not work, with what to do. */
export function LanguageServers() {
  const found = useLanguageServers();
  return (
    <>
      {found?.problem && <Problem failure={{ message: found.problem }} />}
      {found?.servers.map((server) => (
        <Standing key={server.name} server={server} />
      ))}
    </>
  );
}

function Standing({ server: { name, state, said, todo } }: { server: LanguageServer }) {
  if (state === 'starting' && said === null) return <Note>Starting language server {name}…</Note>;
  if (said === null) return null;
  return (
    <>
      <Problem failure={{ message: `Language server ${name}: ${said}`, ...(todo && { hint: todo }) }} />
      {state !== 'starting' && (
        <Button icon="retry" onClick={() => void restartServer(name)}>
          Restart {name}
        </Button>
      )}
    </>
  );
}
