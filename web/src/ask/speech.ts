/** The browser's own speech recognition, where it has one. */

/** The part of it that is used; its types are not part of TypeScript's. */
export interface Recognition {
  lang: string;
  interimResults: boolean;
  continuous: boolean;
  onresult: ((event: RecognitionResults) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}

/** The words so far, piece by piece. */
export interface RecognitionResults {
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>>;
}

type MakeRecognition = new () => Recognition;

function maker(): MakeRecognition | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as {
    SpeechRecognition?: MakeRecognition;
    webkitSpeechRecognition?: MakeRecognition;
  };
  return SpeechRecognition ?? webkitSpeechRecognition;
}

/** Tells whether this browser recognises speech. */
export function canListen(): boolean {
  return maker() !== undefined;
}

/** Starts to listen in the language of the browser; returns null where that can't be done. */
export function listen(onWords: (words: string) => void, onEnd: (problem: string | null) => void): Recognition | null {
  const Maker = maker();
  if (!Maker) return null;
  const recognition = new Maker();
  recognition.lang = navigator.language;
  recognition.interimResults = true;
  recognition.continuous = true;
  let problem: string | null = null;
  recognition.onresult = (event) => onWords(wordsOf(event));
  recognition.onerror = ({ error }) => {
    problem = problemWords(error);
  };
  recognition.onend = () => onEnd(problem);
  recognition.start();
  return recognition;
}

/** The recognised words in one line. */
export function wordsOf({ results }: RecognitionResults): string {
  const pieces = Array.from(results, (result) => result[0]?.transcript.trim() ?? '');
  return pieces.filter(Boolean).join(' ');
}

/** Says why nothing was recognised; null if the person only stopped. */
export function problemWords(error: string): string | null {
  switch (error) {
    case 'aborted':
      return null;
    case 'no-speech':
      return 'No speech was heard. Hold the button while you speak.';
    case 'not-allowed':
    case 'service-not-allowed':
      return 'The browser refused the microphone. Allow it for this page, or type.';
    case 'audio-capture':
      return 'There is no microphone. Connect one, or type.';
    default:
      return 'The browser can’t recognise speech now. Type instead.';
  }
}
