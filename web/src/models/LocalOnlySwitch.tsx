import { Icon } from '../ui/Icon';
import { Switch } from '../ui/Switch';
import { toastFailure } from '../ui/Toast';
import { useConnection } from '../wire/connection';
import type { LocalOnly, SetLocalOnly } from '../wire/gen/types';
import { failureOf, request } from '../wire/requests';
import { invalidate, useResource } from '../wire/resource';
import styles from './LocalOnlySwitch.module.css';

const PATH = 'models/local-only';

/** The one switch for all of it: nothing elsewhere is reached, whoever asks. */
export function LocalOnlySwitch() {
  const online = useConnection((state) => state.status === 'online');
  const { data: now } = useResource<LocalOnly>(online ? PATH : null);
  if (!now) return null;
  const change = async () => {
    try {
      await request('PUT', PATH, { on: !now.on } satisfies SetLocalOnly);
    } catch (error) {
      toastFailure(failureOf(error));
    }
    for (const path of [PATH, 'models']) invalidate(path);
  };
  return (
    <div className={styles.setting} data-on={now.on}>
      <Icon name="machine" />
      <div className={styles.words}>
        <b id="local-only">Local only</b>
        <span id="local-only-means">
          {now.on
            ? 'Aside connects only to this computer: no remote models, remote MCP servers or price updates.'
            : 'You can use remote services, each after you allow it.'}
          {now.forced && ' Set by --local-only or ASIDE_LOCAL_ONLY. To change it, restart Aside without that.'}
        </span>
      </div>
      <Switch
        on={now.on}
        aria-labelledby="local-only"
        aria-describedby="local-only-means"
        disabled={now.forced}
        onClick={() => void change()}
      />
    </div>
  );
}
