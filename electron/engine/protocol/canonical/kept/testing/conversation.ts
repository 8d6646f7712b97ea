import { asked } from '../../../chat/convert/testing/exchange.ts'
import { conversionOf } from '../../../conversions.ts'
import { followup, kept, requestOf } from '../../../testing/hand-back.ts'
import { asList, asObject, asText, parseObject, type JsonObject } from '../../../values.ts'
import type { AnswerEvent } from '../../answer.ts'
import type { WriteContext } from '../../codec.ts'
import { convertToStream } from '../../testing/convert-bytes.ts'
import { readCanonical, writeCanonical } from '../../convert-request.ts'
import type { Seal, WireProtocol } from '../../request.ts'
import { collectAnswer, type KeptAnswer, answersIn } from '../match-answers.ts'
import { putBack } from '../put-back.ts'

/** A block of an answer; `n` makes seals and ids that no other block has. */
export interface Said {
  /** `redacted`: sealed without words; Gemini's signature of the text in front of it */
  kind: 'thinking' | 'redacted' | 'text' | 'call'
  text: string
  n: number
  /** of a text of OpenAI's */
  phase?: string
}

const by = 'p.m'
const models = { messages: 'claude-sonnet-4-5', responses: 'gpt-5.2', gemini: 'gemini-3-flash', chat: 'deepseek' }
const pathOf = (protocol: WireProtocol): string => (protocol === 'gemini' ? '/v1beta/models/m:generateContent' : '/v1')

function sealOf(protocol: WireProtocol, { kind, text, n }: Said): Seal {
  switch (protocol) {
    case 'messages':
      return { of: protocol, data: `sig_${n}`, ...(kind === 'redacted' ? { redacted: true } : {}) }
    case 'responses':
      return { of: protocol, data: `enc_${n}`, id: `rs_${n}`, ...(text === '' ? {} : { text }) }
    case 'gemini':
      return {
        of: protocol,
        data: Buffer.from(`sig_${n}`).toString('base64'),
        ...(kind === 'redacted' ? { id: 'text' } : {}),
      }
    case 'chat':
      return { of: protocol, data: 'reasoning_content' }
  }
}

/** The provider's own stream. Gemini seals calls; the others seal thinking. */
function streamOf(provider: WireProtocol, answer: readonly Said[]): string {
  const events: AnswerEvent[] = [{ type: 'start', model: 'm', usage: null }]
  for (const [block, said] of answer.entries()) {
    const { kind, text, n, phase } = said
    if (kind === 'call') {
      events.push({ type: 'begin', block, part: { kind: 'tool-call', id: `call_${n}`, name: 'look', custom: false } })
      if (provider === 'gemini') events.push({ type: 'seal', block, seal: sealOf(provider, said) })
      events.push({ type: 'delta', block, text: JSON.stringify({ b: n, a: text }) })
    } else if (kind === 'text')
      events.push({ type: 'begin', block, part: { kind, ...(phase ? { phase } : {}) } }, { type: 'delta', block, text })
    else {
      events.push({ type: 'begin', block, part: { kind: 'thinking' } })
      if (kind === 'thinking') events.push({ type: 'delta', block, text })
      events.push({ type: 'seal', block, seal: sealOf(provider, said) })
    }
    events.push({ type: 'end', block })
  }
  const calls = answer.some(({ kind }) => kind === 'call')
  events.push({ type: 'finish', reason: calls ? 'tool-calls' : 'stop', stopSequence: null, usage: null })
  const writer = conversionOf[provider].writeStream(context())
  return events.map((event) => writer.write(event)).join('')
}

let ids = 0
const context = (): WriteContext => ({
  model: 'm',
  request: asked(),
  nowMs: 0,
  newId: (prefix) => `${prefix}own${ids++}`,
  dropped: () => undefined,
})

export interface Conversation {
  history: JsonObject[]
  /** the same as a client of the provider's own protocol would have it */
  truth: JsonObject[]
  answers: KeptAnswer[]
}

