import type { ReactNode } from 'react';
import { Words } from '../actions/Words';
import { useIcon } from '../files/kind';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { sentence } from '../ui/sentence';
import styles from './Viewer.module.css';
import { ViewerBar } from './ViewerBar';
import { chooseWay } from './ways';

interface UnshownProps {
  path: string;
  message: string;
  hint?: string | undefined;
  /** Its text can still be read. */
  hasSource?: boolean;
  /** Other ways on. */
  children?: ReactNode;
}

/** Why a file can't be shown in the way that was chosen, and the way on. */
export function Unshown({ path, message, hint, hasSource = false, children }: UnshownProps) {
  const icon = useIcon(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    <div className={styles.view}>
      <ViewerBar path={path} facts={null} />
      <Notice icon={icon} title={`${name} can’t be shown`}>
        <p>
          <Words text={sentence(message)} /> {hint && <Words text={hint} />}
        </p>
        {hasSource && <Button onClick={() => chooseWay(path, 'source')}>Show the source</Button>}
        {children}
      </Notice>
    </div>
  );
}
