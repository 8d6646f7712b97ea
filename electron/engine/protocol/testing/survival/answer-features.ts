import { wireProtocols, type WireProtocol } from '../../canonical/request.ts'
import type { ClientAnswer } from '../golden/client-answer.ts'
import { asStream } from '../golden/converted.ts'
import { canBeAskedBy, expectedOf, seenOf } from '../golden/expected.ts'
import type { Facts } from '../golden/facts.ts'
import { goldens, type Golden } from '../golden/load.ts'
import { readers } from '../golden/readers.ts'
import { cameBack, mustComeBack } from '../round-trip/come-back.ts'
import { forms, secondRequest } from '../round-trip/loop.ts'
import { modelTurns, type ModelTurn } from '../round-trip/providers.ts'

/** A feature that an answer can have, with a check for the golden answers that have it. */
export interface AnswerFeature {
  name: string
  has(facts: Facts): boolean
  survives(answer: ClientAnswer, facts: Facts, client: WireProtocol): boolean
  note?: string
}

const same =
  (pick: 'words' | 'thinking' | 'finish' | 'usage') => (answer: ClientAnswer, facts: Facts, client: WireProtocol) =>
    JSON.stringify(seenOf(answer, facts)[pick]) === JSON.stringify(expectedOf(facts, client)[pick])

/** In the order of the table. */
export const answerFeatures: readonly AnswerFeature[] = [
  {
    name: 'thinking shown',
    has: ({ thinking }) => thinking !== '',
    survives: same('thinking'),
    note: 'Chat: `reasoning_content`',
  },
  { name: 'usage: all tokens', has: ({ usage }) => usage !== null, survives: same('usage') },
  {
    name: 'cached tokens',
    has: ({ usage }) => usage !== null && usage.cachedInput > 0,
    survives: same('usage'),
  },
  {
    name: 'tokens of thinking',
    has: ({ usage }) => usage !== null && usage.reasoning > 0,
    survives: same('usage'),
  },
  {
    name: 'why it ended: limit, filter, refusal',
    has: ({ finish }) => finish === 'length' || finish === 'content-filter' || finish === 'refusal',
    survives: same('finish'),
  },
  {
    name: 'a refusal’s own words',
    has: ({ refusal }) => refusal !== undefined,
    survives: same('words'),
    note: 'Messages: as a text and in `stop_details`; Gemini: as a text; a filter’s words as well',
  },
  {
    name: 'citations',
    has: ({ citations }) => citations.some(({ url }) => url !== null),
    survives: ({ citations: seen }, { citations }) => citations.every(({ url }) => url === null || seen.includes(url)),
    note:
      'sources with an address: as results of a web search, annotations, ' +
      'grounding; documents without one only for Gemini clients',
  },
  {
    name: 'web searches the vendor ran',
    has: ({ searches }) => searches.length > 0,
    survives: ({ searches: seen }, { searches }) => searches.every((query) => seen.includes(query)),
    note: 'what was searched for and the pages that were found; Gemini: of these what the text cites, or all',
  },
  {
    name: 'images and sounds the model made',
    has: ({ unshown }) => unshown.includes('image') || unshown.includes('audio'),
    survives: () => false,
    note: 'named in a short note in their place',
  },
]

const all = goldens().filter(({ facts }) => facts.finish !== 'error' && facts.finish !== 'broken-off')

/** Returns for each provider's protocol whether the feature reaches a client. */
export function answersWith(feature: AnswerFeature, client: WireProtocol): Map<WireProtocol, boolean> {
  const fates = new Map<WireProtocol, boolean>()
  for (const golden of all) {
    const { protocol, facts } = golden
    if (protocol === client || !feature.has(facts) || !canBeAskedBy(facts, client)) continue
    const survives = feature.survives(heard(golden, client), facts, client)
    fates.set(protocol, (fates.get(protocol) ?? true) && survives)
  }
  return fates
}

const heard = (golden: Golden, client: WireProtocol): ClientAnswer => readers[client].stream(asStream(golden, client))

/** Returns for each client's protocol whether a model of this provider gets back what only it can read. */
export function comesBackTo(provider: WireProtocol): Map<WireProtocol, boolean> {
  const back = (client: WireProtocol, turn: ModelTurn): boolean =>
    forms.every(
      (form) =>
        JSON.stringify(sorted(cameBack(provider, secondRequest(client, provider, turn, form)))) ===
        JSON.stringify(sorted(mustComeBack(provider, turn))),
    )
  return new Map(
    wireProtocols
      .filter((client) => client !== provider)
      .map((client) => [client, modelTurns[provider].every((turn) => back(client, turn))]),
  )
}

/** Sorts the members of JSON. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, inner]) => [name, sorted(inner)]),
        )
      : value
