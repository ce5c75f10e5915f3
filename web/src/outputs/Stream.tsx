import { useState } from 'react';
import type { CellOutput } from '../wire/gen/types';
import { OpenAll } from './OpenAll';
import type { OutputPlace } from './Outputs';
import { Terminal } from './Terminal';

type StreamOutput = Extract<CellOutput, { type: 'stream' }>;

/** Printed text, which may still grow. Of very long ones the beginning and the end; all of it on demand. */
export function Stream({ at, output, live }: { at: OutputPlace; output: StreamOutput; live?: boolean | undefined }) {
  const [whole, setWhole] = useState<string | null>(null);
  const { name, text, omitted, tail } = output;
  const label = name === 'stderr' ? 'Standard error' : 'Standard output';
  const end = live ? 'live' : undefined;
  if (whole !== null) return <Terminal text={whole} label={label} tone={name} tall />;
  return (
    <>
      <Terminal text={text} label={label} tone={name} end={omitted > 0 ? undefined : end} />
      {omitted > 0 && (
        <>
          <OpenAll at={at} omitted={omitted} onRead={setWhole} />
          <Terminal text={tail} label={`${label}, end`} tone={name} end={end} />
        </>
      )}
    </>
  );
}
