import { describe, expect, it } from 'vitest'
import { conversionOf } from '../../conversions.ts'
import { followup, kept, requestOf, withoutThinking } from '../../testing/hand-back.ts'
import { conversionFor } from '../../testing/golden/converted.ts'
import { goldens, type Golden } from '../../testing/golden/load.ts'
import { parseObject, type JsonObject } from '../../values.ts'
import { convertToBody, convertToStream } from '../testing/convert-bytes.ts'
import { readCanonical, writeCanonical } from '../convert-request.ts'
import { wireProtocols, type WireProtocol } from '../request.ts'
import { collectAnswer, type KeptAnswer } from './match-answers.ts'
import { putBack } from './put-back.ts'

const models = { messages: 'claude-opus-4-5', responses: 'gpt-5.4', gemini: 'gemini-3-pro', chat: 'some-model' }

/** Everything that vendors seal, wherever it stands, in order. The bytes of media are called `data` as well. */
const sealsIn = (items: readonly JsonObject[]): string[] =>
  [
    ...JSON.stringify(items)
      .replaceAll(/"inlineData":\{[^}]*\}/g, '""')
      .matchAll(/"(?:signature|encrypted_content|thoughtSignature|data)":"([^"]+)"/g),
  ].map(([, seal = '']) => seal)

/** Returns what a client of the vendor's own protocol hands back. */
const own = ({ protocol, bytes, form }: Golden): JsonObject[] => kept(protocol, bytes.toString(), form === 'stream')

/** Answers with seals that other protocols can't carry, and why. */
const others: Readonly<Record<string, string>> = {
  'chat/databricks/reasoning-and-text-parts-body':
    'the signature must come back in a part of the content, and ' +
    'without it the vendor takes the history; recorded as dropped',
  'messages/anthropic/web-search':
    'results of a search the vendor ran: other protocols have no ' +
    'such blocks, so they go with their signatures; recorded',
}

/** An answer that ends while its model still thinks has nothing that the vendor would take. */
const sealed = goldens().filter(
  (golden) =>
    /"(?:signature|encrypted_content|thoughtSignature|data)"/.test(golden.bytes.toString()) &&
    !['error', 'broken-off', 'length'].includes(golden.facts.finish) &&
    !(golden.name in others) &&
    // Clients of other protocols have no freeform tools.
    golden.facts.calls.every((call) => typeof call.arguments !== 'string') &&
    sealsIn(own(golden)).length > 0,
)

/** The answer and the client's next request, as the vendor gets it. */
function askedAgain(golden: Golden, client: WireProtocol, stream: boolean, keep: typeof withoutThinking) {
  const answers: KeptAnswer[] = []
  const conversion = {
    ...conversionFor(golden, client),
    watch: collectAnswer({ of: golden.protocol, by: 'v.m', ordinal: 0, at: 0 }, (answer) => answers.push(answer)),
  }
  const shown = stream ? streamed(golden, conversion) : whole(golden, conversion)
  const items = keep(client, kept(client, shown, stream))
  const path = client === 'gemini' ? '/v1beta/models/m:generateContent' : '/v1'
  const read = readCanonical(conversionOf[client], requestOf(client, [...items, ...followup(client, items)]), path)
  const { request, lost } = putBack(read, answers, 'v.m', false)
  const target = { model: models[golden.protocol], maxOutput: null }
  const body = parseObject(writeCanonical(request, conversionOf[golden.protocol], target).body) ?? {}
  return { seals: sealsIn([body]), lost }
}

function streamed({ form, bytes }: Golden, conversion: Parameters<typeof convertToStream>[0]): string {
  const converter = convertToStream(conversion)
  if (form === 'body') return converter.whole(bytes).toString()
  return Buffer.concat([converter.push(bytes), converter.end()]).toString()
}

function whole({ form, bytes }: Golden, conversion: Parameters<typeof convertToBody>[0]): string {
  const converter = convertToBody(conversion)
  if (form === 'stream') converter.push(bytes)
  const answer = form === 'body' ? converter.whole(bytes) : converter.end()
  return answer.kind === 'body' ? answer.body.toString() : answer.message
}

const keepers = {
  'drops everything': withoutThinking,
  'keeps everything': (_: WireProtocol, items: readonly JsonObject[]) => [...items],
}

it('there are golden answers of every protocol to be put back', () => {
  for (const protocol of wireProtocols) expect(sealed.some((golden) => golden.protocol === protocol)).toBe(true)
})

describe.each(sealed)('$name', (golden) => {
  const clients = wireProtocols.filter((client) => client !== golden.protocol)
  describe.each(Object.entries(keepers))('a client that %s', (_, keep) => {
    it.each(clients)('of %s: its vendor gets all that it sealed, in order', (client) => {
      // A vendor of Chat has its members in an order of its own.
      const sorted = (seals: string[]) => (golden.protocol === 'chat' ? seals.toSorted() : seals)
      for (const stream of [true, false]) {
        const { seals, lost } = askedAgain(golden, client, stream, keep)
        expect(sorted(seals)).toEqual(sorted(sealsIn(own(golden))))
        expect(lost).toBe(false)
      }
    })
  })
})
