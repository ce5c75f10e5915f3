// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { canListen, listen, problemWords, type Recognition, wordsOf } from './speech';

afterEach(() => vi.unstubAllGlobals());

const result = (...words: string[]) => ({ results: words.map((transcript) => [{ transcript }]) });

test('words come in one line', () => {
  expect(wordsOf(result('close all ', ' tabs', ''))).toBe('close all tabs');
});

test('a refused microphone says so', () => {
  expect(problemWords('not-allowed')).toMatch(/refused the microphone/);
  expect(problemWords('aborted')).toBeNull();
});

test('without recognition nothing listens', () => {
  expect(canListen()).toBe(false);
  expect(listen(vi.fn(), vi.fn())).toBeNull();
});

test('listening ends with the problem', () => {
  class Fake implements Partial<Recognition> {
    onresult: Recognition['onresult'] = null;
    onerror: Recognition['onerror'] = null;
    onend: Recognition['onend'] = null;
    start() {}
  }
  vi.stubGlobal('webkitSpeechRecognition', Fake);
  const [onWords, onEnd] = [vi.fn(), vi.fn()];
  const recognition = listen(onWords, onEnd);
  recognition?.onresult?.(result('dark', 'mode'));
  recognition?.onerror?.({ error: 'audio-capture' });
  recognition?.onend?.();
  expect(onWords).toHaveBeenCalledWith('dark mode');
  expect(onEnd).toHaveBeenCalledWith(problemWords('audio-capture'));
});
