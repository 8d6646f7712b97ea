import type { Clock } from '../../base/clock.ts'
import { disposables, type Disposable, emitter } from '../../base/disposable.ts'
import type { Log } from '../../base/log.ts'
import { parseStatus, statusAnswer, statusOsc, type ProgramStatus } from './program-status.ts'
import { viewOf } from './read-cells.ts'
import type { ScreenView } from './view.ts'
import { SerializeAddon, Terminal } from './xterm.ts'

/** A terminal's screen kept from the raw bytes its program writes. */
export interface Screen extends Disposable {
  /** `parsed` is called when the screen shows these bytes, and none of the later ones */
  feed(bytes: Uint8Array, parsed?: () => void): void
  resize(cols: number, rows: number): void
  /** everything fed so far is on the screen */
  settled(): Promise<void>
  /** DEC mode 2004 */
  readonly bracketedPaste: boolean
  /** the screen as it is now, parsed bytes only: await `settled()` for all that was fed */
  view(): ScreenView
  /** Escape sequences that draw screen and scrollback anew, with everything that was parsed by now. */
  snapshot(): string
  /** the screen changed; at most once per `changeEveryMs` */
  onChange(listener: () => void): Disposable
}

export interface ScreenOptions {
  cols: number
  rows: number
  /** lines kept above the screen */
  scrollback: number
  clock: Clock
  log: Log
  /** Bytes the terminal owes its program: the answer to a status query, and what `answerQueries` adds. */
  reply(data: string): void
  /** Also answer cursor and device queries: true if no other terminal shows this program and answers them. */
  answerQueries: boolean
}

const changeEveryMs = 80

export function createScreen(options: ScreenOptions): Screen {
  const { clock, log } = options
  const owned = disposables()
  const terminal = new Terminal({
    cols: options.cols,
    rows: options.rows,
    scrollback: options.scrollback,
    allowProposedApi: true,
    logLevel: 'off',
  })
  const serializer = new SerializeAddon()
  // the add-on is typed for the browser's Terminal; the headless one has the parts it uses (its README says so)
  serializer.activate(terminal as unknown as Parameters<typeof serializer.activate>[0])
  let title = ''
  let programStatus: ProgramStatus | null = null
  let statusSerial = 0
  let cursorVisible = true

  owned.add(
    terminal.parser.registerOscHandler(statusOsc, (payload) => {
      const message = parseStatus(payload)
      if (message.type === 'query') options.reply(statusAnswer)
      if (message.type === 'report') {
        programStatus = message.status
        statusSerial++
      }
      return true
    }),
  )
  // the headless terminal keeps this mode to itself, so it is read on its way in; false: xterm handles it as well
  const cursorMode = (visible: boolean) => (params: (number | number[])[]) => {
    if (params.includes(25)) cursorVisible = visible
    return false
  }
  owned.add(terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, cursorMode(true)))
  owned.add(terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, cursorMode(false)))
  owned.add(
    terminal.onTitleChange((value) => {
      title = value
    }),
  )
  if (options.answerQueries) owned.add(terminal.onData((data) => options.reply(data)))

  const changes = emitter<void>((error) => log.error({ err: error }, 'a screen listener failed'))
  let soon: Disposable | null = null
  const changed = () => {
    soon ??= clock.after(changeEveryMs, () => {
      soon = null
      changes.emit()
    })
  }

  return {
    feed: (bytes, parsed) =>
      terminal.write(bytes, () => {
        changed()
        parsed?.()
      }),
    resize: (cols, rows) => {
      terminal.resize(cols, rows)
      changed()
    },
    settled: () => new Promise((resolve) => terminal.write('', resolve)),
    get bracketedPaste() {
      return terminal.modes.bracketedPasteMode
    },
    view: () => ({
      ...viewOf(terminal),
      cursorVisible,
      title,
      programStatus,
      statusSerial,
      bracketedPaste: terminal.modes.bracketedPasteMode,
    }),
    snapshot: () => serializer.serialize(),
    onChange: (listener) => changes.on(listener),
    dispose() {
      soon?.dispose()
      owned.dispose()
      terminal.dispose()
    },
  }
}
