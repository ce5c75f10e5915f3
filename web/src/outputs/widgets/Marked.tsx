import type { ButtonHTMLAttributes } from 'react';
import { Button } from '../../ui/Button';
import { markOf } from './marks';
import styles from './Widgets.module.css';

interface MarkedProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `button_style` of the widget: `success` and the like. */
  tone: string;
  /** A name of Font Awesome. */
  icon: string;
  words: string;
  /** What it says where it has neither words nor a mark. */
  otherwise: string;
}

/** A button as code describes it: with its words, its mark and its tone. */
export function Marked({ tone, icon, words, otherwise, ...rest }: MarkedProps) {
  const mark = markOf(icon);
  const isSwitch = rest['aria-pressed'] !== undefined;
  const look = tone === 'primary' && !isSwitch ? 'primary' : 'plain';
  const name = words || rest.title || icon.replaceAll('-', ' ') || otherwise;
  return (
    <Button
      {...rest}
      aria-label={name}
      look={look}
      icon={mark && 'shape' in mark ? mark.shape : undefined}
      className={styles.marked}
      data-tone={look === 'plain' && !rest.disabled ? TONES[tone] : undefined}
    >
      {mark && 'letter' in mark && <span aria-hidden="true">{mark.letter}</span>}
      {words || (mark ? null : name)}
    </Button>
  );
}

const TONES: Record<string, string> = {
  primary: 'accent',
  info: 'accent',
  success: 'ok',
  warning: 'warn',
  danger: 'err',
};
