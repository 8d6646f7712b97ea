import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, OnwardError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { answerLost, type TypeControl, type TypeResult } from '../types.ts'
import { agents } from '../agents/index.ts'
import { resumeArgv } from '../agents/resume.ts'
import type { HostedPty, OpenPty } from './hosted-pty.ts'
import {
  hostProtocolVersion,
  toHost,
  type AgentEnding,
  type FromHost,
  type HostHello,
  type PtySpec,
  type ToHost,
} from './messages.ts'

/** The host's side: owns PTYs, obeys orders, and remembers the outcome of orders until the engine has heard it. */
export interface TerminalHost {
  /** takes a PTY that this process started itself (the wrapper's) */
  adopt(pty: HostedPty, spec: PtySpec): void
  hello(): HostHello
  /** a message of the engine; what can't be understood is ignored and logged, never fatal */
  receive(text: string): void
  /** connected: `send` reaches the engine. null: it does not */
  connected(send: ((message: FromHost) => void) | null): void
  /** PTYs still running */
  readonly alive: number
  dispose(): void
}

export interface TerminalHostDeps {
  hostId: string
  pid: number
  openPty: OpenPty
  clock: Pick<Clock, 'monotonic'>
  log: Log
  /** a PTY came or went */
  onCount(): void
}

interface Held {
  pty: HostedPty
  /** its start order; it never leaves this process */
  spec: PtySpec
  listening: Disposable | null
  watching: Disposable | null
  all: Disposable[]
  /** sent again to every engine that connects */
  pastes: { text: string | null; at: number }[]
}
interface Order {
  arrived: AbortController
  stop: AbortController
}

/** pastes that are remembered of each terminal */
const PASTES_KEPT = 8
/** ended terminals are still announced for this many, so that an engine that was away learns of them */
const ENDED_KEPT = 64

