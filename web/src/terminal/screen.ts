// One terminal as it is drawn in one tab: xterm.js, and the socket that feeds it. It stays while its tab is open, also
// where another tab is shown in its place, so that nothing has to come again.
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import { create } from 'zustand';
import { toast, toastFailure } from '../ui/Toast';
import type { TerminalExit, TerminalServerFrame, TerminalSize } from '../wire/gen/types';
import { Acknowledgements, bytesOfBinary, isAnswer, type Output } from './frames';
import { fileLinks, openLink } from './linkProvider';
import { useTerminalPreferences } from './preferences';
import { MOST_LINES, problemIn, type TerminalProblem } from './problem';
import { type SocketStatus, TerminalSocket } from './socket';
import { followLook, lookIn } from './theme';

import '@xterm/xterm/css/xterm.css';

/** The state of a terminal that its tab shows. */
export interface ScreenState {
  readonly status: SocketStatus;
  readonly size: TerminalSize | null;
  /** The size that would fill the pane. */
  readonly fits: TerminalSize | null;
  readonly exit: TerminalExit | null;
  /** There is no such terminal any more, in the server's words. */
  readonly gone: string | null;
  /** Bytes of output that were left out last. */
  readonly omitted: number;
  /** The target of the link under the pointer. */
  readonly link: string | null;
  /** The problem in the last command's output, once the output rests. */
  readonly problem: TerminalProblem | null;
}

/** Milliseconds without output after which it is looked for problems. */
const REST = 400;

/** Lines that can be scrolled back to. */
const SCROLLBACK = 10_000;

const utf8 = new TextEncoder();

/** A terminal in a tab. */
export class Screen {
  readonly state = create<ScreenState>(() => ({
    status: 'connecting',
    size: null,
    fits: null,
    exit: null,
    gone: null,
    omitted: 0,
    link: null,
    problem: null,
  }));
  readonly element = document.createElement('div');
  readonly search = new SearchAddon();
  readonly terminal: Terminal;
  private readonly fit = new FitAddon();
  private connection: TerminalSocket | null = null;
  /** The number of the next byte that comes, and of the first one that is not old. */
  private next: number | null = null;
  private replayTo = 0;
  private read = 0;
  private refusedClipboard = false;
  /** The status of the last command, if the shell reports it. */
  private exitStatus: number | null = null;
  private resting = 0;
  private prompt = { row: -1, text: '' };
  private readonly acknowledgements = new Acknowledgements((seq) => this.connection?.acknowledge(seq));
  private readonly ends: (() => void)[] = [];

