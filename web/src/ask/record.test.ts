// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LONGEST, problemOf, record, type Spoken } from './record';

/** A recorder that has a byte of sound when it stops. */
class FakeRecorder {
  state = 'inactive';
  mimeType = 'audio/webm;codecs=opus';
  ondataavailable: ((event: { data: Blob }) => void) | null = null;
  onstop: (() => void) | null = null;
  onerror: (() => void) | null = null;
  start() {
    this.state = 'recording';
  }
  stop() {
    this.state = 'inactive';
    this.ondataavailable?.({ data: new Blob(['s']) });
    this.onstop?.();
  }
}

const stopTrack = vi.fn();
let sent: string[] = [];

function microphone(answer: () => Promise<unknown>) {
  Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: answer }, configurable: true });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('MediaRecorder', FakeRecorder);
  sent = [];
  vi.stubGlobal('fetch', async (path: string) => {
    sent.push(path);
    return new Response(JSON.stringify({ text: 'open the plan', model: 'lab/whisper', cost: {} }));
  });
  microphone(async () => ({ getTracks: () => [{ stop: stopTrack }] }));
  stopTrack.mockClear();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Starts, lets `during` happen, and returns the end. */
async function ended(during: (recording: ReturnType<typeof record>) => Promise<void>): Promise<Spoken> {
  return new Promise((resolve) => {
    void during(record(() => {}, resolve));
  });
}

const held = async (milliseconds: number) => {
  await vi.advanceTimersByTimeAsync(milliseconds);
};

test('words come back as they were written down', async () => {
  const spoken = await ended(async (recording) => {
    await held(2_000);
    recording.stop();
  });
  expect(spoken).toEqual({ kind: 'words', text: 'open the plan', wasCut: false });
  expect(sent[0]).toContain('api/v1/speech?media_type=audio%2Fwebm%3Bcodecs%3Dopus&language=');
  expect(stopTrack).toHaveBeenCalled();
});

test('a long recording ends by itself', async () => {
  const spoken = await ended(() => held(LONGEST + 1));
  expect(spoken).toMatchObject({ kind: 'words', wasCut: true });
});

test('a short press sends nothing', async () => {
  const spoken = await ended(async (recording) => {
    await held(100);
    recording.stop();
  });
  expect(spoken).toMatchObject({ kind: 'problem', words: expect.stringContaining('No speech') });
  expect(sent).toEqual([]);
});

test('an aborted recording goes nowhere', async () => {
  const onEnd = vi.fn();
  const recording = record(() => {}, onEnd);
  await held(2_000);
  recording.abort();
  await held(100);
  expect([sent.length, onEnd.mock.calls.length]).toEqual([0, 0]);
  expect(stopTrack).toHaveBeenCalled();
});

test('refused and missing microphones are told apart', () => {
  const words = (name: string) => (problemOf(new DOMException('', name)) as { words: string }).words;
  expect(words('NotAllowedError')).toContain('refused');
  expect(words('NotFoundError')).toContain('no microphone');
});
