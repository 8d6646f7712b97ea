/**
 * The gateway with the smallest pipeline there can be behind it: the bytes of a call go to the first provider, its
 * bytes come back. It shows that the gateway itself keeps everything, and what a conformance test owes to the rest.
 */
import { randomUUID } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { configSchema, type ProviderConfig } from '../../shared/config/schema.ts'
import { systemClock } from '../../electron/engine/base/clock.ts'
import { OnwardError } from '../../electron/engine/base/errors.ts'
import { silentLog } from '../../electron/engine/base/log.ts'
import { modelList } from '../../electron/engine/gateway/model-list.ts'
import { startGateway } from '../../electron/engine/gateway/start-gateway.ts'
import type { ErrorFacts } from '../../electron/engine/gateway/types.ts'
import type { ClientCall } from '../../electron/engine/pipeline/types.ts'
import type { EntryProtocol } from '../../shared/words.ts'
import type { StartEngineForTest } from './start-engine-for-test.ts'

export const startRelayForTest: StartEngineForTest = async (input) => {
  const key = input.server?.keys?.[0] ?? 'local-test-key'
  const config = configSchema.parse({ ...input, server: { ...input.server, port: 0, keys: [key] } })
  const provider = Object.values(config.providers)[0]
  if (!provider) throw new Error('the relay needs a provider')
  const agent = new Agent({ keepAlive: true })
  const models = Object.entries(config.providers).flatMap(([owner, p]) => Object.keys(p.models).map((id) => ({ id, owner })))
  const gateway = await startGateway({
    config: () => config.server,
    clock: systemClock(),
    random: { uuid: randomUUID, token: () => '', fraction: () => 0 },
    log: silentLog,
    runTurn: (call) => relay(call, provider, agent),
    listModels: (asking) => modelList(asking, models),
    terminalByKey: () => null,
    errorBody,
    ready: () => true,
    upgrade: () => false,
    staticPage: () => false,
  })
  return {
    baseUrl: `http://127.0.0.1:${gateway.port}`,
    key,
    dispose: async () => { gateway.dispose(); agent.destroy() },
  }
}

const dropped = new Set(['host', 'connection', 'content-length', 'authorization', 'x-api-key', 'x-onward-key', 'keep-alive', 'transfer-encoding'])
const without = (headers: Readonly<Record<string, string>>): Record<string, string> => Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))

function relay(call: ClientCall, provider: ProviderConfig, agent: Agent): Promise<void> {
  const key = provider.keys[0]
  const secret = key && 'value' in key ? key.value : ''
  const credential: Record<string, string> = provider.type === 'anthropic' ? { 'x-api-key': secret } : { authorization: `Bearer ${secret}` }
  const path = provider.type === 'anthropic' ? call.path : call.path.replace(/^\/v1/, '')
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      if (call.reply.headSent) { call.reply.abort(); resolve() }
      else reject(new OnwardError('upstream-unreachable', `The provider could not be reached: ${error.message}`, { status: 502, cause: error }))
    }
    const upstream = httpRequest(provider.baseUrl + path, { method: call.method, agent, headers: { ...without(call.headers), ...credential, 'content-length': call.body.length } }, (answer: IncomingMessage) => {
      const headers: Record<string, string | string[]> = {}
      for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined && (!dropped.has(name) || name === 'content-length')) headers[name] = value
      call.reply.head(answer.statusCode ?? 502, headers)
      answer.on('data', (chunk: Buffer) => { if (!call.reply.write(chunk)) answer.pause() })
      call.reply.onDrain(() => answer.resume())
      answer.on('end', () => { call.reply.end(); resolve() })
      answer.on('error', failed)
    })
    call.reply.onClose(() => { if (!call.reply.finished) upstream.destroy(); resolve() })
    upstream.on('error', failed)
    upstream.end(call.body)
  })
}

function errorBody(entry: EntryProtocol, { code, message, requestId }: ErrorFacts): Buffer {
  const error = { type: 'api_error', code, message, param: null }
  return Buffer.from(JSON.stringify(entry === 'messages' ? { type: 'error', error, request_id: requestId } : { error }))
}