  constructor(
    readonly id: string,
    ansi: string,
  ) {
    this.element.className = ansi;
    this.terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: false,
      cursorInactiveStyle: 'outline',
      linkHandler: {
        activate: (event, target) => openLink(event, target),
        hover: (_, target) => this.state.setState({ link: target }),
        leave: () => this.state.setState({ link: null }),
        allowNonHttpProtocols: true,
      },
      macOptionIsMeta: false,
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK,
      screenReaderMode: useTerminalPreferences.getState().screenReader,
    });
  }

  /** Puts it into a pane that is shown, and connects the first time. */
  attach(host: HTMLElement): void {
    host.append(this.element);
    if (!this.terminal.element) this.open();
    this.refit();
    this.connection ??= this.connect();
  }

  /** Takes the size of the pane. */
  refit(): void {
    const fits = this.fit.proposeDimensions();
    if (!fits || !(fits.cols > 1 && fits.rows > 0)) return;
    const before = this.state.getState().fits;
    if (before?.cols === fits.cols && before.rows === fits.rows) return;
    this.state.setState({ fits });
    if (this.state.getState().size === null) this.terminal.resize(fits.cols, fits.rows);
    else this.connection?.resize(fits);
  }

  /** Types a text, as a paste does: in brackets where the program wants that. */
  paste(text: string): void {
    this.terminal.paste(text);
  }

  /** The selected text, else the last command with its problem, else the last lines. */
  textForHelp(): string {
    const selected = this.terminal.getSelection();
    if (selected.trim() !== '') return selected;
    return this.state.getState().problem?.text ?? lastLines(this.terminal, 80).join('\n');
  }

  dispose(): void {
    clearTimeout(this.resting);
    for (const end of this.ends) end();
    this.connection?.close();
    this.terminal.dispose();
    this.element.remove();
  }

  private open(): void {
    const { terminal } = this;
    for (const addon of [this.fit, this.search, new Unicode11Addon(), this.webLinks()]) terminal.loadAddon(addon);
    terminal.unicode.activeVersion = '11';
    this.follow();
    terminal.open(this.element);
    terminal.registerLinkProvider(fileLinks(terminal, this.id));
    terminal.onData((text) => this.type(text));
    terminal.onBinary((text) => void this.connection?.type(bytesOfBinary(text)));
    // Programs must not fill the clipboard unseen, nor read it.
    terminal.parser.registerOscHandler(52, () => this.refuseClipboard());
    terminal.parser.registerOscHandler(133, (text) => this.noteCommand(text));
    terminal.onWriteParsed(() => this.lookLater());
  }

  private follow(): void {
    const look = () => Object.assign(this.terminal.options, lookIn(this.element));
    look();
    this.ends.push(
      followLook(() => {
        look();
        this.refit();
      }),
      useTerminalPreferences.subscribe(({ screenReader }) => {
        this.terminal.options.screenReaderMode = screenReader;
      }),
    );
  }

  private webLinks(): WebLinksAddon {
    return new WebLinksAddon(openLink, {
      hover: (_, target) => this.state.setState({ link: target }),
      leave: () => this.state.setState({ link: null }),
    });
  }

  private connect(): TerminalSocket {
    return new TerminalSocket(this.id, {
      where: () => ({ from: this.next, size: this.state.getState().fits ?? { cols: 80, rows: 24 } }),
      onFrame: (frame) => this.apply(frame),
      onOutput: (output) => this.write(output),
      onStatus: (status) => this.state.setState({ status }),
    });
  }

  private apply(frame: TerminalServerFrame): void {
    switch (frame.type) {
      case 'start':
        return this.start(frame);
      case 'size':
        return this.resize(frame.size);
      case 'exit':
        return this.state.setState({ exit: frame.exit });
      case 'gone':
        return this.state.setState({ gone: frame.message });
      case 'problem':
        return toastFailure(frame.failure);
    }
  }

  private start(frame: Extract<TerminalServerFrame, { type: 'start' }>): void {
    const { seq, replay_to, reset, restore, omitted, size } = frame;
    this.replayTo = replay_to;
    this.read = seq;
    this.next = seq;
    this.acknowledgements.start(seq);
    this.resize(size);
    if (reset) {
      this.state.setState({ omitted });
      // In its turn after what is still being read.
      this.terminal.write(`\x1bc${restore}`);
    }
  }

  private resize(size: TerminalSize): void {
    this.state.setState({ size });
    this.terminal.resize(size.cols, size.rows);
  }

  private write({ seq, bytes }: Output): void {
    const end = seq + bytes.length;
    this.next = end;
    this.terminal.write(bytes, () => {
      this.read = Math.max(this.read, end);
      this.acknowledgements.read(end, this.next === end);
    });
  }

  private type(text: string): void {
    const isOld = this.read < this.replayTo;
    if (isOld && isAnswer(text)) return;
    void this.connection?.type(utf8.encode(text));
  }

  /** Marks that shells set around commands: `D;1` ended with status 1, `C` a command begins. */
  private noteCommand(text: string): boolean {
    const [, status] = /^D(?:;(\d{1,3}))?/.exec(text) ?? [];
    if (status !== undefined) this.exitStatus = Number(status);
    else if (text.startsWith('C')) this.exitStatus = null;
    return true;
  }

  private lookLater(): void {
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.lookForProblem(), REST);
  }

  /** Full-screen programs have no last command. */
  private lookForProblem(): void {
    const { active } = this.terminal.buffer;
    const prompt = this.promptNow();
    const lines = lastLines(this.terminal, MOST_LINES + 1);
    // The line of the cursor is what waits or is being typed.
    const output = prompt.trim() === '' ? lines : lines.slice(0, -1);
    const problem = active.type === 'normal' ? problemIn(output, prompt, this.exitStatus) : null;
    if (problem?.text !== this.state.getState().problem?.text) this.state.setState({ problem });
  }

  /** The text before the cursor when the output came to rest there: what is typed after it is no part of it. */
  private promptNow(): string {
    const { active } = this.terminal.buffer;
    const row = active.baseY + active.cursorY;
    const text = active.getLine(row)?.translateToString(true, 0, active.cursorX) ?? '';
    if (row !== this.prompt.row || !text.startsWith(this.prompt.text)) this.prompt = { row, text };
    return this.prompt.text;
  }

  private refuseClipboard(): boolean {
    if (!this.refusedClipboard) toast('A program in the terminal tried to use the clipboard. Aside doesn’t let it.');
    this.refusedClipboard = true;
    return true;
  }
}

/** The last lines up to the cursor, without empty ones at the end. */
function lastLines({ buffer: { active } }: Terminal, most: number): string[] {
  const lines: string[] = [];
  for (let at = active.baseY + active.cursorY; at >= 0 && lines.length < most; at--) {
    const text = active.getLine(at)?.translateToString(true) ?? '';
    if (text !== '' || lines.length > 0) lines.push(text);
  }
  return lines.reverse();
}
