/** Spoken words where the browser recognises none: recorded here, and written down by a service that the server knows. */
import type { Failure, SpokenWords } from '../wire/gen/types';
import { failureOf, sendBytes } from '../wire/requests';
import { problemWords } from './speech';

/** Milliseconds of a recording; then it ends by itself. */
export const LONGEST = 60_000;

/** Milliseconds under which nobody has said anything. */
const SHORTEST = 300;

/** The end of a recording: words, or why there are none. */
export type Spoken =
  | { readonly kind: 'words'; readonly text: string; readonly wasCut: boolean }
  | { readonly kind: 'problem'; readonly words: string; readonly failure: Failure | null };

/** A recording that goes on until it is stopped. */
export interface Recording {
  /** Ends it: its words are written down. */
  stop(): void;
  /** Ends it, and nothing goes anywhere. */
  abort(): void;
}

/** Tells whether this browser can record sound. */
export function canRecord(): boolean {
  return typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined;
}

/** Starts to record. `onSending` is called once it is over, `onEnd` with its words. */
export function record(onSending: () => void, onEnd: (spoken: Spoken) => void): Recording {
  const abort = new AbortController();
  const stop = new AbortController();
  const end = (spoken: Spoken | null) => spoken && !abort.signal.aborted && onEnd(spoken);
  void recorded(stop.signal, abort.signal, onSending).then(end, (error) => end(problemOf(error)));
  return { stop: () => stop.abort(), abort: () => abort.abort() };
}

/** Records until a signal, and has it written down; null if it was aborted. */
async function recorded(stop: AbortSignal, abort: AbortSignal, onSending: () => void): Promise<Spoken | null> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  try {
    // The question for the microphone took longer than the button was held.
    if (stop.aborted) return problem('The microphone was not ready yet. Hold the button while you speak.');
    if (abort.aborted) return null;
    const began = performance.now();
    const { sound, wasCut } = await taken(new MediaRecorder(stream), [stop, abort]);
    if (abort.aborted) return null;
    if (performance.now() - began < SHORTEST || sound.size === 0) return problem(problemWords('no-speech') ?? '');
    onSending();
    const how = new URLSearchParams({ media_type: sound.type, language: language() });
    const { text } = await sendBytes<SpokenWords>(`speech?${how}`, sound);
    return text === '' ? problem(problemWords('no-speech') ?? '') : { kind: 'words', text, wasCut };
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

/** The sound until one of the signals, or until it is as long as it may be. */
function taken(recorder: MediaRecorder, ends: readonly AbortSignal[]): Promise<{ sound: Blob; wasCut: boolean }> {
  return new Promise((resolve, reject) => {
    const pieces: Blob[] = [];
    let wasCut = false;
    const timer = setTimeout(() => {
      wasCut = true;
      recorder.stop();
    }, LONGEST);
    const end = () => recorder.state === 'recording' && recorder.stop();
    for (const signal of ends) signal.addEventListener('abort', end);
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.onerror = () => reject(new Error('The browser stopped the recording.'));
    recorder.onstop = () => {
      clearTimeout(timer);
      resolve({ sound: new Blob(pieces, { type: recorder.mimeType || 'audio/webm' }), wasCut });
    };
    recorder.start();
  });
}

function language(): string {
  return navigator.language || 'en';
}

function problem(words: string): Spoken {
  return { kind: 'problem', words, failure: null };
}

/** Says why nothing could be recorded, or why the service gave no words. */
export function problemOf(error: unknown): Spoken {
  if (error instanceof DOMException) {
    const isRefused = error.name === 'NotAllowedError' || error.name === 'SecurityError';
    return problem(problemWords(isRefused ? 'not-allowed' : 'audio-capture') ?? '');
  }
  const failure = failureOf(error);
  return { kind: 'problem', words: [failure.message, failure.hint].filter(Boolean).join('. '), failure };
}
