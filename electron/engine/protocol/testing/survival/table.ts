import { readCanonical, writeCanonical } from '../../canonical/index.ts'
import { wireProtocols, type WireProtocol } from '../../canonical/request.ts'
import { conversionOf } from '../../conversions.ts'
import type { JsonObject } from '../../values.ts'
import { answerFeatures, answersWith, comesBackTo } from './answer-features.ts'
import { requestFeatures, type RequestFeature } from './request-features.ts'

/** The outcome for a feature on its way from one protocol to another. */
export type Fate = 'survives' | 'recorded' | 'lost'

export const titles: Readonly<Record<WireProtocol, string>> = {
  messages: 'Messages',
  responses: 'Responses',
  chat: 'Chat',
  gemini: 'Gemini',
}
/** the columns */
export const columns = ['messages', 'responses', 'chat', 'gemini'] as const

const models: Record<WireProtocol, string> = {
  chat: 'glm-5',
  responses: 'gpt-5.6',
  messages: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
}
const plain: Record<WireProtocol, { path: string; body: JsonObject }> = {
  chat: { path: '/v1/chat/completions', body: { model: 'm', messages: [{ role: 'user', content: 'hi' }] } },
  responses: { path: '/v1/responses', body: { model: 'm', input: 'hi', store: false } },
  messages: {
    path: '/v1/messages',
    body: { model: 'm', max_tokens: 32_000, messages: [{ role: 'user', content: 'hi' }] },
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  },
}

/** Returns what became of a request's feature; null if the client's protocol does not have it. */
export function fateOf(feature: RequestFeature, from: WireProtocol, to: WireProtocol): Fate | null {
  const said = feature.said[from]
  if (!said) return null
  const request = readCanonical(conversionOf[from], { ...plain[from].body, ...said }, plain[from].path)
  const written = writeCanonical(request, conversionOf[to], {
    model: feature.models?.[to] ?? models[to],
    maxOutput: 64_000,
  })
  const found = feature.found instanceof RegExp ? feature.found : feature.found[to]
  if (found?.test(written.body.toString())) return 'survives'
  const { recorded } = feature
  return recorded && written.dropped.some((name) => recorded.test(name)) ? 'recorded' : 'lost'
}

/** Returns a cell: one word if it is the same for all protocols, else those from which it arrives. */
export function cellOf(arrives: ReadonlyMap<WireProtocol, boolean>, to: WireProtocol): string {
  const from = [...arrives].filter(([, survives]) => survives).map(([protocol]) => protocol)
  if (from.length === 0) return 'no'
  if (from.length === arrives.size) return 'yes'
  return from.length === 1 && from[0] === to ? 'its own' : `from ${from.map((protocol) => titles[protocol]).join(', ')}`
}

const row = (name: string, note: string | undefined, cell: (to: WireProtocol) => string): string =>
  `| ${[name, ...columns.map(cell), note ?? ''].join(' | ')} |`

/** Returns for each client's protocol whether it arrives. Requests in the provider's own protocol pass unchanged. */
function requestsWith(feature: RequestFeature, to: WireProtocol): Map<WireProtocol, boolean> {
  const arrives = new Map<WireProtocol, boolean>()
  for (const from of wireProtocols) {
    const fate = from === to ? (feature.said[from] ? 'survives' : null) : fateOf(feature, from, to)
    if (fate) arrives.set(from, fate === 'survives')
  }
  return arrives
}

const head = (first: string): string[] => [
  `| ${[first, ...columns.map((to) => titles[to]), ''].join(' | ')} |`,
  '|---|---|---|---|---|---|',
]

const everywhere = ' | yes | yes | yes | yes |  |'
/** Returns the rows with those that have nothing more to say than yes joined to the first. */
function withoutPlain(rows: readonly string[]): string[] {
  const plain = rows.filter((one) => one.endsWith(everywhere))
  const names = plain.map((one) => one.slice('| '.length, -everywhere.length))
  return [`| ${names.join('; ')}${everywhere}`, ...rows.filter((one) => !plain.includes(one))]
}

/** Returns Markdown tables of what reaches a provider of each protocol, and a client of each. */
export const survivalTables = (): string =>
  [
    ...head('of a request, to a provider of'),
    ...withoutPlain(
      requestFeatures.map((feature) => row(feature.name, feature.note, (to) => cellOf(requestsWith(feature, to), to))),
    ),
    row(
      'the model’s own thinking, sealed, in the next request',
      'signatures, encrypted reasoning, thought signatures, OpenAI’s `phase`: byte ' +
        'for byte, in the order of the model, also through clients that drop them',
      (to) => cellOf(comesBackTo(to), to),
    ),
    '',
    ...head('of an answer, to a client of'),
    ...withoutPlain(
      answerFeatures.map((feature) => row(feature.name, feature.note, (to) => cellOf(answersWith(feature, to), to))),
    ),
  ].join('\n')
