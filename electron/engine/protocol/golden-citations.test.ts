/** The sources that golden answers name, as clients of other protocols find them. */
import { describe, expect, it } from 'vitest'
import { wireProtocols, type WireProtocol } from './canonical/request.ts'
import { asBody, asStream } from './testing/golden/converted.ts'
import { canBeAskedBy } from './testing/golden/expected.ts'
import type { Facts } from './testing/golden/facts.ts'
import { goldens } from './testing/golden/load.ts'
import { asList, asName, asObject, parseObject, type JsonObject } from './values.ts'

const dataOf = (stream: string): JsonObject[] =>
  stream
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [parseObject(Buffer.from(line.slice(6))) ?? {}] : []))

const choiceOf = (value: JsonObject): JsonObject => asObject(asList(value['choices'])[0]) ?? {}
const annotations = (message: unknown): readonly unknown[] => asList(asObject(message)?.['annotations'])
const inChat = (list: readonly unknown[]) => list.map((entry) => asObject(entry)?.['url_citation'])
const inItems = (response: unknown) =>
  asList(asObject(response)?.['output'])
    .flatMap((item) => asList(asObject(item)?.['content']))
    .flatMap(annotations)
function inGrounding(value: JsonObject | undefined): unknown[] {
  const candidate = asObject(asList(value?.['candidates'])[0])
  return asList(asObject(candidate?.['groundingMetadata'])?.['groundingChunks']).map((chunk) => {
    const source = asObject(asObject(chunk)?.['web']) ?? asObject(asObject(chunk)?.['retrievedContext'])
    return { url: source?.['uri'], title: source?.['title'] }
  })
}

/** Objects with `url` and `title`, read by hand. */
const named: Record<
  WireProtocol,
  { stream(text: string): readonly unknown[]; body(body: JsonObject): readonly unknown[] }
> = {
  chat: {
    stream: (text) => dataOf(text).flatMap((value) => inChat(annotations(choiceOf(value)['delta']))),
    body: (body) => inChat(annotations(choiceOf(body)['message'])),
  },
  responses: { stream: (text) => inItems(dataOf(text).at(-1)?.['response']), body: inItems },
  messages: {
    stream: (text) => dataOf(text).flatMap(({ delta }) => asObject(delta)?.['citation'] ?? []),
    body: (body) => asList(body['content']).flatMap((block) => asList(asObject(block)?.['citations'])),
  },
  gemini: { stream: (text) => inGrounding(dataOf(text).at(-1)), body: inGrounding },
}

const unique = (sources: readonly (readonly [string | null, string | null])[]): string[] => [
  ...new Set(sources.map((source) => JSON.stringify(source))),
]

/**
 * OpenAI and readers of Anthropic's demand a title: an address stands in for it. Only Gemini names sources without an
 * address.
 */
function expected(citations: Facts['citations'], to: WireProtocol): string[] {
  const demanded = to !== 'gemini'
  return unique(
    citations
      .filter(({ url }) => url !== null || to === 'gemini')
      .map(({ url, title }) => [url, title ?? (demanded ? url : null)]),
  )
}

const seen = (sources: readonly unknown[]): string[] =>
  unique(
    sources.map((entry) => {
      const source = asObject(entry)
      return [asName(source?.['url']), asName(source?.['title'])]
    }),
  )

const cited = goldens().filter(({ facts }) => facts.citations.length > 0)

describe.each(cited)('the sources of $name', (golden) => {
  const { facts, bytes, protocol } = golden
  it.each(wireProtocols.filter((to) => to !== protocol && canBeAskedBy(facts, to)))('reach a client of %s', (to) => {
    const dropped = new Set<string>()
    const sources = expected(facts.citations, to)
    expect(seen(named[to].stream(asStream(golden, to, [bytes], dropped)))).toEqual(sources)
    const answer = asBody(golden, to, [bytes], dropped)
    const body = answer.kind === 'body' ? (parseObject(answer.body) ?? {}) : {}
    expect(seen(named[to].body(body))).toEqual(sources)
    // A source that could not be said is on record.
    if (facts.citations.some(({ url }) => url === null) && to !== 'gemini')
      expect([...dropped]).toContain(to === 'messages' ? 'citations' : 'annotations')
  })
})

it('golden answers name sources in every protocol', () => {
  expect(new Set(cited.map(({ protocol }) => protocol)).size).toBe(wireProtocols.length)
  expect(cited.length).toBeGreaterThanOrEqual(20)
})
