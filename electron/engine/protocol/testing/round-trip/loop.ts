import { convertToBody, convertToStream } from '../../canonical/testing/convert-bytes.ts'
import { readCanonical, writeCanonical, type AnswerConversion } from '../../canonical/index.ts'
import type { WireProtocol } from '../../canonical/request.ts'
import { conversionOf } from '../../conversions.ts'
import { parseObject, type JsonObject } from '../../values.ts'
import { clients } from './clients.ts'
import type { ModelTurn } from './providers.ts'
import { streamed } from './streamed.ts'

export const forms = ['stream', 'body'] as const
export type Form = (typeof forms)[number]

const target = { model: '', maxOutput: 64_000 }
const models: Record<WireProtocol, string> = {
  chat: 'deepseek-x',
  responses: 'gpt-5.6',
  messages: 'claude-opus-4-5',
  gemini: 'gemini-3-pro',
}
function answerFor(client: WireProtocol, provider: WireProtocol): AnswerConversion {
  let ids = 0
  const first = readCanonical(conversionOf[client], clients[client].next([], []), clients[client].path)
  return {
    from: conversionOf[provider],
    to: conversionOf[client],
    restore: writeCanonical(first, conversionOf[provider], { ...target, model: models[provider] }).restore,
    context: {
      model: 'm',
      request: first,
      nowMs: Date.UTC(2026, 10, 23),
      newId: (prefix) => `${prefix}made${++ids}`,
      dropped: () => undefined,
    },
  }
}

/** Returns the client's copy of the first turn's answer. */
function heard(client: WireProtocol, provider: WireProtocol, turn: ModelTurn, form: Form) {
  const conversion = answerFor(client, provider)
  if (form === 'stream') {
    const converter = convertToStream(conversion)
    const begun = converter.push(Buffer.from(streamed(provider, turn.answer))).toString()
    return clients[client].kept({ stream: begun + converter.end().toString() })
  }
  const whole = convertToBody(conversion).whole(Buffer.from(JSON.stringify(turn.answer)))
  if (whole.kind !== 'body') throw new Error(whole.message)
  return clients[client].kept({ body: JSON.parse(whole.body.toString()) })
}

/**
 * Returns the second request as the provider gets it.
 * @throws Error if the answer can't be converted
 */
export function secondRequest(client: WireProtocol, provider: WireProtocol, turn: ModelTurn, form: Form): JsonObject {
  const kept = heard(client, provider, turn, form)
  const body = clients[client].next(
    kept,
    turn.calls.map((id) => ({ id, name: 'read_file' })),
  )
  const request = readCanonical(conversionOf[client], body, clients[client].path)
  const to = { ...target, model: models[provider] }
  return parseObject(writeCanonical(request, conversionOf[provider], to).body) ?? {}
}
