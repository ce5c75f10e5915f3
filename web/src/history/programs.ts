/** Programs whose logs are read: what the server calls each, and what people do. Pure. */
export const PROGRAMS = [
  ['claude', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini CLI'],
  ['opencode', 'opencode'],
  ['copilot', 'Copilot CLI'],
  ['cline', 'Cline'],
  ['roo', 'Roo Code'],
  ['kilo', 'Kilo Code'],
  ['qwen', 'Qwen Code'],
  ['pi', 'pi'],
  ['amp', 'Amp'],
  ['cursor', 'Cursor'],
  ['goose', 'Goose'],
  ['continue', 'Continue'],
  ['aider', 'Aider'],
  ['kimi', 'Kimi CLI'],
  ['droid', 'Droid'],
  ['hermes', 'Hermes'],
  ['openclaw', 'OpenClaw'],
  ['grok', 'Grok CLI'],
  ['codebuff', 'Codebuff'],
  ['cowork', 'Claude Cowork'],
  ['aside', 'Aside'],
] as const;

/** A program's name for people. */
export function programName(program: string): string {
  return PROGRAMS.find(([id]) => id === program)?.[1] ?? program;
}
