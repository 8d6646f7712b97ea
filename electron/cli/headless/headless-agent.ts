import { emitter } from '../../engine/base/disposable.ts'
import { messageOf, OnwardError } from '../../engine/base/errors.ts'
import type { Log } from '../../engine/base/log.ts'
import { nextPrint } from '../../engine/terminals/agents/print.ts'
import type { HostedPty } from '../../engine/terminals/host/hosted-pty.ts'
import type { TypeOrder, TypeResult } from '../../engine/terminals/types.ts'
import type { ClientKind } from '../../../shared/words.ts'
import type { spawnAgent } from '../launch/spawn-agent.ts'
import type { Ending } from '../launch/types.ts'

/**
 * A terminal without a screen: each text is a run of the agent, which goes on with its conversation. To the engine it
 * is a terminal like any other; a text counts as typed once its run has started, and is never run a second time.
 */
export interface HeadlessAgent extends HostedPty {
  readonly running: boolean
  /** so many have begun */
  readonly runs: number
  /** how its last run ended; null: none has */
  readonly last: Ending | null
  /** the first run, as the person asked for it */
  begin(): void
  /** ends the run that is under way */
  stop(): void
  /** takes no text any more */
  finish(): void
  /** its job is over */
  close(): void
  /** a run ended */
  onRest(listener: () => void): { dispose(): void }
}

export interface HeadlessOrder {
  terminalId: string
  client: ClientKind
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  log: Log
  run: typeof spawnAgent
  /** the conversation in it, as the agent's requests name it; null: they name none */
  conversation(): Promise<string | null>
  /** an engine hears of it */
  onEngine(): void
}

const noScreen = 'This agent runs without a screen (onward run --headless): what it says is in the output of its job.'
const nothing = { dispose: () => undefined }

export function headlessAgent(order: HeadlessOrder): HeadlessAgent {
  const { terminalId, client, argv, env, cwd, log, run } = order
  const events = <T>() => emitter<T>((error) => log.error({ error: messageOf(error) }, 'a listener to a run failed'))
  const [changed, rest, exit] = [events<void>(), events<void>(), events<void>()]
  /** entries whose run has started, or was about to */
  const handed = new Set<string>()
  let end: (() => void) | null = null
  let running = false
  let runs = 0
  let finished = false
  let last: Ending | null = null
  let ended: HostedPty['ended'] = null
  let asked: HostedPty['asked'] = null

  /** @returns null: it runs; else why it does not */
  const start = (words: readonly string[], stdin?: string): Promise<string | null> =>
    new Promise((resolve) => {
      running = true
      runs += 1
      const onStart = (stop: () => void) => {
        end = stop
        resolve(null)
      }
      const over = (ending: Ending) => {
        running = false
        end = null
        last = ending
        rest.emit()
        changed.emit()
      }
      run({ argv: words, env, cwd, alone: true, stdin, onStart }).then(over, (error: unknown) => {
        over({ exitCode: OnwardError.isInstance(error) && error.code === 'cli-noProgram' ? 127 : 126, signal: null })
        resolve(messageOf(error))
      })
    })

  const type = async ({ entryId, text }: TypeOrder, stop: AbortSignal): Promise<TypeResult> => {
    const conversation = await order.conversation().catch(() => undefined)
    if (ended) return { kind: 'failed', reason: { code: 'agent-gone' } }
    if (handed.has(entryId)) return fateOf(entryId)
    if (running || finished) return { kind: 'held', reason: { code: 'agent-busy' } }
    if (stop.aborted) return { kind: 'held', reason: { code: 'paused', by: 'session' } }
    // it could not be asked for; nothing was handed over
    if (conversation === undefined) return { kind: 'held', reason: { code: 'screen-unread' } }
    const words = nextPrint(client, argv, conversation)
    if (!words) return { kind: 'failed', reason: { code: 'terminal-refused', message: 'its conversation has no name' } }
    handed.add(entryId)
    const failed = await start(words, text)
    return failed === null
      ? { kind: 'submitted', extraEnter: false }
      : { kind: 'failed', reason: { code: 'terminal-refused', message: failed } }
  }
  /** Another engine asks: its predecessor ended before it had the answer. */
  const fateOf = (entryId: string): TypeResult => {
    if (!handed.has(entryId)) return { kind: 'removed' }
    return running ? { kind: 'submitted', extraEnter: false } : { kind: 'unknown' }
  }

  return {
    terminalId,
    // it lives as long as this process, whatever runs
    pid: process.pid,
    cols: 80,
    rows: 24,
    get ended() {
      return ended
    },
    get asked() {
      return asked
    },
    get running() {
      return running
    },
    get runs() {
      return runs
    },
    get last() {
      return last
    },
    begin: () => void start(argv),
    stop: () => end?.(),
    finish() {
      finished = true
    },
    close() {
      if (ended) return
      // whatever its last run did, it is not to be started again
      asked = 'told'
      ended = { exitCode: last?.exitCode ?? null, signal: last?.signal ?? null }
      exit.emit()
    },
    onRest: rest.on,
    read: async () =>
      running
        ? { kind: 'hold', reason: { code: 'agent-busy' } }
        : // what it had in the background ended with it
          { kind: 'ready', bracketedPaste: true, background: null },
    type: (order, { stop }) => type(order, stop),
    pressOwedEnter: async ({ entryId }) => fateOf(entryId),
    takeOut: async () => ({ kind: 'unknown' }),
    onChange: changed.on,
    onExit: exit.on,
    kill: () => end?.(),
    snapshot: () => `${noScreen}\r\n`,
    report: () => Promise.reject(new OnwardError('no-screen', noScreen, { status: 409 })),
    write: () => undefined,
    resize: () => undefined,
    suggested: () => undefined,
    engineIs(there) {
      if (there) order.onEngine()
    },
    onData: () => nothing,
    onResize: () => nothing,
    onPaste: () => nothing,
    dispose: () => undefined,
  }
}
