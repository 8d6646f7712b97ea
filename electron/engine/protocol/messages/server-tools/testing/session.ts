import { expect } from 'vitest'
import { splice } from '../../../json-bytes/index.ts'
import { elementsOf } from '../../../json-bytes/walk.ts'
import { withoutBlanks, type HiddenHistory } from '../../../server-tools/types.ts'
import type { RequestLens } from '../../../types.ts'
import type { JsonObject } from '../../../values.ts'
import { messagesCodec } from '../../codec.ts'
import { messagesServerTools as serverTools } from '../index.ts'
import { bodyOfAnswer, eventsOfAnswer, isOurs, names, text, withOwnIds } from './answers.ts'

/** How a client keeps the answers it got. */
export interface ClientWays {
  merge: null | '' | '\n\n'
  thinking: boolean
  /** a content of nothing but one text as a bare text */
  bare: boolean
  /** marks its last message, in each request another */
  marks: boolean
  /** spaces in its JSON */
  space: number
  stream: boolean
}

interface Entry {
  ordinal: number
  text: string
  calls: readonly string[]
  hidden: HiddenHistory
}

/** Rounds of one exchange as a model answers them, and what the user says to it. */
export interface Exchange {
  asks: string
  rounds: readonly (readonly JsonObject[])[]
}

/** Returns what a strict provider would object to. */
export type Check = (request: JsonObject) => readonly string[]

/** Runs a conversation through Onward. `sent`: each request that the model gets; `said`: the blocks of its answers. */
export function session(
  exchanges: readonly Exchange[],
  ways: ClientWays,
  check: Check,
): { sent: Buffer[]; said: JsonObject[] } {
  const history: JsonObject[] = []
  const entries: Entry[] = []
  const sent: Buffer[] = []
  const said: JsonObject[] = []
  let open: readonly string[] = []
  for (const [e, { asks, rounds }] of exchanges.entries()) {
    history.push({ role: 'user', content: userContent(open, asks, ways) })
    let body = restored(requestOf(history, ways), entries, check)
    sent.push(body)
    const seen: JsonObject[] = []
    const before: Buffer[] = []
    for (const [r, round] of rounds.entries()) {
      const blocks = withOwnIds(round, `${e}x${r}x`)
      const answer = ways.stream
        ? { contentType: 'text/event-stream', body: Buffer.from(eventsOfAnswer(blocks).join('')) }
        : { contentType: 'application/json', body: Buffer.from(JSON.stringify(bodyOfAnswer(blocks))) }
      const lens = messagesCodec.read(body)
      const read = serverTools.readAnswer(answer, lens, names)
      said.push(
        ...read.items
          .flatMap((item) => elementsOf(item, 'content'))
          .map((block): JsonObject => JSON.parse(block.toString())),
      )
      seen.push(...blocks.filter((block) => !isOurs(block)))
      const results = read.hidden.map(({ call }, i) => ({ call, text: `of ${call.id}`, isError: i % 2 === 1 }))
      open = read.calls
      if (read.hidden.length > 0 && read.calls.length === 0 && r < rounds.length - 1) {
        const items = [...read.items, ...serverTools.resultItems(results)]
        before.push(...items)
        body = splice(lens.body, serverTools.append(lens, items))
        sent.push(body)
        continue
      }
      const filler =
        read.calls.length === 0 && !seen.some((block) => block['type'] === 'text' && /\S/.test(String(block['text'])))
      if (filler) seen.push(text('(Done.)'))
      const hidden = {
        before: before.map(String),
        filler,
        calls: read.hidden,
        results: serverTools.resultsBeside(results),
      }
      const whole = withoutBlanks(seen.map((block) => String(block['text'] ?? '')).join(''))
      if (filler || before.length > 0 || read.hidden.length > 0)
        entries.push({ ordinal: e, text: whole, calls: read.calls, hidden })
      break
    }
    history.push({ role: 'assistant', content: keptBy(seen, ways) })
  }
  return { sent, said }
}

function restored(body: Buffer, entries: readonly Entry[], check: Check): Buffer {
  const lens: RequestLens = messagesCodec.read(body)
  const turns = serverTools.turns(lens)
  const edits = entries.flatMap((entry) => {
    const turn = turns[entry.ordinal]
    if (!turn) throw new Error('an answer is missing')
    expect({ text: turn.text, calls: turn.calls }).toEqual({ text: entry.text, calls: entry.calls })
    return serverTools.restore(lens, turn, entry.hidden)
  })
  const out = splice(body, edits)
  expect(check(JSON.parse(out.toString()))).toEqual([])
  return out
}

const requestOf = (history: readonly JsonObject[], { marks, space }: ClientWays): Buffer =>
  Buffer.from(
    JSON.stringify(
      {
        model: 'm',
        max_tokens: 9,
        messages: history.map((item, i) => (marks && i === history.length - 1 ? marked(item) : item)),
      },
      null,
      space,
    ),
  )

function marked(item: JsonObject): JsonObject {
  if (!Array.isArray(item['content'])) return item
  const blocks: JsonObject[] = item['content']
  return {
    ...item,
    content: blocks.map((block, i) =>
      i === blocks.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block,
    ),
  }
}

function userContent(open: readonly string[], asks: string, { bare, marks }: ClientWays): JsonObject[] | string {
  const results = open.map((id) => ({ type: 'tool_result', tool_use_id: id, content: `own of ${id}` }))
  return results.length === 0 && bare && !marks ? asks : [...results, text(asks)]
}

function keptBy(seen: readonly JsonObject[], { merge, thinking, bare }: ClientWays): JsonObject[] | string {
  const kept: JsonObject[] = []
  for (const block of seen) {
    if (!thinking && /thinking/.test(String(block['type']))) continue
    if (block['type'] === 'text' && !/\S/.test(String(block['text']))) continue
    const last = kept.at(-1)
    if (merge !== null && last?.['type'] === 'text' && block['type'] === 'text')
      kept.splice(-1, 1, text(`${String(last['text'])}${merge}${String(block['text'])}`))
    else kept.push(block)
  }
  const [only] = kept
  return bare && kept.length === 1 && only?.['type'] === 'text' ? String(only['text']) : kept
}
