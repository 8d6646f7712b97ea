import { GoogleGenAI } from '@google/genai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gemini } from '../../../../e2e/support/mock-upstream/gemini.ts'
import type { AnswerPlan } from '../../../../e2e/support/mock-upstream/types.ts'
import { filtering, joining, objectsOf } from '../join/testing/rounds.ts'
import { withServer } from '../testing/serve-once.ts'
import { validateGeminiBody, validateGeminiStream } from '../testing/validate-gemini.ts'
import type { JsonObject } from '../values.ts'
import { filter, filterBody } from './server-tools/filter.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const names = new Set(['clock', 'web_fetch'])
const context = (n: number) => ({ n, model: 'gemini-3-pro', request: {}, nowMs: 0 })
const use = (name: string, id?: string) => ({ name, input: { at: 'clock' }, ...(id === undefined ? {} : { id }) })
const usage = (output: number) => ({ usage: { input: 100, output, cachedInput: 0, reasoning: 0 } })
const answer = (plan: Omit<AnswerPlan & { kind: 'answer' }, 'kind'>): AnswerPlan => ({ kind: 'answer', ...plan })
const looks = answer({
  thinking: 'Hm.',
  text: 'Let me see.',
  toolCalls: [use('clock', 'c1'), use('web_fetch', 'c2')],
  ...usage(5),
})
const onlyCalls = answer({ toolCalls: [use('clock')], ...usage(7) })
const tells = answer({ thinking: 'So.', text: 'It is noon, 世界.', piece: 4, ...usage(9) })
const reads = answer({ text: 'I read.', toolCalls: [use('read', 'c3'), use('clock', 'c4')], ...usage(11) })

/** The stream a client gets for rounds that had to come, each filtered; the bytes are cut between events. */
function streamed(
  plans: readonly AnswerPlan[],
  { line, together = 1 }: { line?: string; together?: number } = {},
): string {
  const joiner = joining('gemini', { stream: true })
  const out: Buffer[] = []
  for (const [i, plan] of plans.entries()) {
    const events = gemini.events(plan, context(i + 1))
    const round = filtering(filter(names))
    for (let from = 0; from < events.length; from += together)
      out.push(joiner.push(round.push(Buffer.from(events.slice(from, from + together).join('')))))
    if (i < plans.length - 1) {
      joiner.endRound('must-come')
      expect(joiner.keepAlive()).toHaveLength(0)
    }
  }
  if (line !== undefined) out.push(joiner.say(line))
  return Buffer.concat([...out, joiner.finish()]).toString()
}
function whole(plans: readonly AnswerPlan[], line?: string): JsonObject {
  const joiner = joining('gemini', { stream: false })
  for (const [i, plan] of plans.entries()) {
    joiner.push(filterBody(Buffer.from(JSON.stringify(gemini.json(plan, context(i + 1)))), names))
    if (i < plans.length - 1) joiner.endRound('must-come')
  }
  if (line !== undefined) joiner.say(line)
  return JSON.parse(joiner.finish().toString()) as JsonObject
}
interface Answered {
  candidates: {
    content: { parts: { text?: string; thought?: boolean; functionCall?: { name: string } }[] }
    finishReason?: string
  }[]
}
const partsOf = (values: readonly JsonObject[]) =>
  values.flatMap((value) => (value as unknown as Answered).candidates.flatMap(({ content }) => content.parts))
const textOf = (values: readonly JsonObject[]): string =>
  partsOf(values)
    .map((part) => (part.thought ? '' : (part.text ?? '')))
    .join('')
const callsOf = (values: readonly JsonObject[]): string[] =>
  partsOf(values).flatMap((part) => part.functionCall?.name ?? [])

