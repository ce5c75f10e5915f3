import { useState } from 'react';
import { Words } from '../actions/Words';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { SureButton } from '../ui/SureButton';
import { toastFailure } from '../ui/Toast';
import type { ProviderStatus } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { KeyForm } from './KeyForm';
import { forgetKey, keyWords, useKeys } from './keys';
import styles from './Models.module.css';

/** Where a provider's key is from, and setting, replacing or forgetting it. */
export function KeyLine({ provider: { id, name, key } }: { provider: ProviderStatus }) {
  const [typing, setTyping] = useState(false);
  const status = useKeys().data?.find(({ service }) => service === id);
  const forget = () => void forgetKey(id).catch((error) => toastFailure(failureOf(error)));
  const kept = key === 'keyring' || key === 'file';
  return (
    <div className={styles.line}>
      <Icon name="key" size={14} />
      <span className={styles.lineWords}>
        {keyWords(key, status?.place ?? null)}
        {status?.note && (
          <>
            {'. '}
            <Words text={status.note} />
          </>
        )}
      </span>
      {status && !typing && (
        <Button aria-label={`${kept ? 'Replace' : 'Set'} API key of ${name}`} onClick={() => setTyping(true)}>
          {kept ? 'Replace' : 'Set API key'}
        </Button>
      )}
      {status && kept && !typing && <SureButton verb="Delete" what={`API key of ${name}`} onSure={forget} />}
      {typing && <KeyForm service={id} onDone={() => setTyping(false)} />}
    </div>
  );
}
