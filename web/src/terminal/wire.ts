// The frames of a terminal's socket.
import type { Failure } from '../wire/gen/types';

export interface TerminalSize {
  cols: number;
  rows: number;
}

export interface TerminalExit {
  status?: number;
  signal?: string;
  said: string;
}

export interface OpenTerminal {
  id: string;
  name: string;
  title?: string;
  shell: string;
  cwd: string;
  size: TerminalSize;
  seq: number;
  opened_at: number;
  running?: string;
  exit?: TerminalExit;
}

export type TerminalFrame =
  | {
      type: 'start';
      seq: number;
      replay_to: number;
      reset: boolean;
      restore: string;
      omitted: number;
      size: TerminalSize;
    }
  | { type: 'size'; size: TerminalSize }
  | { type: 'title'; title: string }
  | { type: 'exit'; exit: TerminalExit }
  | { type: 'gone'; why: 'closed' | 'server_restarted' | 'server_ends' | 'not_found'; message: string }
  | { type: 'problem'; failure: Failure };
