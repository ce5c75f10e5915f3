import { useState } from 'react';
import { announce } from '../ui/Announcer';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { toastFailure } from '../ui/Toast';
import type { AuditCheck } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import styles from './Audit.module.css';

/** Checks the chain of hashes. */
export function Verify() {
  const [check, setCheck] = useState<AuditCheck | null>(null);
  const verify = async () => {
    try {
      const found = await request<AuditCheck>('POST', 'audit/verify');
      setCheck(found);
      announce(checkWords(found), found.problem ? 'assertive' : 'polite');
    } catch (error) {
      toastFailure(failureOf(error));
    }
  };
  return (
    <>
      {check && (
        <span className={check.problem ? styles.failure : styles.whole}>
          <Icon name={check.problem ? 'error' : 'check'} /> {checkWords(check)}
        </span>
      )}
      <Button onClick={() => void verify()}>Verify</Button>
    </>
  );
}

function checkWords({ entries, problem }: AuditCheck): string {
  return problem ?? `${entries} entries, none changed or removed`;
}
