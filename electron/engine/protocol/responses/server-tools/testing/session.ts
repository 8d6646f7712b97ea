import { splice } from '../../../json-bytes/index.ts'
import type { HiddenHistory } from '../../../server-tools/types.ts'
import { withoutBlanks } from '../../../server-tools/types.ts'
import { asList, asObject, asText, parseObject, type JsonObject } from '../../../values.ts'
import { responsesCodec } from '../../codec.ts'
import { responsesServerTools as serverTools } from '../index.ts'
import { visibleText } from '../visible-text.ts'
import { call, message, reasoning, streamOf } from './answers.ts'
import { filtering, joining } from '../../../join/testing/rounds.ts'

/** The items a provider sends in one round; calls by `clock` are hidden. */
export type Kind = 'text' | 'thought' | 'look' | 'clock'
/** Rounds of one exchange; those before the last end in hidden calls only. */
export type Exchange = readonly (readonly Kind[])[]

/** A client's way to keep its conversation. */
export interface Client {
  ids: boolean
  thinking: boolean
  joinsTexts: boolean
  interleaves: boolean
  pretty: boolean
}

export interface Sent {
  input: string[]
  body: JsonObject
}

const names = new Set(['clock'])
const filler = 'Looked at the clock.'

/**
 * Plays exchanges through filter, joiner and ledger.
 * @returns each request as it went to the provider
 */
export function playSession(exchanges: readonly Exchange[], client: Client): { sent: Sent[]; said: JsonObject[] } {
  const sent: Sent[] = []
  const said: JsonObject[] = []
  const history: unknown[] = []
  const ledger: { text: string; calls: readonly string[]; hidden: HiddenHistory }[] = []
  let n = 0

  for (const [turn, rounds] of exchanges.entries()) {
    history.push({ type: 'message', role: 'user', content: [{ type: 'input_text', text: `Ask ${turn}` }] })
    const request = { model: 'm', store: false, input: history }
    let body = restored(Buffer.from(client.pretty ? JSON.stringify(request, null, 1) : JSON.stringify(request)), ledger)
    const joiner = joining('responses', { stream: true })
    const before: string[] = []
    let text = ''
    const out: Buffer[] = []
    for (const [i, kinds] of rounds.entries()) {
      sent.push(asSent(body))
      const output = kinds.map((kind) => item(kind, `${n++}`))
      said.push(...output)
      const answer = { contentType: 'text/event-stream', body: Buffer.from(streamOf(output, `${turn}_${i}`)) }
      out.push(joiner.push(filtering(serverTools.filter(names)).push(answer.body)))
      const lens = responsesCodec.read(body)
      const round = serverTools.readAnswer(answer, lens, names)
      const results = round.hidden.map(({ call: of }) => ({ call: of, text: `result of ${of.id}`, isError: false }))
      said.push(...serverTools.resultItems(results).map((json) => parseObject(json) ?? {}))
      text += round.text
      if (i < rounds.length - 1) {
        const more = [...round.items, ...serverTools.resultItems(results)]
        before.push(...more.map(String))
        body = splice(body, serverTools.append(lens, more))
        joiner.endRound('must-come')
        continue
      }
      const fills = withoutBlanks(text) === '' && round.calls.length === 0
      if (fills) out.push(joiner.say(filler))
      ledger.push({
        text: withoutBlanks(fills ? filler : text),
        calls: round.calls,
        hidden: {
          before,
          filler: fills,
          calls: round.hidden.map(({ json, callsBefore }) => ({ json, callsBefore })),
          results: serverTools.resultsBeside(results),
        },
      })
    }
    out.push(joiner.finish())
    const events = Buffer.concat(out).toString().trimEnd().split('\n\n')
    const last = parseObject(Buffer.from(events.at(-1)?.replace(/^event: .*\ndata: /, '') ?? ''))
    const output = asList(asObject(last?.['response'])?.['output']).map((entry) => asObject(entry) ?? {})
    const results = output
      .filter((one) => one['type'] === 'function_call')
      .map((one): JsonObject => ({ type: 'function_call_output', call_id: one['call_id'], output: 'seen' }))
    said.push(...results)
    history.push(...kept(output, results, client))
  }
  return { sent, said }
}

const item = (kind: Kind, id: string): JsonObject => {
  if (kind === 'text') return message(id, ` Words of ${id}.\n`)
  return kind === 'thought' ? reasoning(id, `Thought ${id}`) : call(id, kind)
}

function asSent(body: Buffer): Sent {
  const lens = responsesCodec.read(body)
  return {
    input: lens.items().map(({ start, end }) => body.toString('utf8', start, end)),
    body: parseObject(body) ?? {},
  }
}

function restored(
  body: Buffer,
  ledger: readonly { text: string; calls: readonly string[]; hidden: HiddenHistory }[],
): Buffer {
  const lens = responsesCodec.read(body)
  const turns = serverTools.turns(lens)
  let from = 0
  return splice(
    body,
    ledger.flatMap((entry) => {
      const at = turns.findIndex(
        (turn, i) => i >= from && turn.text === entry.text && turn.calls.join() === entry.calls.join(),
      )
      const turn = turns[at]
      if (!turn) throw new Error(`an answer was not found again: ${entry.text} ${entry.calls.join()}`)
      from = at + 1
      return serverTools.restore(lens, turn, entry.hidden)
    }),
  )
}

/** Returns an answer as the client sends it back, with the results of its calls. */
function kept(output: readonly JsonObject[], results: readonly JsonObject[], client: Client): JsonObject[] {
  const own = output
    .filter((one) => client.thinking || one['type'] !== 'reasoning')
    .map(({ id, status, ...rest }) => (client.ids ? { id, status, ...rest } : rest))
  const texts = own.filter((one) => one['type'] === 'message').map((one) => visibleText(one).trim())
  const joined =
    client.joinsTexts && texts.length > 1
      ? [
          ...own.filter((one) => one['type'] === 'reasoning'),
          { role: 'assistant', content: texts.join('\n\n') },
          ...own.filter((one) => one['type'] === 'function_call'),
        ]
      : own
  const resultOf = (one: JsonObject): JsonObject[] =>
    results.filter((result) => result['call_id'] === asText(one['call_id']))
  return client.interleaves ? joined.flatMap((one) => [one, ...resultOf(one)]) : [...joined, ...results]
}
