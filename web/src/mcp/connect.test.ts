import { expect, test } from 'vitest';
import { httpWays, quoted, stdioWays } from './connect';

test('a folder is one word, whatever its name', () => {
  expect(quoted('/home/ada/tides')).toBe('/home/ada/tides');
  expect(quoted("/a b/it's")).toBe("'/a b/it'\\''s'");
  expect(stdioWays('/a b')[0]?.lines).toBe("claude mcp add aside -- aside mcp --workspace '/a b'");
  expect(stdioWays('/a "b"')[1]?.lines).toContain('"/a \\"b\\""');
});

test('the token stands where the program sends it, once there is one', () => {
  const [claude, others] = httpWays('http://127.0.0.1:4870/', 'asd_1');
  expect(claude?.lines).toContain("http://127.0.0.1:4870/mcp --header 'Authorization: Bearer asd_1'");
  expect(others?.lines).toContain('"Authorization": "Bearer asd_1"');
  expect(httpWays('http://h/', null)[0]?.lines).toContain('TOKEN');
});
