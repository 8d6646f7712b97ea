import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filtering, joining, objectsOf } from '../../join/testing/rounds.ts'
import { splice } from '../../json-bytes/index.ts'
import { validateGeminiRequest, validateGeminiStream } from '../../testing/validate-gemini.ts'
import type { HiddenHistory } from '../../server-tools/types.ts'
import { withoutBlanks } from '../../server-tools/types.ts'
import type { RequestLens } from '../../types.ts'
import { geminiCodec } from '../codec.ts'
import { contentsIn } from '../request-lens.ts'
import { geminiServerTools as serverTools } from './index.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

type Part = Record<string, unknown>
interface Content {
  role: string
  parts: Part[]
}
interface Round {
  thinks: boolean
  says: boolean
  hidden: number
  signs: boolean
  ids: boolean
}
interface Exchange {
  inner: Round[]
  last: Round
  calls: number
  place: number
}
/** The ways a client keeps an answer in its history. */
type Client = 'merges' | 'merges and trims' | 'a content per chunk' | 'as it came'

const names = new Set(['clock', 'web_fetch'])
const round = fc.record({
  thinks: fc.boolean(),
  says: fc.boolean(),
  hidden: fc.integer({ min: 1, max: 2 }),
  signs: fc.boolean(),
  ids: fc.boolean(),
})
const last = fc.record({
  thinks: fc.boolean(),
  says: fc.boolean(),
  hidden: fc.integer({ min: 0, max: 2 }),
  signs: fc.boolean(),
  ids: fc.boolean(),
})
const exchange = fc.record({
  inner: fc.array(round, { maxLength: 2 }),
  last,
  calls: fc.integer({ min: 0, max: 2 }),
  place: fc.nat(2),
})
const client = fc.constantFrom<Client>('merges', 'merges and trims', 'a content per chunk', 'as it came')

/** A model's parts in a round: thoughts and texts in pieces, calls after them, a signature on the first. */
function answerOf(said: Round, calls: number, place: number, n: number): Part[] {
  const signed = { thoughtSignature: Buffer.from(`sig${n}`).toString('base64') }
  const own = Array.from({ length: calls }, (_, i) => ({
    functionCall: { name: 'read', args: { n, i }, ...(said.ids ? { id: `own_${n}_${i}` } : {}) },
  }))
  const hidden = Array.from({ length: said.hidden }, (_, i) => ({
    functionCall: {
      name: i === 0 ? 'clock' : 'web_fetch',
      args: { n },
      ...(said.ids ? { id: `hidden_${n}_${i}` } : {}),
    },
  }))
  const all: Part[] = [...own.slice(0, place), ...hidden, ...own.slice(place)]
  return [
    ...(said.thinks
      ? [
          { text: `Hm ${n}, `, thought: true },
          { text: 'well.', thought: true },
        ]
      : []),
    ...(said.says ? [{ text: `Text ${n} ` }, { text: '世界. ' }] : []),
    ...all.map((part, i) => (i === 0 && said.signs ? { ...part, ...signed } : part)),
    ...(all.length === 0 || (said.says && !said.signs) ? [{ text: '', ...signed }] : []),
  ]
}
const streamOf = (parts: Part[]): string =>
  parts
    .map(
      (part, i) =>
        `data: ${JSON.stringify({
          candidates: [
            {
              content: { role: 'model', parts: [part] },
              index: 0,
              ...(i === parts.length - 1 ? { finishReason: 'STOP' } : {}),
            },
          ],
          usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1, totalTokenCount: 6 },
          modelVersion: 'm',
          responseId: 'r',
        })}\r\n\r\n`,
    )
    .join('')

function keptBy(kind: Client, parts: Part[]): Content[] {
  const saying = parts.filter((part) => part['text'] !== '' || 'thoughtSignature' in part)
  if (kind === 'as it came') return [{ role: 'model', parts: saying }]
  if (kind === 'a content per chunk') {
    // Google wants all calls that are answered in one content.
    const first = saying.findIndex((part) => 'functionCall' in part)
    const to = first < 0 ? saying.length : first
    return [...saying.slice(0, to).map((part) => [part]), saying.slice(to)]
      .filter((list) => list.length > 0)
      .map((list) => ({ role: 'model', parts: list }))
  }
  const isText = (part?: Part): part is Part & { text: string } =>
    typeof part?.['text'] === 'string' && !('thoughtSignature' in part)
  const merged = saying
    .filter((part) => part['thought'] !== true)
    .reduce<Part[]>((list, part) => {
      const before = list.at(-1)
      return isText(before) && isText(part)
        ? [...list.slice(0, -1), { text: before.text + part.text }]
        : [...list, part]
    }, [])
  const trimmed = merged.map((part) =>
    isText(part) && kind === 'merges and trims' ? { text: part.text.trim() } : part,
  )
  return trimmed.length === 0 ? [] : [{ role: 'model', parts: trimmed }]
}

