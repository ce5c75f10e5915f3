import { type FormEvent, useState } from 'react';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { CopyText } from '../ui/CopyText';
import { Input } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { sentence } from '../ui/sentence';
import { toastFailure } from '../ui/Toast';
import type { AuditCheck, VerifyAudit } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import styles from './Audit.module.css';

/** Checks the chain of hashes, and says how far it holds. */
export function Verify() {
  const [check, setCheck] = useState<AuditCheck | null>(null);
  const [noted, setNoted] = useState('');
  const [busy, setBusy] = useState(false);
  const verify = async () => {
    setBusy(true);
    try {
      const found = await request<AuditCheck>('POST', 'audit/verify', {
        ...(noted.trim() && { head: noted.trim() }),
      } satisfies VerifyAudit);
      setCheck(found);
      announce(checkWords(found), found.problem ? 'assertive' : 'polite');
    } catch (error) {
      toastFailure(failureOf(error));
    }
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void verify();
  };
  return (
    <>
      {check && <Result check={check} />}
      <form className={styles.verify} onSubmit={submit}>
        <Input
          aria-label="Earlier last hash"
          title="Enter a last hash that you saved earlier. Verification fails if the log no longer contains it."
          placeholder="earlier last hash"
          autoComplete="off"
          spellCheck={false}
          value={noted}
          onChange={(event) => setNoted(event.target.value)}
        />
        <Button type="submit" disabled={busy}>
          {busy ? 'Verifying…' : 'Verify'}
        </Button>
      </form>
    </>
  );
}

function Result({ check }: { check: AuditCheck }) {
  return (
    <span className={check.problem ? styles.broken : styles.whole}>
      <Icon name={check.problem ? 'error' : 'check'} /> {checkWords(check)}
      {check.head && !check.problem && (
        <CopyText text={check.head} shown={check.head.slice(0, 12)} what="the last hash" />
      )}
    </span>
  );
}

function checkWords({ entries, problem }: AuditCheck): string {
  const count = entries.toLocaleString('en');
  if (problem === null) return `${count} ${entries === 1 ? 'entry' : 'entries'}, none changed or removed`;
  return `${sentence(problem)} The ${count} entries before it are intact.`;
}
