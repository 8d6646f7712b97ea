import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { joinJson } from '../../join/join-rounds.ts'
import { type JoinedBytes, filtering, joining, objectsOf } from '../../join/testing/rounds.ts'
import { withServer } from '../../testing/serve-once.ts'
import { validateResponsesBody, validateResponsesStream } from '../../testing/validate-responses.ts'
import type { JsonObject } from '../../values.ts'
import { sayResponses } from '../join.ts'
import { responsesServerTools as serverTools } from './index.ts'
import { bodyOf, call, message, reasoning, streamOf } from './testing/answers.ts'

const names = new Set(['clock'])
/** Rounds through filter and joiner; `between` returns what is sent between two of them. */
function joined(
  rounds: readonly (readonly JsonObject[])[],
  between: (joiner: JoinedBytes, n: number) => string = () => '',
  end: (joiner: JoinedBytes) => string = () => '',
): string {
  const joiner = joining('responses', { stream: true })
  let out = ''
  for (const [i, items] of rounds.entries()) {
    out += joiner.push(filtering(serverTools.filter(names)).push(Buffer.from(streamOf(items, `${i}`)))).toString()
    if (i === rounds.length - 1) continue
    joiner.endRound('must-come')
    out += between(joiner, i)
  }
  return out + end(joiner) + joiner.finish().toString()
}
/** The answer has the last round's id, which a strict reader of one stream takes for a change. */
const oneId = (stream: string): string => stream.replaceAll(/"resp_\d"/g, '"resp_0"')

const rounds = [
  [reasoning('a', 'Hm'), call('a', 'clock')],
  [reasoning('b', 'Hm!'), message('b', 'Late.'), call('b', 'clock')],
  [message('c', 'Very late.'), call('c', 'look')],
]

describe('rounds with hidden calls', () => {
  it('make one stream', () => {
    const whole = oneId(joined(rounds))
    expect(validateResponsesStream(whole)).toEqual([])
    expect(whole).not.toContain('clock')
    expect(objectsOf(whole).at(-1)).toMatchObject({
      response: {
        output: [{ id: 'rs_a' }, { id: 'rs_b' }, { id: 'msg_b' }, { id: 'msg_c' }, { id: 'fc_c' }],
        usage: { output_tokens: 15 },
      },
    })
  })

  it('make one body', () => {
    const body = joinJson(
      'responses',
      rounds.map((items) => serverTools.filterBody(Buffer.from(JSON.stringify(bodyOf(items))), names)),
    )
    expect(validateResponsesBody(JSON.parse(body.toString()))).toEqual([])
    expect(body.toString()).not.toContain('clock')
  })
})

describe('a line of Onward’s own', () => {
  it.each([
    ['alone', [[call('a', 'clock')]], ['msg_0_onward']],
    ['behind a thought', [[reasoning('a', 'Hm'), call('a', 'clock')]], ['rs_a', 'msg_0_onward']],
    ['behind rounds', rounds.slice(0, 2), ['rs_a', 'rs_b', 'msg_b', 'msg_0_onward']],
  ])('is an item like any other: %s', (_, of, ids) => {
    const whole = oneId(joined(of, undefined, (joiner) => joiner.say('Looked at the clock.').toString()))
    expect(validateResponsesStream(whole)).toEqual([])
    expect(objectsOf(whole).at(-1)).toMatchObject({
      response: { status: 'completed', output: ids.map((id) => ({ id })) },
    })
    expect(whole).toContain('"text":"Looked at the clock."')
  })

  it('stands behind what a broken round left', () => {
    const joiner = joining('responses', { stream: true })
    let whole = joiner.push(Buffer.from(streamOf([message('a', 'One')], '0'))).toString()
    joiner.endRound()
    const second = streamOf([message('b', 'Two')], '0')
    whole += joiner.push(Buffer.from(second.slice(0, second.indexOf('event: response.output_text.done')))).toString()
    joiner.dropRound()
    whole += joiner.say('Broke off.').toString() + joiner.finish().toString()
    expect(validateResponsesStream(whole)).toEqual([])
    expect(objectsOf(whole).at(-1)).toMatchObject({
      response: { output: [{ id: 'msg_a' }, { id: 'msg_b', status: 'incomplete' }, { id: 'msg_0_onward' }] },
    })
  })

  it('comes into a body with its text', () => {
    const said = JSON.parse(
      sayResponses(
        Buffer.from(JSON.stringify({ ...bodyOf([message('a', 'One')]), output_text: 'One' })),
        ' Two',
      ).toString(),
    )
    expect(said).toMatchObject({
      output: [{ id: 'msg_a' }, { id: 'msg_1_onward', content: [{ text: ' Two' }] }],
      output_text: 'One Two',
    })
    delete said.output_text
    expect(validateResponsesBody(said)).toEqual([])
  })
})

describe('a keep-alive', () => {
  const alive = (joiner: JoinedBytes): string => joiner.keepAlive().toString() + joiner.keepAlive().toString()
  const read = (stream: string) =>
    withServer({ contentType: 'text/event-stream', body: Buffer.from(stream), chunkBytes: 50 }, async (origin) => {
      const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'k', maxRetries: 0 })
      return client.responses.stream({ model: 'm', input: 'hi' }).finalResponse()
    })

  it('tells the output so far before a text, and is an empty piece of the last text behind one', () => {
    const events = objectsOf(joined(rounds, alive))
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, i) => i))
    expect(events.filter((event) => event['type'] === 'response.in_progress').slice(1)).toMatchObject(
      [1, 2].map(() => ({
        response: { id: 'resp_0', status: 'in_progress', output: [{ id: 'rs_a', encrypted_content: 'sealed-a' }] },
      })),
    )
    expect(
      events.filter((event) => event['type'] === 'response.output_text.delta' && event['delta'] === ''),
    ).toMatchObject(
      [1, 2].map(() => ({
        type: 'response.output_text.delta',
        item_id: 'msg_b',
        output_index: 2,
        content_index: 0,
        logprobs: [],
      })),
    )
  })

  it.each([
    ['behind thoughts', rounds],
    ['behind nothing at all', [[call('a', 'clock')], [message('b', 'Hi'), call('b', 'look')]]],
    ['behind texts', [[message('a', 'A'), call('a', 'clock')], [call('b', 'clock')], [message('c', 'C')]]],
  ])('changes nothing for OpenAI’s SDK: %s', async (_, of) => {
    const [kept, plain] = [await read(joined(of, alive)), await read(joined(of))]
    expect(kept).toEqual(plain)
    expect(kept.output.length).toBeGreaterThan(0)
  })

  it('is not to be had before the response has begun', () => {
    expect(joining('responses', { stream: true }).keepAlive().length).toBe(0)
    expect(joining('responses', { stream: false }).keepAlive().length).toBe(0)
  })
})