describe('rounds with hidden calls as one answer', () => {
  it.each<[string, AnswerPlan[], string | undefined, string, string[]]>([
    [
      'a round of words, one of calls alone, the answer',
      [looks, onlyCalls, tells],
      undefined,
      'Let me see.\n\nIt is noon, 世界.',
      [],
    ],
    ['calls alone, the answer', [onlyCalls, tells], undefined, 'It is noon, 世界.', []],
    ['the answer has a call of the client’s', [looks, reads], undefined, 'Let me see.\n\nI read.', ['read']],
    ['calls alone, a call of the client’s', [onlyCalls, reads], undefined, 'I read.', ['read']],
    ['a line of Onward’s own alone', [onlyCalls], '(Set a clock.)', '(Set a clock.)', []],
    ['a line behind a text', [looks], '(Set a clock.)', 'Let me see.\n\n(Set a clock.)', []],
    [
      'a line behind rounds',
      [looks, tells, onlyCalls],
      '(Set a clock.)',
      'Let me see.\n\nIt is noon, 世界.\n\n(Set a clock.)',
      [],
    ],
    ['a line behind rounds without words', [onlyCalls, onlyCalls], '(Set a clock.)', '(Set a clock.)', []],
  ])('%s', (_, plans, line, text, calls) => {
    const stream = streamed(plans, line === undefined ? {} : { line })
    expect(validateGeminiStream(stream)).toEqual([])
    const chunks = objectsOf(stream)
    const body = whole(plans, line)
    expect(validateGeminiBody(body)).toEqual([])
    for (const values of [chunks, [body]]) {
      expect(textOf(values)).toBe(text)
      expect(callsOf(values)).toEqual(calls)
      const output = plans.reduce((sum, plan) => sum + (plan.kind === 'answer' ? (plan.usage?.output ?? 0) : 0), 0)
      expect(values.at(-1)).toMatchObject({
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: output },
        responseId: 'resp_mock1',
        modelVersion: 'gemini-3-pro',
      })
    }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), (together) => {
        expect(streamed(plans, { ...(line === undefined ? {} : { line }), together })).toBe(stream)
      }),
      runs(100),
    )
  })

  it('are read by Google’s SDK', async () => {
    const stream = streamed([looks, onlyCalls, reads], { line: '(Done.)' })
    const seen = await withServer(
      { contentType: 'text/event-stream', body: Buffer.from(stream), chunkBytes: 50 },
      async (origin) => {
        const chunks = []
        const ai = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: origin } })
        for await (const chunk of await ai.models.generateContentStream({ model: 'gemini-3-pro', contents: 'time?' }))
          chunks.push(chunk)
        return chunks
      },
    )
    const parts = seen.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
    expect(
      parts
        .filter((part) => part.thought !== true)
        .map((part) => part.text ?? '')
        .join(''),
    ).toBe('Let me see.\n\nI read.\n\n(Done.)')
    expect(seen.flatMap((chunk) => chunk.functionCalls ?? [])).toEqual([
      { id: 'c3', name: 'read', args: { at: 'clock' } },
    ])
    expect(seen.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
  })
})

describe('an answer that is held open', () => {
  const said = answer({ text: 'All is done.', piece: 5, ...usage(3) })
  const textOf = (stream: string): string =>
    objectsOf(stream)
      .flatMap((value) => JSON.stringify(value).match(/"text":"[^"]*"/g) ?? [])
      .map((text) => text.slice(8, -1))
      .join('')
  const held = () => {
    const joiner = joining('gemini', { stream: true })
    return {
      joiner,
      shown: gemini
        .events(said, context(1))
        .map((event) => joiner.push(Buffer.from(event)).toString())
        .join(''),
    }
  }
  it('shows its last words, which came with its finish, while it waits, and once', () => {
    const { joiner, shown } = held()
    expect(textOf(shown)).not.toBe('All is done.')
    const early = joiner.keepAlive().toString()
    expect(textOf(shown + early)).toBe('All is done.')
    expect(early).not.toMatch(/finishReason|usageMetadata/)
    expect(joiner.keepAlive()).toHaveLength(0)
    const all = shown + early + joiner.finish().toString()
    expect([textOf(all), validateGeminiStream(all)]).toEqual(['All is done.', []])
    expect(all.match(/finishReason/g)).toHaveLength(1)
  })
  it('goes on behind them', () => {
    const { joiner, shown } = held()
    const early = joiner.keepAlive().toString()
    joiner.endRound('may-break')
    const next = gemini
      .events(tells, context(2))
      .map((event) => joiner.push(Buffer.from(event)).toString())
      .join('')
    const all = shown + early + next + joiner.finish().toString()
    expect(validateGeminiStream(all)).toEqual([])
    expect(textOf(all).replace('So.', '')).toBe('All is done.\\n\\nIt is noon, 世界.')
  })
})

describe('a line of Onward’s own behind a whole answer', () => {
  it.each<[string, JsonObject, JsonObject[]]>([
    ['with nothing in it', {}, [{ text: 'line' }]],
    ['without parts', { candidates: [{ finishReason: 'STOP' }] }, [{ text: 'line' }]],
    ['with an empty text', { candidates: [{ content: { role: 'model', parts: [{ text: '' }] } }] }, [{ text: 'line' }]],
    [
      'with a thought',
      { candidates: [{ content: { parts: [{ text: 'hm', thought: true }] } }] },
      [{ text: 'hm', thought: true }, { text: 'line' }],
    ],
    ['with a text', { candidates: [{ content: { parts: [{ text: 'a' }] } }] }, [{ text: 'a' }, { text: '\n\nline' }]],
  ])('%s', (_, body, parts) => {
    const joiner = joining('gemini', { stream: false })
    joiner.push(Buffer.from(JSON.stringify(body)))
    joiner.say('line')
    expect(partsOf([JSON.parse(joiner.finish().toString()) as JsonObject])).toEqual(parts)
  })
})
