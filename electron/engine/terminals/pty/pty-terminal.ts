import type { FailReason, HoldReason } from '../../../../shared/events.ts'
import type { ClientKind } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { disposables, type Disposable, emitter } from '../../base/disposable.ts'
import type { Log } from '../../base/log.ts'
import { agents } from '../agents/index.ts'
import { recognise } from '../agents/recognise.ts'
import { createSuggestion, type Suggestion } from '../agents/suggestion.ts'
import { reportScreen } from '../agents/report-screen.ts'
import type { Composer } from '../agents/types.ts'
import { assessTerminal } from '../assess-terminal.ts'
import type { HostedPty } from '../host/hosted-pty.ts'
import { expectedAgent, foregroundFinder, type Foreground } from '../process/foreground.ts'
import type { ProcReader } from '../process/proc-reader.ts'
import { createScreen, type Screen } from '../screen/screen.ts'
import { createKeystrokes, quietMs, type Keystrokes } from '../typing/keystrokes.ts'
import { createPasteWatch } from '../typing/paste-watch.ts'
import type { TypingSettings, Assessment, TypingPort, Written } from '../typing/port.ts'
import { createTypingTarget } from '../typing/typing-target.ts'
import { createFlow, type Flow } from './flow.ts'
import { createQuitWatch } from './quit-watch.ts'
import type { Ending, Pty } from './spawn-pty.ts'
import { watchSuspension } from './suspension.ts'
import { holdsKeys, withoutReplies } from './terminal-replies.ts'

/** A PTY of this process with its screen: it is typed into here, where text, gap and Enter can't be torn apart. */
export interface PtyTerminal extends HostedPty {
  readonly ended: Ending | null
  /** bytes from the person's own terminal: passed on as they are, and taken note of */
  typed(bytes: Uint8Array): void
  /** every byte the program writes, at once; `onData` of a HostedPty comes when the screen shows it */
  readonly output: Pick<Pty, 'onData' | 'pause' | 'resume'>
  signal(signal: NodeJS.Signals): void
  /** the program gave its terminal back on Ctrl Z and waits for SIGCONT */
  onSuspend(listener: () => void): Disposable
}

export interface PtyTerminalDeps {
  terminalId: string
  client: ClientKind
  /** what it was started with: how a program of no known client is recognised */
  argv: readonly string[]
  pty: Pty
  cols: number
  rows: number
  /** lines kept above the screen, for a viewer who comes later */
  scrollback: number
  /** no real terminal answers the program's queries, so they are answered here */
  answerQueries: boolean
  /** null: the program in front is unknown (Windows); the one that Onward started itself is assumed */
  reader: ProcReader | null
  clock: Clock
  log: Log
  /** other durations than usual */
  typing?: Partial<TypingSettings>
}

/** after SIGHUP a program gets this long (milliseconds) */
const killAfterMs = 3_000

export function createPtyTerminal(deps: PtyTerminalDeps): PtyTerminal {
  const { terminalId, client, pty, clock, log } = deps
  const owned = disposables()
  const agent = agents[client]
  const { changes, exits, resizes, shown, pastes, suspends } = ptyEvents(terminalId, log)
  let { cols, rows } = deps
  let ended: Ending | null = null
  let asked: HostedPty['asked'] = null
  let engineThere = false
  let quiet: Disposable | null = null

  const send = (data: string | Uint8Array) => {
    if (ended === null) pty.write(typeof data === 'string' ? Buffer.from(data) : data)
  }
  const screen = owned.add(createScreen({ ...deps, reply: send }))
  const keystrokes = createKeystrokes(clock)
  const pasteWatch = createPasteWatch((text) => pastes.emit(text))
  const quitWatch = createQuitWatch(clock)
  const suggestion = createSuggestion()

  owned.add(screen.onChange(() => changes.emit()))
  const flow = createFlow(pty)
  owned.add(showOutput(pty, flow, screen, shown.emit))
  owned.add(
    pty.onExit((ending) => {
      ended = ending
      asked ??= quitWatch.asked() ? 'person' : null
      void screen.settled().then(() => {
        exits.emit()
        changes.emit()
      })
    }),
  )

  const suspension = owned.add(
    watchSuspension({ clock, pasteIsOn: () => screen.bracketedPaste, onSuspend: () => suspends.emit() }),
  )

  const port = ptyPort({
    ...deps,
    screen,
    keystrokes,
    suggestion,
    // the same reason for every finder: the terminal's end is its agent's
    gone: () => (ended ? { code: 'agent-gone' } : null),
    send,
    hearsRequests: () => engineThere,
  })
  const typed = (bytes: Uint8Array) => {
    // Reported before the program has it: a message can't arrive before its paste is known.
    pasteWatch.typed(bytes)
    quitWatch.typed(bytes)
    send(bytes)
    suspension.typed(bytes)
    keystrokes.typed(bytes)
    if (holdsKeys(Buffer.from(bytes).toString('latin1'))) suggestion.touched()
    changes.emit()
    // once the person has been quiet for a while, another reading is worth it
    quiet?.dispose()
    quiet = clock.after(quietMs, () => changes.emit())
  }
  const signal = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGCONT') asked = 'told'
    if (ended === null) pty.kill(signal)
  }

  return {
    ...createTypingTarget({ ...deps, port, onChange: (listener) => changes.on(listener) }),
    pid: pty.pid,
    get cols() {
      return cols
    },
    get rows() {
      return rows
    },
    get ended() {
      return ended
    },
    get asked() {
      return asked
    },
    output: { onData: (listener) => pty.onData(listener), pause: flow.pause, resume: flow.resume },
    typed,
    // what a person typed in a window; a window's own terminal emulation answers queries that were answered here
    write: (data) => typed(Buffer.from(withoutReplies(data))),
    resize(width, height) {
      if (width === cols && height === rows) return
      cols = width
      rows = height
      if (ended === null) resizePty(deps, cols, rows)
      screen.resize(cols, rows)
      resizes.emit()
    },
    signal,
    kill() {
      signal('SIGHUP')
      owned.add(clock.after(killAfterMs, () => signal('SIGKILL')))
    },
    suggested(text) {
      suggestion.suggested(text)
      changes.emit()
    },
    engineIs: (there) => void (engineThere = there),
    async report() {
      await screen.settled()
      return reportScreen(screen.view(), agent, 'pty')
    },
    snapshot: () => screen.snapshot(),
    onData: (listener) => shown.on(listener),
    onSuspend: (listener) => suspends.on(listener),
    onResize: (listener) => resizes.on(listener),
    onExit: (listener) => exits.on(() => listener()),
    onPaste: (listener) => pastes.on(listener),
    dispose() {
      quiet?.dispose()
      owned.dispose()
    },
  }
}

