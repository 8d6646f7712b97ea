/**
 * The gateway and the part of the pipeline that sends, in reenter mode: real sockets on both sides, no router, no
 * sessions.
 */
import { createRedactor } from '../../electron/engine/secrets/redact.ts'
import { secretsIn, downstreamHeaders } from '../../electron/engine/providers/headers.ts'
import { randomUUID } from 'node:crypto'
import { configSchema, type ConfigInput } from '../../shared/config/schema.ts'
import { systemClock } from '../../electron/engine/base/clock.ts'
import { OnwardError } from '../../electron/engine/base/errors.ts'
import { silentLog } from '../../electron/engine/base/log.ts'
import { modelList } from '../../electron/engine/gateway/model-list.ts'
import { startGateway } from '../../electron/engine/gateway/start-gateway.ts'
import { sendInRounds } from '../../electron/engine/pipeline/rounds/rounds.ts'
import type { NextFollowup } from '../../electron/engine/pipeline/rounds/rounds-input.ts'
import { noOverrides, type Turn, type TurnEnd, type ClientCall, draftOf } from '../../electron/engine/pipeline/turn.ts'
import { createStoredResponses } from '../../electron/engine/pipeline/request/stored-responses.ts'
import { noThinking } from '../../electron/engine/pipeline/testing/no-thinking.ts'
import { upstreamRequest } from '../../electron/engine/pipeline/request/upstream-request.ts'
import { codecOf } from '../../electron/engine/protocol/index.ts'
import { transportFor } from '../../electron/engine/providers/transport.ts'
import type { RouteChoice } from '../../electron/engine/router/types.ts'

export interface ReenterEngine {
  /** `http://127.0.0.1:<port>`, without `/v1` */
  baseUrl: string
  /** the nth turn's end, from 1; waits for it */
  end(n: number): Promise<TurnEnd>
  /** every turn that was sent upstream, inner ones included */
  sent: { turn: Turn; choice: RouteChoice }[]
  dispose(): Promise<void>
}

/** Turns go to the first provider and its first key, in this order, as long as there are any. */
export async function startReenterEngine(input: ConfigInput, next: NextFollowup): Promise<ReenterEngine> {
  const config = configSchema.parse({ ...input, server: { port: 0 } })
  const choices = Object.entries(config.providers).flatMap(([providerId, provider]) =>
    provider.keys.map((key): RouteChoice => ({
      providerId,
      provider,
      type: provider.type,
      upstreamModel: Object.keys(provider.models)[0] ?? 'm-1',
      key: 'value' in key ? { alias: key.alias, value: key.value } : null,
      credential: null,
      fact: { provider: providerId, model: 'm-1', keyAlias: key.alias, category: null, why: [], skipped: [] },
    })),
  )
  const clock = systemClock()
  const transport = transportFor({ clock, env: {}, home: '/', files: { read: async () => null } })
  const sent: ReenterEngine['sent'] = []
  const ends: TurnEnd[] = []
  const waiting = new Set<() => void>()

  async function runTurn(call: ClientCall): Promise<void> {
    const codec = codecOf(call.entry)
    const turn: Turn = {
      call,
      codec,
      draft: draftOf(codec, call.body),
      bytesIn: call.body.length,
      ordinal: 1,
      receipt: { ours: [], proves: [] },
      overrides: noOverrides,
      ownAnswer: null,
      reentered: false,
      tried: [],
      dropped: [],
      identity: {
        sessionId: 's1',
        sessionSource: null,
        client: 'other',
        kind: 'turn',
        terminalId: null,
        scope: null,
        scopeProblem: null,
        registeredClientOnly: false,
        retry: false,
      },
    }
    const end = await sendInRounds(
      turn,
      {
        clock,
        transport,
        choose: (_ask, tried) => {
          const choice = choices.find((c) => !tried.some((t) => t.choice === c))
          if (!choice) throw new OnwardError('no-route', 'no further candidate')
          return choice
        },
        prepare: (one, choice) => {
          sent.push({ turn: { ...one }, choice })
          return upstreamRequest(one, choice, () => false, {
            clock,
            random: { token: () => randomUUID(), uuid: () => randomUUID() },
            stored: createStoredResponses(clock),
            thinking: noThinking,
          })
        },
        redactor: (headers) => createRedactor(secretsIn(headers)),
        responseHeaders: downstreamHeaders,
        hasRoute: (_ask, tried) => tried.length < choices.length,
        credentialOf: () => null,
        report: () => null,
      },
      { toolRounds: null, next, keep: async () => undefined },
    )
    ends.push(end)
    for (const look of waiting) look()
  }

  const gateway = await startGateway({
    config: () => config.server,
    clock,
    random: { uuid: randomUUID, token: () => '', fraction: () => 0 },
    log: silentLog,
    runTurn,
    listModels: (asking) => modelList(asking, []),
    terminalByKey: () => null,
    peers: { userOf: () => 'own', processOf: async () => null },
    metrics: () => null,
    turnReport: async () => null,
    errorBody: (entry, facts) => codecOf(entry).error(facts),
    unreadable: () => null,
    ready: () => true,
    upgrade: () => false,
    staticPage: () => false,
  })
  return {
    baseUrl: `http://127.0.0.1:${gateway.port}`,
    sent,
    end: (n) =>
      new Promise((resolve) => {
        const look = (): void => {
          const end = ends[n - 1]
          if (!end) return
          waiting.delete(look)
          resolve(end)
        }
        waiting.add(look)
        look()
      }),
    async dispose() {
      gateway.dispose()
      await transport.dispose()
    },
  }
}
