import { randomUUID } from 'node:crypto'
import { configSchema, type Config } from '../../../../shared/config/schema.ts'
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import type { ClientCall } from '../../pipeline/turn.ts'
import { modelList } from '../model-list.ts'
import { startGateway } from '../start-gateway.ts'
import type { Gateway, GatewayDeps } from '../types.ts'

export interface OpenGateway extends Gateway {
  /** `http://127.0.0.1:<port>` */
  base: string
  calls: ClientCall[]
  /** changes the running config */
  configure(server: Partial<Config['server']>): void
}

/** A gateway on a free port for tests. Its turns answer `{"ok":true}`; its error bodies say which entry shaped them. */
export async function openGateway(
  over: Partial<GatewayDeps> & { server?: Partial<Config['server']> } = {},
): Promise<OpenGateway> {
  const calls: ClientCall[] = []
  const { server, runTurn, ...rest } = over
  let config = { ...configSchema.parse({ server: { port: 0 } }).server, ...server }
  const gateway = await startGateway({
    config: () => config,
    clock: systemClock(),
    random: { uuid: randomUUID, token: (bytes) => 'x'.repeat(bytes), fraction: () => 0.5 },
    log: silentLog,
    listModels: (asking) =>
      modelList(asking, [
        { id: 'glm.glm-5', owner: 'glm' },
        { id: 'a/b:c', owner: 'anth' },
      ]),
    terminalByKey: (key) => (key === 'terminal-key-1' ? 'term-1' : null),
    peers: { userOf: () => 'own', processOf: async () => null },
    metrics: () => null,
    turnReport: async () => null,
    errorBody: (entry, facts) => Buffer.from(JSON.stringify({ shape: entry, ...facts })),
    unreadable: () => null,
    ready: () => true,
    upgrade: () => false,
    staticPage: () => false,
    ...rest,
    runTurn: (call) => {
      calls.push(call)
      return (runTurn ?? answerOk)(call)
    },
  })
  return Object.assign(gateway, {
    base: `http://127.0.0.1:${gateway.port}`,
    calls,
    configure: (change: Partial<Config['server']>) => {
      config = { ...config, ...change }
    },
  })
}

export async function answerOk({ reply }: ClientCall): Promise<void> {
  reply.head(200, { 'content-type': 'application/json' })
  reply.end(Buffer.from('{"ok":true}'))
}
