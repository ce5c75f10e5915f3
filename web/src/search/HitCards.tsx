import { useEffect } from 'react';
import { useIcon } from '../files/kind';
import { Icon, type IconName } from '../ui/Icon';
import type { SearchHit } from '../wire/gen/types';
import { type HitCard, placeWords, whyWords } from './cards';
import { goToHit } from './goToHit';
import { Marked } from './Marked';
import styles from './Search.module.css';
import { goTo } from './searchStore';

interface HitCardsProps {
  /** Of the list; its places have it with their number. */
  id: string;
  cards: readonly HitCard[];
  current: number;
}

/** One card per document, each with its best places. The box has the keyboard. */
export function HitCards({ id, cards, current }: HitCardsProps) {
  useEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current]);
  return (
    <div className={styles.list} role="listbox" aria-label="Results" id={id} tabIndex={-1}>
      {cards.map((card) => (
        <Card key={card.path} id={id} card={card} current={current} />
      ))}
    </div>
  );
}

function Card({ id, card: { path, hits, first }, current }: { id: string; card: HitCard; current: number }) {
  const fileIcon = useIcon(path);
  const [best] = hits;
  if (!best) return null;
  const icon: IconName = best.kind === 'thread' || best.kind === 'chat' ? 'chat' : fileIcon;
  const title = best.title || path.slice(path.lastIndexOf('/') + 1);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
    <div className={styles.card} role="group" aria-label={title}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keyboard; the first place is the same */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div className={styles.head} title={path} onClick={() => open(best, first)}>
        <span className={styles.icon} data-icon={icon}>
          <Icon name={icon} />
        </span>
        <span className={styles.title}>{title}</span>
        {icon !== 'chat' && path !== title && <span className={styles.path}>{path}</span>}
      </div>
      {hits.map((hit, index) => (
        <Place
          // biome-ignore lint/suspicious/noArrayIndexKey: a line can be found twice
          key={index}
          id={`${id}-${first + index}`}
          hit={hit}
          number={first + index}
          isCurrent={first + index === current}
        />
      ))}
    </div>
  );
}

function open(hit: SearchHit, number: number): void {
  goTo(number);
  goToHit(hit);
}

interface PlaceProps {
  id: string;
  hit: SearchHit;
  number: number;
  isCurrent: boolean;
}

function Place({ id, hit, number, isCurrent }: PlaceProps) {
  const place = placeWords(hit);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus, see aria-activedescendant
    <div id={id} role="option" aria-selected={isCurrent} className={styles.place} onClick={() => open(hit, number)}>
      {hit.headings.length > 0 && <span className={styles.headings}>{hit.headings.join(' › ')}</span>}
      <span className={styles.text}>
        <Marked text={hit.text} marks={hit.marks} />
      </span>
      <span className={styles.facts}>
        {place !== '' && <span>{place}</span>}
        <span data-why={hit.why}>{whyWords(hit)}</span>
      </span>
    </div>
  );
}
