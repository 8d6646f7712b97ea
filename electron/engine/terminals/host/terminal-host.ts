import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { messageOf, OnwardError, problemOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { answerLost, type TerminalReading, type TypeControl, type TypeResult } from '../types.ts'
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

interface Host extends TerminalHostDeps {
  held: Map<string, Held>
  orders: Map<string, Order>
  /** outcomes by their order's entry */
  unheard: Map<string, { terminalId: string; result: TypeResult }>
  send: ((message: FromHost) => void) | null
}

export function createTerminalHost(deps: TerminalHostDeps): TerminalHost {
  const { hostId, pid, log } = deps
  const host: Host = { ...deps, held: new Map(), orders: new Map(), unheard: new Map(), send: null }
  const { held, unheard } = host

  return {
    get alive() {
      return Array.from(held.values()).filter((h) => h.pty.ended === null).length
    },
    adopt: (pty, spec) => {
      adopt(host, pty, spec)
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
        if (message.success) obey(host, message.data)
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
      host.send = next
      for (const { pty } of held.values()) pty.engineIs(next !== null)
      for (const entry of held.values()) for (const paste of entry.pastes) tellPaste(host, entry, paste)
      if (next) return
      // Without an engine no report of a request would come, and there is no listener or viewer either.
      for (const entry of held.values()) {
        listen(host, entry, false)
        watch(host, entry, false)
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

const tell = ({ send }: Host, message: FromHost) => send?.(message)

const tellPaste = (host: Host, { pty }: Held, { text, at }: Held['pastes'][number]) =>
  tell(host, { type: 'pasted', terminalId: pty.terminalId, text, ageMs: host.clock.monotonic() - at })

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

function forgetOld({ held }: Host) {
  const ended = Array.from(held.entries()).filter(([, h]) => h.pty.ended !== null)
  for (const [terminalId] of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) held.delete(terminalId)
}

function adopt(host: Host, pty: HostedPty, spec: PtySpec): Held {
  const entry: Held = { pty, spec, listening: null, watching: null, all: [], pastes: [] }
  entry.all.push(
    pty.onPaste((text) => {
      const paste = { text, at: host.clock.monotonic() }
      entry.pastes = [...entry.pastes, paste].slice(-PASTES_KEPT)
      tellPaste(host, entry, paste)
    }),
  )
  entry.all.push(
    pty.onExit(() => {
      tell(host, {
        type: 'exited',
        terminalId: pty.terminalId,
        exitCode: pty.ended?.exitCode ?? null,
        ending: endingOf(entry),
      })
      forgetOld(host)
      host.onCount()
    }),
  )
  entry.all.push(
    pty.onResize(() => tell(host, { type: 'resized', terminalId: pty.terminalId, cols: pty.cols, rows: pty.rows })),
  )
  host.held.set(pty.terminalId, entry)
  pty.engineIs(host.send !== null)
  host.onCount()
  return entry
}

function listen(host: Host, entry: Held, on: boolean) {
  entry.listening?.dispose()
  entry.listening = on
    ? entry.pty.onChange(() => tell(host, { type: 'changed', terminalId: entry.pty.terminalId }))
    : null
}

function watch(host: Host, entry: Held, on: boolean) {
  const { pty } = entry
  entry.watching?.dispose()
  entry.watching = null
  if (!on) return
  tell(host, { type: 'screen', terminalId: pty.terminalId, data: pty.snapshot(), cols: pty.cols, rows: pty.rows })
  if (pty.ended) {
    tell(host, { type: 'exited', terminalId: pty.terminalId, exitCode: pty.ended.exitCode })
    return
  }
  entry.watching = coalesced(pty, (data) => tell(host, { type: 'data', terminalId: pty.terminalId, data }))
}

async function carryOut(host: Host, message: Extract<ToHost, { type: 'type' | 'take-out' }>) {
  const { terminalId, order } = message
  const entry = host.held.get(terminalId)
  const control: Order = { arrived: new AbortController(), stop: new AbortController() }
  host.orders.set(order.entryId, control)
  let result: TypeResult
  try {
    if (!entry || entry.pty.ended) result = { kind: 'failed', reason: { code: 'agent-gone' } }
    else {
      const signals = { requestArrived: control.arrived.signal, stop: control.stop.signal }
      result = await work(entry.pty, message, signals)
    }
  } catch (error) {
    host.log.error({ terminalId, entryId: order.entryId, error: messageOf(error) }, 'typing failed')
    result = answerLost({ code: 'screen-unread' })
  } finally {
    host.orders.delete(order.entryId)
  }
  host.unheard.set(order.entryId, { terminalId, result })
  tell(host, { type: 'outcome', terminalId, entryId: order.entryId, result })
}

async function answer(host: Host, { type, call, terminalId }: Extract<ToHost, { type: 'read' | 'report' }>) {
  const pty = host.held.get(terminalId)?.pty
  if (!pty)
    return tell(host, { type: 'refused', call, code: 'unknown-terminal', message: 'This terminal is not here.' })
  try {
    // A report's words are left out here, before they leave the process at which the person sits.
    if (type === 'report') return tell(host, { type, call, report: await pty.report() })
    const reading: TerminalReading = pty.ended ? { kind: 'gone', reason: { code: 'agent-gone' } } : await pty.read()
    tell(host, { type: 'reading', call, reading })
  } catch (error) {
    tell(host, { type: 'refused', call, code: 'read-failed', message: messageOf(error) })
  }
}

/** The same program in the same folder and environment. */
function restarted(host: Host, terminalId: string, conversation: string | null): Held {
  const old = host.held.get(terminalId)
  if (!old) throw new OnwardError('unknown-terminal', 'This terminal is not here.')
  if (old.pty.ended === null) return old
  const { pty, spec } = old
  const argv = resumeArgv(agents[spec.client].resume, spec.argv, conversation)
  if (argv === null) throw new OnwardError('spawn-failed', 'Its arguments don’t tell how it goes on.')
  const { listening, watching } = old
  const entry = adoptNew(host, { ...spec, argv, cols: pty.cols, rows: pty.rows })
  for (const d of [listening, watching, ...old.all]) d?.dispose()
  pty.dispose()
  listen(host, entry, listening !== null)
  watch(host, entry, watching !== null)
  return entry
}

const adoptNew = (host: Host, spec: PtySpec) => adopt(host, host.openPty(spec), spec)

function open(host: Host, message: Extract<ToHost, { type: 'open' | 'restart' }>) {
  try {
    const { terminalId, conversation } = message.type === 'restart' ? message : { terminalId: '', conversation: null }
    const entry = message.type === 'open' ? adoptNew(host, message.spec) : restarted(host, terminalId, conversation)
    tell(host, { type: 'opened', call: message.call, terminal: facts(entry) })
  } catch (error) {
    tell(host, { type: 'refused', call: message.call, ...problemOf(error, 'spawn-failed') })
  }
}

function obey(host: Host, message: ToHost): void {
  switch (message.type) {
    case 'welcome':
      return
    case 'open':
    case 'restart':
      return open(host, message)
    case 'read':
    case 'report':
      return void answer(host, message)
    case 'type':
    case 'take-out':
      return void carryOut(host, message)
    case 'arrived':
      return host.orders.get(message.entryId)?.arrived.abort()
    case 'stop':
      return host.orders.get(message.entryId)?.stop.abort()
    case 'heard':
      return void host.unheard.delete(message.entryId)
    case 'listen':
    case 'watch': {
      const entry = host.held.get(message.terminalId)
      if (entry) (message.type === 'listen' ? listen : watch)(host, entry, message.on)
      return
    }
    case 'suggested':
      return host.held.get(message.terminalId)?.pty.suggested(message.text)
    case 'write':
      return host.held.get(message.terminalId)?.pty.write(message.data)
    case 'resize':
      return host.held.get(message.terminalId)?.pty.resize(message.cols, message.rows)
    case 'close':
      return host.held.get(message.terminalId)?.pty.kill()
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
