import { useId } from 'react';
import { IconButton } from '../ui/Button';
import { Note } from '../ui/Note';
import type { SettingView } from '../wire/gen/types';
import { Control } from './Control';
import styles from './SettingsPage.module.css';
import { saveSetting } from './save';
import { wordsOf } from './search';
import type { Settings } from './values';

/** One setting: its words, its value, and the way back to its default. */
export function Row({ view }: { view: SettingView }) {
  const { setting, value, changed, overridden } = view;
  const id = useId();
  const save = (next: unknown) => void saveSetting(setting.key as keyof Settings, next as Settings[keyof Settings]);
  return (
    <li className={styles.row} data-changed={changed}>
      <div className={styles.words}>
        <span className={styles.title}>
          <label id={`${id}-name`} htmlFor={id}>
            {setting.title}
          </label>
          {changed && <span className={styles.changed}>Changed</span>}
          <code className={styles.key}>{setting.key}</code>
        </span>
        <span id={`${id}-help`} className={styles.help}>
          {setting.help}
        </span>
        {overridden && (
          <Note>
            This workspace sets it to {wordsOf(setting, value)} in <code>.aside/settings.toml</code>. Your own value
            counts elsewhere.
          </Note>
        )}
      </div>
      <div className={styles.control}>
        <Control id={id} view={view} onChange={save} />
        {changed ? (
          <IconButton
            icon="undo"
            label={`Reset ${setting.title.toLowerCase()} to its default`}
            onClick={() => {
              save(null);
              document.getElementById(id)?.focus();
            }}
          />
        ) : (
          <span className={styles.noReset} />
        )}
      </div>
    </li>
  );
}