/** Changes a client's copy of the nth answer. */
export type Keep = (items: readonly JsonObject[], n: number) => JsonObject[]

/** A conversation of a client with a provider of another protocol. */
export function talked(
  client: WireProtocol,
  provider: WireProtocol,
  answers: readonly (readonly Said[])[],
  keep: Keep,
): Conversation {
  const talk: Conversation = { history: [], truth: [], answers: [] }
  for (const [n, answer] of answers.entries()) {
    const bytes = streamOf(provider, answer)
    const asking = readCanonical(conversionOf[client], requestOf(client, talk.history), pathOf(client))
    const converter = convertToStream({
      from: conversionOf[provider],
      to: conversionOf[client],
      restore: (emit) => emit,
      context: context(),
      watch: collectAnswer({ of: provider, by, ordinal: answersIn(asking.messages), at: n }, (one) =>
        talk.answers.push(one),
      ),
    })
    const shown = Buffer.concat([converter.push(Buffer.from(bytes)), converter.end()]).toString()
    const copy = keep(kept(client, shown, true), n)
    const own = kept(provider, bytes, true)
    talk.history.push(...copy, ...followup(client, copy))
    talk.truth.push(...own, ...followup(provider, own))
  }
  return talk
}

/** The next request as its provider gets it, with everything put back. */
export function sent(
  client: WireProtocol,
  provider: WireProtocol,
  { history, answers }: Pick<Conversation, 'history' | 'answers'>,
  asks = by,
  forgotten = false,
) {
  const read = readCanonical(conversionOf[client], requestOf(client, history), pathOf(client))
  const back = putBack(read, answers, asks, forgotten)
  const target = { model: models[provider], maxOutput: null }
  const { body, dropped } = writeCanonical(back.request, conversionOf[provider], target)
  return { ...back, read, body: parseObject(body) ?? {}, dropped }
}

/** Lists what the model said in a request of its own protocol, block by block. */
export function saidIn(provider: WireProtocol, body: JsonObject): string[] {
  const objects = (list: unknown): JsonObject[] => asList(list).map((entry) => asObject(entry) ?? {})
  switch (provider) {
    case 'messages':
      return objects(body['messages'])
        .filter(({ role }) => role === 'assistant')
        .flatMap(({ content }) => objects(content))
        .map(({ type, thinking, signature, data, text, id }) =>
          JSON.stringify([type, thinking, signature, data, text, id]),
        )
    case 'responses':
      return objects(body['input'])
        .filter(({ type, role }) => type === 'reasoning' || type === 'function_call' || role === 'assistant')
        .map((item) =>
          JSON.stringify([
            item['type'],
            item['type'] === 'reasoning' ? [item['id'], item['encrypted_content'], item['summary']] : item['call_id'],
            item['phase'],
            asText(item['content']) ??
              objects(item['content'])
                .map(({ text }) => text)
                .join(''),
          ]),
        )
    case 'gemini':
      return joined(
        objects(body['contents'])
          .filter(({ role }) => role === 'model')
          .flatMap(({ parts }) => objects(parts)),
      )
    case 'chat':
      return objects(body['messages'])
        .filter(({ role }) => role === 'assistant')
        .map((message) =>
          JSON.stringify([
            message['reasoning_content'] ?? null,
            message['content'] ?? '',
            objects(message['tool_calls']).map(({ id }) => id),
          ]),
        )
  }
}

/** A signature may come in a part of its own after its text. */
function joined(parts: readonly JsonObject[]): string[] {
  const out: { thought: unknown; text: unknown; signature: unknown; id: unknown }[] = []
  for (const part of parts) {
    const { thought = false, text = null, thoughtSignature: signature = null } = part
    const last = out.at(-1)
    if (text !== '') out.push({ thought, text, signature, id: asObject(part['functionCall'])?.['id'] ?? null })
    else if (last && last.thought === thought && signature !== null) last.signature = signature
  }
  return out.map((part) => JSON.stringify(part))
}