export function createTerminalHost({ hostId, pid, openPty, clock, log, onCount }: TerminalHostDeps): TerminalHost {
  const held = new Map<string, Held>()
  const orders = new Map<string, Order>()
  const unheard = new Map<string, { terminalId: string; result: TypeResult }>()
  let send: ((message: FromHost) => void) | null = null
  const tell = (message: FromHost) => send?.(message)

  const tellPaste = ({ pty }: Held, { text, at }: Held['pastes'][number]) =>
    tell({ type: 'pasted', terminalId: pty.terminalId, text, ageMs: clock.monotonic() - at })
  const endingOf = ({ pty, spec }: Held): AgentEnding => ({
    signal: pty.ended?.signal ?? null,
    asked: pty.asked,
    resumes: resumeArgv(agents[spec.client].resume, spec.argv, 'any') !== null,
  })
  const facts = (entry: Held) => ({
    terminalId: entry.pty.terminalId,
    pid: entry.pty.pid,
    cols: entry.pty.cols,
    rows: entry.pty.rows,
    alive: entry.pty.ended === null,
    exitCode: entry.pty.ended?.exitCode ?? null,
    ...(entry.pty.ended && { ending: endingOf(entry) }),
  })
  const forgetOld = () => {
    const ended = Array.from(held.entries()).filter(([, h]) => h.pty.ended !== null)
    for (const [terminalId] of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) held.delete(terminalId)
  }
  const adopt = (pty: HostedPty, spec: PtySpec): Held => {
    const entry: Held = { pty, spec, listening: null, watching: null, all: [], pastes: [] }
    entry.all.push(
      pty.onPaste((text) => {
        const paste = { text, at: clock.monotonic() }
        entry.pastes = [...entry.pastes, paste].slice(-PASTES_KEPT)
        tellPaste(entry, paste)
      }),
    )
    entry.all.push(
      pty.onExit(() => {
        tell({
          type: 'exited',
          terminalId: pty.terminalId,
          exitCode: pty.ended?.exitCode ?? null,
          ending: endingOf(entry),
        })
        forgetOld()
        onCount()
      }),
    )
    entry.all.push(
      pty.onResize(() => tell({ type: 'resized', terminalId: pty.terminalId, cols: pty.cols, rows: pty.rows })),
    )
    held.set(pty.terminalId, entry)
    pty.engineIs(send !== null)
    onCount()
    return entry
  }
  const listen = (entry: Held, on: boolean) => {
    entry.listening?.dispose()
    entry.listening = on ? entry.pty.onChange(() => tell({ type: 'changed', terminalId: entry.pty.terminalId })) : null
  }
  const watch = (entry: Held, on: boolean) => {
    const { pty } = entry
    entry.watching?.dispose()
    entry.watching = null
    if (!on) return
    tell({ type: 'screen', terminalId: pty.terminalId, data: pty.snapshot(), cols: pty.cols, rows: pty.rows })
    if (pty.ended) {
      tell({ type: 'exited', terminalId: pty.terminalId, exitCode: pty.ended.exitCode })
      return
    }
    entry.watching = coalesced(pty, (data) => tell({ type: 'data', terminalId: pty.terminalId, data }))
  }
  const carryOut = async (message: Extract<ToHost, { type: 'type' | 'take-out' }>) => {
    const { terminalId, order } = message
    const entry = held.get(terminalId)
    const control: Order = { arrived: new AbortController(), stop: new AbortController() }
    orders.set(order.entryId, control)
    let result: TypeResult
    try {
      if (!entry || entry.pty.ended) result = { kind: 'failed', reason: { code: 'agent-gone' } }
      else {
        const signals = { requestArrived: control.arrived.signal, stop: control.stop.signal }
        result = await work(entry.pty, message, signals)
      }
    } catch (error) {
      log.error({ terminalId, entryId: order.entryId, error: messageOf(error) }, 'typing failed')
      result = answerLost({ code: 'screen-unread' })
    } finally {
      orders.delete(order.entryId)
    }
    unheard.set(order.entryId, { terminalId, result })
    tell({ type: 'outcome', terminalId, entryId: order.entryId, result })
  }
  const read = async (call: number, terminalId: string) => {
    const entry = held.get(terminalId)
    if (!entry) return tell({ type: 'refused', call, code: 'unknown-terminal', message: 'This terminal is not here.' })
    if (entry.pty.ended)
      return tell({ type: 'reading', call, reading: { kind: 'gone', reason: { code: 'agent-gone' } } })
    try {
      tell({ type: 'reading', call, reading: await entry.pty.read() })
    } catch (error) {
      tell({ type: 'refused', call, code: 'read-failed', message: messageOf(error) })
    }
  }
  /** Its words are left out here, before they leave the process at which the person sits. */
  const report = async (call: number, terminalId: string) => {
    const entry = held.get(terminalId)
    if (!entry) return tell({ type: 'refused', call, code: 'unknown-terminal', message: 'This terminal is not here.' })
    try {
      tell({ type: 'report', call, report: await entry.pty.report() })
    } catch (error) {
      tell({ type: 'refused', call, code: 'read-failed', message: messageOf(error) })
    }
  }
  /** The same program in the same folder and environment. */
  const restarted = (terminalId: string, conversation: string | null): Held => {
    const old = held.get(terminalId)
    if (!old) throw new OnwardError('unknown-terminal', 'This terminal is not here.')
    if (old.pty.ended === null) return old
    const { pty, spec } = old
    const argv = resumeArgv(agents[spec.client].resume, spec.argv, conversation)
    if (argv === null) throw new OnwardError('spawn-failed', 'Its arguments don’t tell how it goes on.')
    const { listening, watching } = old
    const entry = adoptNew({ ...spec, argv, cols: pty.cols, rows: pty.rows })
    for (const d of [listening, watching, ...old.all]) d?.dispose()
    pty.dispose()
    listen(entry, listening !== null)
    watch(entry, watching !== null)
    return entry
  }
  const adoptNew = (spec: PtySpec) => adopt(openPty(spec), spec)
  const open = (message: Extract<ToHost, { type: 'open' | 'restart' }>) => {
    try {
      const { terminalId, conversation } = message.type === 'restart' ? message : { terminalId: '', conversation: null }
      const entry = message.type === 'open' ? adoptNew(message.spec) : restarted(terminalId, conversation)
      tell({ type: 'opened', call: message.call, terminal: facts(entry) })
    } catch (error) {
      tell({
        type: 'refused',
        call: message.call,
        code: OnwardError.isInstance(error) ? error.code : 'spawn-failed',
        message: messageOf(error),
      })
    }
  }
  const obey = (message: ToHost): void => {
    switch (message.type) {
      case 'welcome':
        return
      case 'open':
      case 'restart':
        return open(message)
      case 'read':
        return void read(message.call, message.terminalId)
      case 'report':
        return void report(message.call, message.terminalId)
      case 'type':
      case 'take-out':
        return void carryOut(message)
      case 'arrived':
        return orders.get(message.entryId)?.arrived.abort()
      case 'stop':
        return orders.get(message.entryId)?.stop.abort()
      case 'heard':
        return void unheard.delete(message.entryId)
      case 'listen':
      case 'watch': {
        const entry = held.get(message.terminalId)
        if (entry) (message.type === 'listen' ? listen : watch)(entry, message.on)
        return
      }
      case 'suggested':
        return held.get(message.terminalId)?.pty.suggested(message.text)
      case 'write':
        return held.get(message.terminalId)?.pty.write(message.data)
      case 'resize':
        return held.get(message.terminalId)?.pty.resize(message.cols, message.rows)
      case 'close':
        return held.get(message.terminalId)?.pty.kill()
    }
  }

  return {
    get alive() {
      return Array.from(held.values()).filter((h) => h.pty.ended === null).length
    },
    adopt: (pty, spec) => {
      adopt(pty, spec)
    },
    hello: () => ({
      type: 'hello',
      version: hostProtocolVersion,
      hostId,
      pid,
      terminals: Array.from(held.values(), facts),
      outcomes: Array.from(unheard, ([entryId, { terminalId, result }]) => ({ terminalId, entryId, result })),
    }),
    receive(text) {
      try {
        const message = toHost.safeParse(JSON.parse(text))
        if (message.success) obey(message.data)
        else
          log.warn(
            { problem: message.error.message.slice(0, 300) },
            'the engine said something this host does not know',
          )
      } catch (error) {
        // Nothing an engine sends may end a host: agents live in it.
        log.error({ error: messageOf(error) }, 'an order of the engine failed')
      }
    },
    connected(next) {
      send = next
      for (const { pty } of held.values()) pty.engineIs(next !== null)
      for (const entry of held.values()) for (const paste of entry.pastes) tellPaste(entry, paste)
      if (next) return
      // Without an engine no report of a request would come, and there is no listener or viewer either.
      for (const entry of held.values()) {
        listen(entry, false)
        watch(entry, false)
      }
    },
    dispose() {
      for (const entry of held.values()) {
        for (const d of [entry.listening, entry.watching, ...entry.all]) d?.dispose()
        entry.pty.dispose()
      }
      held.clear()
    },
  }
}

/** One message per turn of the event loop, however small the pieces an agent draws its screen in. */
function coalesced(pty: HostedPty, flush: (data: string) => void): Disposable {
  let waiting = ''
  let planned: NodeJS.Immediate | null = null
  const data = pty.onData((piece) => {
    waiting += piece
    planned ??= setImmediate(() => {
      planned = null
      const all = waiting
      waiting = ''
      flush(all)
    })
  })
  return {
    dispose() {
      data.dispose()
      if (planned) clearImmediate(planned)
      // earlier viewers get this text only here, not with the new viewer's screen
      if (waiting !== '') flush(waiting)
      waiting = ''
    },
  }
}

function work(pty: HostedPty, message: Extract<ToHost, { type: 'type' | 'take-out' }>, signals: TypeControl) {
  if (message.type === 'take-out') return pty.takeOut(message.order, signals)
  return message.owed ? pty.pressOwedEnter(message.order, signals) : pty.type(message.order, signals)
}
