import { createRedactor } from '../../secrets/redact.ts'
import { secretsIn, downstreamHeaders } from '../../providers/headers.ts'
import type { RouteFact } from '../../../../shared/routing.ts'
import { noReminders } from './no-alarms.ts'
import { noThinking } from './no-thinking.ts'
import { noMarkers } from './no-markers.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import { silentLog } from '../../base/log.ts'
import { systemRandom } from '../../base/ids.ts'
import type { VirtualClock } from '../../base/testing/virtual-clock.ts'
import { codecOf } from '../../protocol/index.ts'
import type { Transport } from '../../providers/types.ts'
import type { Router } from '../../router/create-router.ts'
import { createRunTurn } from '../run-turn.ts'
import { createStoredResponses } from '../request/stored-responses.ts'
import { noOverrides, type ClientCall, type Reply } from '../turn.ts'
import { upstreamRequest } from '../request/upstream-request.ts'

/** One turn as its client saw it. Times count from the day's beginning. */
export interface FleetTurn {
  id: string
  session: string
  at: number
  doneAt: number | null
  heads: { status: number; headers: Record<string, string | string[]> }[]
  text: string
  /** ended properly; aborted; the client left */
  ended: 'whole' | 'aborted' | 'left' | null
  error: OnwardError | null
  route: RouteFact | null
  brokenOff: boolean
}

interface Asked {
  id: string
  session: string
  entry: EntryProtocol
  stream: boolean
  /** leaves when it has no answer by then */ patienceMs: number | null
}

/** Clients of a real pipeline: identified by a header, without terminals. */
export function fleetClients(clock: VirtualClock, router: Router, transport: Transport) {
  const seen = new Map<string, FleetTurn>()
  const converting = { clock, random: systemRandom(), stored: createStoredResponses(clock), thinking: noThinking }
  const run = createRunTurn({
    clock,
    log: silentLog,
    record: () => undefined,
    codecOf,
    identify: async ({ headers }) => ({
      sessionId: headers['x-fleet-session'] ?? null,
      sessionSource: 'test',
      client: 'other',
      kind: 'turn',
      terminalId: null,
      scope: null,
      scopeProblem: null,
      registeredClientOnly: false,
      retry: false,
    }),
    overridesOf: () => noOverrides,
    outboxOf: () => Promise.reject(new Error('there is no terminal')),
    markers: {
      ...noMarkers,
      targets: router,
    },
    send: {
      clock,
      transport,
      choose: (ask, tried) => router.choose(ask, tried),
      hasRoute: (ask, tried) => router.hasRoute(ask, tried),
      credentialOf: () => null,
      prepare: (turn, choice) => upstreamRequest(turn, choice, () => false, converting),
      redactor: (headers) => createRedactor(secretsIn(headers)),
      responseHeaders: downstreamHeaders,
      report: (ask, choice, outcome) => router.report(ask, choice, outcome),
    },
    tools: { begin: async () => null },
    thinking: noThinking,
    reminders: noReminders,
    timeTag: () => null,
    seeImages: async () => undefined,
    keep: () => undefined,
    reenter: () => null,
    started: () => null,
    ended({ call }, end) {
      const turn = seen.get(call.requestId)
      if (!turn) return
      turn.route = end.route
      turn.brokenOff = end.summary.finish === 'broken-off' || (end.status < 400 && end.summary.error !== null)
    },
  })

  return {
    async ask({ id, session, entry, stream, patienceMs }: Asked): Promise<FleetTurn> {
      const turn: FleetTurn = {
        id,
        session,
        at: clock.monotonic(),
        doneAt: null,
        heads: [],
        text: '',
        ended: null,
        error: null,
        route: null,
        brokenOff: false,
      }
      seen.set(id, turn)
      const reply = replyTo(turn)
      const patience =
        patienceMs === null
          ? null
          : clock.after(patienceMs, () => {
              if (turn.ended === null) {
                turn.ended = 'left'
                reply.close()
              }
            })
      const question = `Say something about ${id}.`
      const body =
        entry === 'responses'
          ? {
              model: 'any',
              stream,
              store: false,
              input: [{ role: 'user', content: [{ type: 'input_text', text: question }] }],
            }
          : { model: 'any', stream, max_tokens: 100, messages: [{ role: 'user', content: question }] }
      const call: ClientCall = {
        requestId: id,
        entry,
        endpoint: 'generate',
        method: 'POST',
        path: paths[entry],
        headers: { 'content-type': 'application/json', 'x-fleet-turn': id, 'x-fleet-session': session },
        caller: { kind: 'local', suffix: null },
        callingProcess: null,
        body: Buffer.from(JSON.stringify(body)),
        receivedAt: clock.monotonic(),
        reply,
      }
      try {
        await run(call)
      } catch (error) {
        if (!OnwardError.isInstance(error)) throw error
        turn.error = error
      }
      patience?.dispose()
      turn.doneAt = clock.monotonic()
      seen.delete(id)
      return turn
    },
  }
}

const paths: Readonly<Record<EntryProtocol, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  gemini: '/v1beta/models/any:generateContent',
}

/** A client that reads everything at once. A second head or an end after the end is an error, as it is on a socket. */
function replyTo(turn: FleetTurn): Reply & { close(): void } {
  const listeners: (() => void)[] = []
  const close = () => {
    for (const listener of listeners.splice(0)) listener()
  }
  const end = (how: 'whole' | 'aborted') => {
    if (turn.ended === 'left') return
    if (turn.ended !== null) throw new Error(`${turn.id} was ended twice`)
    turn.ended = how
    queueMicrotask(close)
  }
  const take = (chunk: Uint8Array) => {
    if (turn.ended === 'left') return
    if (turn.heads.length === 0) throw new Error(`${turn.id} got a body without a head`)
    if (turn.ended !== null) throw new Error(`${turn.id} got bytes after its end`)
    turn.text += Buffer.from(chunk).toString()
  }
  return {
    head(status, headers) {
      if (turn.ended !== 'left') turn.heads.push({ status, headers })
    },
    write(chunk) {
      take(chunk)
      return true
    },
    end(chunk) {
      if (chunk) take(chunk)
      end('whole')
    },
    abort: () => end('aborted'),
    get headSent() {
      return turn.heads.length > 0
    },
    get finished() {
      return turn.ended === 'whole'
    },
    get left() {
      return turn.ended === 'left' || turn.ended === 'aborted'
    },
    onDrain: () => undefined,
    onClose(listener) {
      listeners.push(listener)
    },
    close,
  }
}
