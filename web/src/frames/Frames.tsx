import { Fragment, useRef } from 'react';
import { useShell } from '../app/shell';
import { Splitter } from '../ui/Splitter';
import { DropHint } from './DropHint';
import styles from './Frames.module.css';
import { PaneView } from './PaneView';
import { change, useFrames } from './store';
import type { Frame, Split } from './tree';

/** The frames; nothing until the kept arrangement is known, so that nothing jumps. */
export function Frames() {
  const ready = useFrames((state) => state.ready);
  const root = useFrames((state) => state.frames.root);
  return (
    <div className={styles.frames}>
      {ready && <FrameView frame={root} />}
      <DropHint />
    </div>
  );
}

function FrameView({ frame }: { frame: Frame }) {
  return frame.kind === 'pane' ? <PaneView pane={frame} /> : <SplitView split={frame} />;
}

/** The smallest share a frame can be given with the splitter. */
const SMALLEST = 0.1;

function SplitView({ split }: { split: Split }) {
  const box = useRef<HTMLDivElement>(null);
  // One column when there is no room for two.
  const narrow = useShell((state) => state.width === 'narrow');
  const row = split.direction === 'row' && !narrow;
  const perPixel = () => 100 / ((row ? box.current?.clientWidth : box.current?.clientHeight) || 1);
  return (
    <div ref={box} className={row ? styles.row : styles.column}>
      {split.frames.map((frame, index) => {
        const size = split.sizes[index] ?? 0;
        const both = size + (split.sizes[index + 1] ?? 0);
        return (
          <Fragment key={frame.id}>
            <div className={styles.frame} style={{ flexGrow: size }}>
              <FrameView frame={frame} />
            </div>
            {index < split.frames.length - 1 && (
              <Splitter
                label={row ? 'Width of the pane to the left' : 'Height of the pane above'}
                flat={!row}
                value={size * 100}
                min={SMALLEST * 100}
                max={(both - SMALLEST) * 100}
                step={4}
                scale={perPixel}
                onChange={(percent) => resizeAt(split, index, percent / 100)}
              />
            )}
          </Fragment>
        );
      })}
    </div>
  );
}

/** Gives a frame a share, and the one after it what is left of both. */
function resizeAt(split: Split, index: number, share: number): void {
  const both = (split.sizes[index] ?? 0) + (split.sizes[index + 1] ?? 0);
  const sizes = split.sizes.with(index, share).with(index + 1, both - share);
  change({ type: 'resize', split: split.id, sizes });
}
