import { type FormEvent, useState } from 'react';
import { Button } from '../ui/Button';
import { Field, Input, TextArea } from '../ui/Field';
import { Note } from '../ui/Note';
import parts from '../ui/Parts.module.css';
import { changeServers } from './store';
import { launchOf, type Writing } from './words';

const NOTHING: Writing = { name: '', launch: '', inherit: '' };

/** Adds a server; what would be started is shown before it is. */
export function AddServer() {
  const [writing, setWriting] = useState<Writing | null>(null);
  if (writing) return <Form writing={writing} onWrite={setWriting} />;
  return (
    <p>
      <Button icon="plus" onClick={() => setWriting(NOTHING)}>
        Add MCP server…
      </Button>
    </p>
  );
}

function Form({ writing, onWrite }: { writing: Writing; onWrite(writing: Writing | null): void }) {
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const name = writing.name.trim();
    setBusy(true);
    const added = await changeServers('mcp.add', { name, launch: launchOf(writing) }, `Added ${name}`);
    setBusy(false);
    if (added) onWrite(null);
  };
  return (
    <form className={parts.form} onSubmit={submit} aria-label="Add MCP server">
      <Field label="Name (lowercase letters and digits)">
        {(id) => (
          <Input
            id={id}
            // The person has just asked for this form.
            autoFocus
            required
            pattern="[a-z][a-z0-9]*"
            maxLength={20}
            value={writing.name}
            onChange={(event) => onWrite({ ...writing, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="URL, or program and arguments, one per line (no shell)">
        {(id) => (
          <TextArea
            id={id}
            rows={4}
            required
            spellCheck={false}
            placeholder={'npx\n-y\n@modelcontextprotocol/server-everything@2026.8.31'}
            value={writing.launch}
            onChange={(event) => onWrite({ ...writing, launch: event.target.value })}
          />
        )}
      </Field>
      <Field label="Environment variables to pass, one per line (for a URL: Header=VARIABLE)">
        {(id) => (
          <TextArea
            id={id}
            rows={2}
            spellCheck={false}
            value={writing.inherit}
            onChange={(event) => onWrite({ ...writing, inherit: event.target.value })}
          />
        )}
      </Field>
      <Note>
        Values come from Aside’s own environment or from <code>mcp/secrets.env</code> in its data folder. You see the
        whole command before it starts.
      </Note>
      <div className={parts.buttons}>
        <Button type="submit" look="primary" disabled={busy}>
          {busy ? 'Adding…' : 'Add…'}
        </Button>
        <Button onClick={() => onWrite(null)}>Cancel</Button>
      </div>
    </form>
  );
}
