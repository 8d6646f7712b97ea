import type { FailReason, HoldReason } from '../../../../shared/events.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { answerLost, type TerminalReading, type TypeControl, type TypeOrder, type TypeResult } from '../types.ts'
import { fromHost, type AgentEnding, type FromHost, type HostHello, type PtySpec, type ToHost } from './messages.ts'

/** `enter`: only Enter, for a text that stands in the composer; `take-out`: the text must not stay there */
export type OrderKind = 'type' | 'enter' | 'take-out'

/** One connected host as the engine talks to it. */
export interface HostLink {
  readonly hostId: string
  read(terminalId: string): Promise<TerminalReading>
  report(terminalId: string): Promise<string>
  order(terminalId: string, what: OrderKind, order: TypeOrder, control: TypeControl): Promise<TypeResult>
  open(spec: PtySpec): Promise<{ pid: number }>
  restart(terminalId: string, conversation: string | null): Promise<{ pid: number }>
  send(message: ToHost): void
  /** a message of the host; false: it was not understood */
  receive(text: string): void
  /** the connection is gone: the fate of orders under way is unknown */
  lost(): void
}

export interface HostLinkEvents {
  changed(terminalId: string): void
  exited(terminalId: string, exitCode: number | null, ending: AgentEnding | null): void
  pasted(terminalId: string, text: string | null, ageMs: number): void
  output(message: Extract<FromHost, { type: 'screen' | 'data' | 'resized' }>): void
  /** an order ended whose waiter is gone */
  lateOutcome(terminalId: string, entryId: string, result: TypeResult): void
}

type Answer = Extract<FromHost, { type: 'opened' | 'refused' | 'reading' | 'report' }>

export function createHostLink(
  hello: HostHello,
  write: (message: ToHost) => void,
  events: HostLinkEvents,
  log: Log,
): HostLink {
  const calls = new Map<number, { ok(answer: Answer): void; bad(error: OnwardError): void }>()
  const typing = new Map<string, (result: TypeResult) => void>()
  let lastCall = 0
  let gone = false

  const offline = () =>
    new OnwardError('terminal-offline', 'The terminal’s host is not connected.', { retryable: true, status: 503 })
  const ask = (make: (call: number) => ToHost): Promise<Answer> =>
    new Promise((ok, bad) => {
      if (gone) return bad(offline())
      const call = ++lastCall
      calls.set(call, { ok, bad })
      write(make(call))
    })
  const settle = (message: Answer) => {
    const waiting = calls.get(message.call)
    calls.delete(message.call)
    if (message.type === 'refused') waiting?.bad(new OnwardError(message.code, message.message, { status: 409 }))
    else waiting?.ok(message)
  }

  return {
    hostId: hello.hostId,
    send: write,
    async read(terminalId) {
      const answer = await ask((call) => ({ type: 'read', call, terminalId }))
      if (answer.type !== 'reading')
        throw new OnwardError('host-protocol', 'The terminal’s host answered something else.')
      return readingOf(answer.reading)
    },
    async report(terminalId) {
      const answer = await ask((call) => ({ type: 'report', call, terminalId }))
      if (answer.type !== 'report')
        throw new OnwardError('host-protocol', 'The terminal’s host answered something else.')
      return answer.report
    },
    order(terminalId, what, order, control) {
      return new Promise((resolve) => {
        if (gone)
          return resolve({ kind: what === 'type' ? 'held' : 'enter-owed', reason: { code: 'terminal-offline' } })
        const arrived = () => write({ type: 'arrived', entryId: order.entryId })
        const stop = () => write({ type: 'stop', entryId: order.entryId })
        typing.set(order.entryId, (result) => {
          typing.delete(order.entryId)
          control.requestArrived.removeEventListener('abort', arrived)
          control.stop.removeEventListener('abort', stop)
          resolve(result)
        })
        if (what === 'take-out') write({ type: 'take-out', terminalId, order })
        else write({ type: 'type', terminalId, order, owed: what === 'enter' })
        if (control.requestArrived.aborted) arrived()
        else control.requestArrived.addEventListener('abort', arrived, { once: true })
        if (control.stop.aborted) stop()
        else control.stop.addEventListener('abort', stop, { once: true })
      })
    },
    open: async (spec) => opened(await ask((call) => ({ type: 'open', call, spec }))),
    restart: async (terminalId, conversation) =>
      opened(await ask((call) => ({ type: 'restart', call, terminalId, conversation }))),
    receive(text) {
      const message = parse(text, log)
      if (!message) return
      switch (message.type) {
        case 'opened':
        case 'refused':
        case 'reading':
        case 'report':
          return settle(message)
        case 'outcome': {
          write({ type: 'heard', entryId: message.entryId })
          const waiting = typing.get(message.entryId)
          if (waiting) waiting(resultOf(message.result))
          else events.lateOutcome(message.terminalId, message.entryId, resultOf(message.result))
          return
        }
        case 'changed':
          return events.changed(message.terminalId)
        case 'pasted':
          return events.pasted(message.terminalId, message.text, message.ageMs)
        case 'exited':
          return events.exited(message.terminalId, message.exitCode, message.ending ?? null)
        case 'screen':
        case 'data':
        case 'resized':
          return events.output(message)
      }
    },
    lost() {
      gone = true
      for (const { bad } of calls.values()) bad(offline())
      calls.clear()
      for (const done of Array.from(typing.values())) done(answerLost({ code: 'terminal-offline' }))
    },
  }
}

function opened(answer: Answer): { pid: number } {
  if (answer.type !== 'opened') throw new OnwardError('host-protocol', 'The terminal’s host answered something else.')
  return { pid: answer.terminal.pid }
}

function parse(text: string, log: Log): FromHost | null {
  try {
    const parsed = fromHost.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    log.warn(
      { problem: parsed.error.message.slice(0, 300) },
      'a terminal host said something this engine does not know',
    )
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    log.warn({}, 'a terminal host sent something that is not JSON')
  }
  return null
}

type WireReading = Extract<FromHost, { type: 'reading' }>['reading']
type WireResult = Extract<FromHost, { type: 'outcome' }>['result']

// The wire checks that a reason has a code; which codes there are is this version's own vocabulary on both sides.
export const readingOf = (reading: WireReading): TerminalReading =>
  reading.kind === 'hold'
    ? { ...reading, reason: reading.reason as HoldReason }
    : reading.kind === 'gone'
      ? { kind: 'gone', reason: reading.reason as FailReason }
      : reading

export const resultOf = (result: WireResult): TypeResult =>
  result.kind === 'held' || result.kind === 'enter-owed'
    ? { ...result, reason: result.reason as HoldReason }
    : result.kind === 'failed'
      ? { kind: 'failed', reason: result.reason as FailReason }
      : result