function ptyEvents(terminalId: string, log: Log) {
  const told = <T>(who: string) => emitter<T>((error) => log.error({ err: error, terminalId }, `${who} failed`))
  return {
    changes: told<void>('a terminal listener'),
    exits: told<void>('an exit listener'),
    resizes: told<void>('a resize listener'),
    shown: told<string>('a terminal watcher'),
    pastes: told<string | null>('a paste listener'),
    suspends: told<void>('a suspend listener'),
  }
}

function showOutput(pty: Pty, flow: Flow, screen: Screen, onShown: (data: string) => void): Disposable {
  const decoder = new TextDecoder()
  return pty.onData((bytes) => {
    flow.came(bytes.length)
    screen.feed(bytes, () => {
      flow.shown(bytes.length)
      // always, so that a character divided over two reads is whole for a viewer who comes in between
      const data = decoder.decode(bytes, { stream: true })
      if (data !== '') onShown(data)
    })
  })
}

/** The program may have ended a moment ago, and its terminal with it. */
function resizePty({ pty, log, terminalId }: PtyTerminalDeps, cols: number, rows: number): void {
  try {
    pty.resize(cols, rows)
  } catch (error) {
    log.debug({ err: error, terminalId }, 'the size did not reach the program')
  }
}

interface PtyPortDeps {
  client: ClientKind
  argv: readonly string[]
  pty: Pick<Pty, 'pid'>
  /** null: the program that Onward started itself is assumed in front */
  reader: ProcReader | null
  screen: Screen
  keystrokes: Keystrokes
  suggestion: Suggestion
  gone(): FailReason | null
  send(keys: string): void
  hearsRequests(): boolean
}

/** A PTY of this process as the typing algorithm sees it. */
function ptyPort(deps: PtyPortDeps): TypingPort {
  const { client, pty, reader, screen, keystrokes, suggestion } = deps
  const agent = agents[client]
  let typedLast = ''
  const inFront = foregroundFinder(reader, expectedAgent(client, deps.argv, pty.pid))
  const foreground = (): Promise<Foreground> =>
    reader ? inFront(pty.pid) : Promise.resolve({ kind: 'agent', program: agent.client, pgid: pty.pid })
  /** Keys of ours. What a person typed since that reading is known here, so the line can't have moved unseen. */
  const press = ({ moment }: Assessment, keys: string): Written => {
    if (moment !== String(keystrokes.keys)) return 'moved'
    deps.send(keys)
    return 'written'
  }
  return {
    async assess() {
      const front = await foreground()
      await screen.settled()
      const moment = String(keystrokes.keys)
      const view = screen.view()
      const state = recognise(view, agent, suggestion)
      const composer: Composer = state.kind === 'unknown' ? { kind: 'unseen' } : state.composer
      const sent = keystrokes.sent && composer.kind === 'empty' ? ({ sent: true } as const) : {}
      const hold: HoldReason | null = keystrokes.midLine(composer, typedLast) ? { code: 'typing', ...sent } : null
      return { ...assessTerminal({ gone: deps.gone(), foreground: front, hold, agent, view, suggestion }), moment }
    },
    async writeText(text, how) {
      typedLast = text
      return press(how.seen, how.bracketed ? bracketed(text) : text)
    },
    pressEnter: async (seen) => press(seen, '\r'),
    pressSpace: async (seen) => press(seen, ' '),
    eraseLine: async (seen) => press(seen, '\u0015\u007f'),
    hearsRequests: () => deps.hearsRequests(),
  }
}

/** A bracketed paste as terminals send it: line ends are CR there (xterm's and tmux's paste do the same). */
const bracketed = (text: string): string => `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~`
