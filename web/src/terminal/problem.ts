// The problem in a terminal's last output, as far as it can be told: by the status that a shell with integration reports, else
// by how interpreters, compilers and shells write an error. Pure.

/** The failure of the last command. */
export interface TerminalProblem {
  /** One line that names it. */
  readonly title: string;
  /** The command and its output. */
  readonly text: string;
}

/** Lines of output that are looked at, and letters of each. */
export const MOST_LINES = 120;
const LONGEST = 500;

/** The beginnings of Python's tracebacks, whose last line names the error. */
const TRACEBACK = /^\s*(?:\S+\s)?Traceback \(most recent call last\):/;
const RAISED = /^(?:[\w.]+(?:Error|Exception|Interrupt|Exit|Warning|Group)|[A-Z]\w*)(?::\s.*)?$/;

/** Lines that name an error themselves. */
const ERRORS: readonly RegExp[] = [
  // rustc, cargo
  /^error(?:\[E\d+\])?: (?!aborting due to)/,
  // gcc, clang, tsc, javac: place, then the word
  /^[^\s:][^:]*[:(]\d+[:,)].*?\b(?:fatal )?error\b/i,
  // Node, Go, Ruby, Java
  /^(?:Uncaught )?[A-Z]\w*Error: /,
  /^(?:panic|fatal error|fatal): /,
  /^Exception in thread /,
  // make, npm, pytest
  /^(?:g?make)(?:\[\d+\])?: \*\*\* /,
  /^npm (?:ERR!|error) (?!A complete log)/,
  /^(?:FAILED|ERROR) \S+/,
  // shells
  /(?:^|: )(?:command not found|No such file or directory|Permission denied)(?:$|: )/,
  /^(?:Segmentation fault|Killed|Aborted)\b/,
  // TeX
  /^! /,
];

/**
 * Looks for a problem in the last command's output. `lines` are the last of the screen without what is being typed;
 * `prompt` is the text before the cursor, if nothing runs; `status` is what a shell reported about the command.
 */
export function problemIn(lines: readonly string[], prompt: string, status: number | null): TerminalProblem | null {
  if (status === 0) return null;
  const command = lastCommand(lines, prompt);
  const found = titleIn(command);
  if (found === null && status === null) return null;
  return { title: found ?? `exit status ${status}`, text: command.join('\n') };
}

/** The lines from the last command on: after a prompt as the one that waits now, if there is one before it. */
function lastCommand(lines: readonly string[], prompt: string): readonly string[] {
  const recent = lines.slice(-MOST_LINES);
  if (prompt.trim().length < 1) return recent;
  const at = recent.findLastIndex((line) => line.startsWith(prompt.trimEnd()) && line.trim() !== prompt.trim());
  return at < 0 ? recent : recent.slice(at);
}

/** The line that names the error: that of the last traceback, else the first one that a compiler or a shell wrote. */
function titleIn(lines: readonly string[]): string | null {
  const short = lines.map((line) => line.slice(0, LONGEST).trimEnd());
  const traceback = short.findLastIndex((line) => TRACEBACK.test(line));
  const raised = traceback < 0 ? undefined : short.slice(traceback + 1).find((line) => RAISED.test(line));
  return raised ?? short.find((line) => ERRORS.some((error) => error.test(line))) ?? null;
}
