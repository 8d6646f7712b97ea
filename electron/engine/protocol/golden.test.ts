import { describe, expect, it } from 'vitest'
import { wireProtocols, type WireProtocol } from './canonical/request.ts'
import { overflowCode } from './failures/failure-kinds.ts'
import { codecOf, serverToolCodecOf } from './index.ts'
import { overflowOf } from './failures/overflow.ts'
import { parseObject, type JsonObject } from './values.ts'
import { asBody, asStream } from './testing/golden/converted.ts'
import { canBeAskedBy, expectedOf, seenOf } from './testing/golden/expected.ts'
import { goldens } from './testing/golden/load.ts'
import { readers } from './testing/golden/readers.ts'
import { watch } from './testing/summaries.ts'
import { validateChatBody, validateChatStream } from './testing/validate-chat.ts'
import { validateGeminiBody, validateGeminiStream } from './testing/validate-gemini.ts'
import { validateMessagesBody, validateMessagesStream } from './testing/validate-messages.ts'
import { validateResponsesBody, validateResponsesStream } from './testing/validate-responses.ts'

/** Each protocol's own rules. */
const rules: Record<WireProtocol, { stream(text: string): string[]; body(body: JsonObject): string[] }> = {
  chat: { stream: validateChatStream, body: validateChatBody },
  responses: { stream: validateResponsesStream, body: validateResponsesBody },
  messages: { stream: validateMessagesStream, body: validateMessagesBody },
  gemini: { stream: validateGeminiStream, body: validateGeminiBody },
}

const all = goldens()

describe.each(all)('$name', (golden) => {
  const { facts, bytes, protocol } = golden
  const failed = facts.finish === 'error' || facts.finish === 'broken-off'

  it('is read as it goes by', () => {
    const summary = watch(codecOf(protocol), bytes)
    expect(summary.finish).toBe(facts.finish === 'stop-sequence' ? 'stop' : facts.finish)
    if (!failed) expect(summary.complete).toBe(true)
    expect(summary.model).toBe(facts.model)
    expect(new Set(summary.toolNames)).toEqual(new Set([...facts.calls.map((call) => call.name), ...facts.asks]))
    if (failed && facts.error !== undefined && facts.finish === 'error') expect(summary.error?.code).toBe(facts.error)
    if (failed) return
    expect(summary.text.replaceAll(/\s/g, '')).toBe(facts.text.replaceAll(/\s/g, ''))
    expect(summary.error).toBeNull()
    if (facts.usage === null) return expect(summary.usage).toBeNull()
    const { cacheWrite: _, ...counts } = facts.usage
    expect(summary.usage).toMatchObject(counts)
  })

  it('is empty only if it says nothing', () => {
    const { text, thinking, calls, refusal, unshown, citations, searches } = facts
    const says = [text, thinking, refusal ?? '', ...calls, ...unshown, ...citations, ...searches].some(
      (one) => one !== '',
    )
    // Sealed thoughts without a word are no empty answer either; the facts do not mention them.
    if (says) expect(serverToolCodecOf(protocol).hasContent(bytes)).toBe(true)
  })

  describe.each(wireProtocols.filter((to) => to !== protocol && canBeAskedBy(facts, to)))(
    'for a client of %s',
    (to) => {
      it('arrives whole in a stream', () => {
        const dropped = new Set<string>()
        const out = asStream(golden, to, [bytes], dropped)
        const answer = readers[to].stream(out)
        if (failed) {
          expect(answer.error).not.toBeNull()
          // Google's errors have a status of few values for their code; a full context has one code for all.
          const { error } = watch(codecOf(protocol), bytes)
          const code = error && overflowOf(error) ? overflowCode : facts.error
          if (code !== undefined && to !== 'gemini') expect(answer.error).toBe(code)
          return expect(answer.finish).toBeNull()
        }
        expect(seenOf(answer, facts)).toEqual(expectedOf(facts, to))
        expect(rules[to].stream(out)).toEqual([])
        expect([...dropped]).toEqual(expect.arrayContaining(facts.dropped))
      })

      it('arrives whole in one body', () => {
        const dropped = new Set<string>()
        const answer = asBody(golden, to, [bytes], dropped)
        if (failed) return expect(answer).toMatchObject({ kind: 'failed', code: facts.error ?? expect.any(String) })
        if (answer.kind === 'failed') throw new Error(`${answer.code}: ${answer.message}`)
        const body = parseObject(answer.body) ?? {}
        expect(seenOf(readers[to].body(body), facts)).toEqual(expectedOf(facts, to))
        // A number that a provider does not count is never made up.
        const problems = rules[to].body(body)
        expect(facts.usage === null ? problems.filter((one) => one !== 'body has no usageMetadata') : problems).toEqual(
          [],
        )
        expect([...dropped]).toEqual(expect.arrayContaining(facts.dropped))
      })
    },
  )
})

it('every protocol has its golden answers, of many vendors', () => {
  const vendors = new Set(all.map(({ name }) => name.split('/').slice(0, 2).join('/')))
  expect(all.filter(({ form }) => form === 'stream').length).toBeGreaterThanOrEqual(120)
  expect(vendors.size).toBeGreaterThanOrEqual(25)
  for (const protocol of wireProtocols) expect(all.some((golden) => golden.protocol === protocol)).toBe(true)
})