/** Expects every text once, and after calls as many results. */
function expectWhole(body: Buffer): void {
  const texts = body.toString().match(/Text \d+|Question \d+/g) ?? []
  expect(texts).toEqual([...new Set(texts)])
  const { contents } = JSON.parse(body.toString()) as { contents: Content[] }
  const count = (content: Content | undefined, kind: string): number =>
    content?.parts.filter((part) => kind in part).length ?? 0
  for (const [i, content] of contents.entries())
    expect(count(contents[i + 1], 'functionResponse')).toBe(count(content, 'functionCall'))
}

/** Plays a session; returns the contents of every request sent to the provider. */
function play(exchanges: readonly Exchange[], kind: Client): { sent: string[][]; streams: string[] } {
  const sent: string[][] = []
  const streams: string[] = []
  const ledger: { text: string; calls: readonly string[]; hidden: HiddenHistory }[] = []
  let history: Content[] = []
  let pending: Part[] = []
  let n = 0
  const read = (body: Buffer): RequestLens => geminiCodec.read(body, '/v1beta/models/m:streamGenerateContent?alt=sse')

  for (const [index, { inner, last: end, calls, place }] of exchanges.entries()) {
    const asked: Part[] = pending.length > 0 ? pending : [{ text: `Question ${index}` }]
    history = [...history, { role: 'user', parts: asked }]
    let lens = read(Buffer.from(JSON.stringify({ contents: history, generationConfig: { topK: 1 } })))
    const edits = serverTools.turns(lens).flatMap((turn) => {
      const found = ledger.find((entry) => entry.text === turn.text && entry.calls.join() === turn.calls.join())
      return found ? serverTools.restore(lens, turn, found.hidden) : []
    })
    lens = read(splice(lens.body, edits))
    const joiner = joining('gemini', { stream: true })
    const out: Buffer[] = []
    const before: string[] = []
    let text = ''
    for (const [i, said] of [...inner, end].entries()) {
      const isLast = i === inner.length
      expect(validateGeminiRequest(JSON.parse(lens.body.toString()) as Part)).toEqual([])
      expectWhole(lens.body)
      sent.push(contentsIn(lens).map(({ start, end: to }) => lens.body.toString('utf8', start, to)))
      const stream = streamOf(answerOf(said, isLast ? calls : 0, place, n++))
      const filter = filtering(serverTools.filter(names))
      out.push(joiner.push(filter.push(Buffer.from(stream))))
      const answer = serverTools.readAnswer(
        { contentType: 'text/event-stream', body: Buffer.from(stream) },
        lens,
        names,
      )
      text += answer.text
      const results = answer.hidden.map(({ call }, k) => ({ call, text: `result of ${call.name}`, isError: k === 1 }))
      if (!isLast) {
        joiner.endRound('must-come')
        out.push(joiner.keepAlive())
        const items = [...answer.items, ...serverTools.resultItems(results)]
        before.push(...items.map(String))
        lens = read(splice(lens.body, serverTools.append(lens, items)))
        continue
      }
      const filler = withoutBlanks(text) === '' && answer.calls.length === 0
      if (filler) {
        const line = `(line ${n})`
        text += line
        out.push(joiner.say(line))
      }
      out.push(joiner.finish())
      ledger.push({
        text: withoutBlanks(text),
        calls: answer.calls,
        hidden: { before, filler, calls: answer.hidden, results: serverTools.resultsBeside(results) },
      })
    }
    const whole = Buffer.concat(out).toString()
    streams.push(whole)
    const parts = objectsOf(whole).flatMap((value) =>
      (value as { candidates: { content: Content }[] }).candidates.flatMap(({ content }) => content.parts),
    )
    history = [...history, ...keptBy(kind, parts)]
    pending = parts.flatMap((part) => {
      const call = part['functionCall'] as { name: string; id?: string } | undefined
      return call
        ? [
            {
              functionResponse: {
                ...(call.id === undefined ? {} : { id: call.id }),
                name: call.name,
                response: { output: 'read' },
              },
            },
          ]
        : []
    })
  }
  return { sent, streams }
}

describe('a session with hidden rounds', () => {
  it('sends up one history that only grows, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 2, maxLength: 5 }), client, (exchanges, kind) => {
        const { sent } = play(exchanges, kind)
        for (const [i, contents] of sent.entries())
          expect(contents.slice(0, sent[i - 1]?.length ?? 0)).toEqual(sent[i - 1] ?? [])
      }),
      runs(150),
    )
  }, 60_000)

  it('shows nothing of hidden calls, in valid streams', () => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 1, maxLength: 2 }), client, (exchanges, kind) => {
        for (const stream of play(exchanges, kind).streams) {
          expect(validateGeminiStream(stream)).toEqual([])
          expect(stream).not.toMatch(/clock|web_fetch/)
          expect(stream.split('finishReason')).toHaveLength(2)
        }
      }),
      runs(50),
    )
  }, 60_000)
})
