import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { toastFailure } from '../ui/Toast';
import type { ProviderStatus } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { allow, takeBack } from './consent';
import styles from './Models.module.css';

/** Whether content may go to a provider, and saying otherwise. */
export function ConsentLine({ provider: { id, name, host, consent } }: { provider: ProviderStatus }) {
  if (!host || consent === 'not_needed') return null;
  const attempt = (asked: Promise<void>) => void asked.catch((error) => toastFailure(failureOf(error)));
  return (
    <div className={styles.line}>
      <Icon name={consent === 'given' ? 'check' : 'hand'} size={14} />
      <span className={styles.lineWords}>
        {consent === 'given'
          ? `Messages and everything the assistant reads may be sent to ${host}.`
          : `You are asked before anything is sent to ${host}.`}
      </span>
      {consent === 'given' ? (
        <Button aria-label={`Revoke permission of ${name}`} onClick={() => attempt(takeBack(id))}>
          Revoke
        </Button>
      ) : (
        <Button aria-label={`Allow now: ${name}`} onClick={() => attempt(allow({ provider: id, name, host }))}>
          Allow now
        </Button>
      )}
    </div>
  );
}
