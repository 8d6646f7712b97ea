import { describe, expect, it } from 'vitest'
import { checkChat } from '../../../../e2e/support/mock-upstream/check-chat.ts'
import type { TurnRecord } from '../../../../shared/state.ts'
import { OnwardError } from '../../base/errors.ts'
import { systemRandom } from '../../base/ids.ts'
import type { ReviewerQuestion } from '../../servertools/review/ask-model.ts'
import { calledTool } from '../../servertools/testing/tools.ts'
import { createAskReview } from './ask-review.ts'
import { createInternalCall } from './internal-call.ts'
import { createReminders, wantsTimeTag } from '../request/reminders.ts'
import { noAlarms } from '../testing/no-alarms.ts'
import { roundsScene } from '../testing/rounds-scene.ts'

const route = { provider: 'zai', model: 'glm-5', keyAlias: null, category: 'review' as const, why: [], skipped: [] }
const usage = { input: 10, cachedInput: 0, output: 5, reasoning: 0 }
const known: Pick<TurnRecord, 'route' | 'usage' | 'costUsd'> = { route, usage, costUsd: 0.25 }
const tools = [
  {
    name: 'read_file',
    description: 'Reads.',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
]
const question = (more: Partial<ReviewerQuestion> = {}): ReviewerQuestion => ({
  messages: [
    { role: 'system', text: 'be strict' },
    { role: 'user', text: 'the goal' },
  ],
  tools,
  model: null,
  about: 's1',
  withinMs: 60_000,
  signal: new AbortController().signal,
  ...more,
})

/** The real request path, with every addition to an agent's turn switched on. */
async function scene(record: typeof known | null = known) {
  const path = await roundsScene('chat', {
    tools: [calledTool('clock', () => Promise.reject(new Error('nobody calls it')), { declared: 'every-turn' })],
    reminders: createReminders({
      alarms: { reserve: () => Promise.reject(new Error('it takes an alarm along')) },
      hasAlarms: () => true,
    }),
    timeTag: (turn) => (wantsTimeTag(turn) ? '[time]' : null),
    alarms: { ...noAlarms, set: () => Promise.reject(new Error('a marker was obeyed')) },
  })
  const { upstream, clock } = path
  const ask = createAskReview({
    call: createInternalCall({ runTurn: path.run, clock, random: systemRandom(), version: '1' }),
    recordOf: () => record,
  })
  return { ...path, upstream, ask }
}

describe('a question to a reviewing model', () => {
  it('goes up in Chat as it is, and its answer comes back with what it cost', async () => {
    const { ask, upstream } = await scene()
    const asked = ask(question())
    const round = await upstream.round(1)
    expect(checkChat(round.json)).toEqual([])
    expect(round.json).toMatchObject({
      stream: false,
      messages: [
        { role: 'system', content: 'be strict' },
        { role: 'user', content: 'the goal' },
      ],
      tools: [{ type: 'function', function: tools[0] }],
    })
    round.answer({ text: 'I look.', toolCalls: [{ id: 'c1', name: 'read_file', input: { path: 'a.ts' } }] })
    expect(await asked).toMatchObject({
      text: 'I look.',
      calls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"a.ts"}' }],
      usage,
      costUsd: 0.25,
      by: 'zai/glm-5',
    })
  })

  it('knows what a call of it used that has no price', async () => {
    const { ask, upstream } = await scene({ ...known, costUsd: null })
    const asked = ask(question())
    const round = await upstream.round(1)
    round.answer({ text: '{}' })
    expect(await asked).toMatchObject({ usage, costUsd: null, unpricedTokens: 15 })
  })

  it('gives an answer back to the model as it came, with all that only its vendor can read', async () => {
    const { ask, upstream } = await scene()
    const message = {
      role: 'assistant',
      content: null,
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'sealed' }],
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'read_file', arguments: '{"path": "a.ts"}' },
          extra_content: { google: { thought_signature: 'sig' } },
        },
      ],
    }
    const first = ask(question())
    const round = await upstream.round(1)
    round.head(200)
    round.data(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      }),
    )
    round.end()
    const { raw, calls } = await first
    expect(calls).toHaveLength(1)
    const second = ask(
      question({
        messages: [...question().messages, { role: 'model', raw }, { role: 'tool', callId: 'c1', text: 'a line' }],
      }),
    )
    const next = await upstream.round(2)
    expect(next.json['messages']).toEqual([
      expect.anything(),
      expect.anything(),
      message,
      { role: 'tool', tool_call_id: 'c1', content: 'a line' },
    ])
    next.answer({ text: 'done' })
    await second
  })

  it.each([
    '<**sm:on**>',
    '<**!p.m**> go',
    '<**sm:"forever",100**>\n<**clock:{"time":"2030-01-01T00:00:00Z","message":"x"}**>',
  ])('is no turn of anybody’s: no tool, no reminder, no time, and %s is not obeyed', async (text) => {
    const { ask, upstream, events, listOf } = await scene()
    const asked = ask(question({ messages: [{ role: 'user', text }], tools: [] }))
    // If the marker were read, Onward would answer it alone, and no request would come here.
    const round = await upstream.round(1)
    expect(round.json['tools']).toBeUndefined()
    expect(round.json['messages']).toHaveLength(1)
    expect(round.body.toString()).not.toContain('[time]')
    expect(events).toEqual([])
    expect(listOf.size).toBe(0)
    round.answer({ text: 'ok' })
    expect((await asked).text).toBe('ok')
  })

  it('names the route for reviews, or the model that is set', async () => {
    const models: unknown[] = []
    const ask = createAskReview({
      recordOf: () => null,
      call: async ({ body }) => {
        models.push(body)
        return {
          requestId: 'r',
          status: 200,
          contentType: '',
          headAfterMs: 1,
          tookMs: 1,
          error: null,
          body: Buffer.from(
            '{"choices":[{"message":{"role":"assistant","content":[{"type":"text",' +
              '"text":"a"},{"type":"text","text":"b"}]}}]}',
          ),
        }
      },
    })
    expect(await ask(question({ tools: [] }))).toMatchObject({
      text: 'a\nb',
      calls: [],
      usage: null,
      costUsd: null,
      by: null,
    })
    await ask(question({ model: 'zai.glm-5', about: null }))
    expect(models).toMatchObject([{ model: 'review' }, { model: 'zai.glm-5' }])
  })

  it.each<
    [
      string,
      (round: Awaited<ReturnType<Awaited<ReturnType<typeof scene>>['upstream']['round']>>) => void,
      string,
      RegExp,
    ]
  >([
    [
      'a refusal',
      (round) => round.refuse(400, 'too long'),
      'review-refused',
      /^zai\/glm-5 refused with status 400: too long/,
    ],
    [
      'a page',
      (round) => {
        round.head(200)
        round.data('{"page":1}')
        round.end()
      },
      'bad-answer',
      /zai\/glm-5/,
    ],
    [
      'an error within',
      (round) => {
        round.head(200)
        round.data('{"error":{"message":"broken"}}')
        round.end()
      },
      'review-refused',
      /zai\/glm-5.*broken/,
    ],
    [
      'words that decline',
      (round) => {
        round.head(200)
        round.data(
          '{"choices":[{"index":0,"message":{"role":"assistant",' +
            '"content":null,"refusal":"no"},"finish_reason":"stop"}]}',
        )
        round.end()
      },
      'review-refused',
      /zai\/glm-5 declined to review: no/,
    ],
    ['nothing', (round) => round.fail(), 'upstream-broke-off', /^zai\/glm-5: /],
  ])('fails with %s, and says who', async (_, comes, code, message) => {
    const { ask, upstream } = await scene()
    const failing = expect(ask(question())).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    comes(await upstream.round(1))
    await failing
  })

  it('is given up with its signal: what is asked upstream ends', async () => {
    const { ask, upstream } = await scene(null)
    const stop = new AbortController()
    const failing = expect(ask(question({ signal: stop.signal, model: 'p.m' }))).rejects.toSatisfy(
      (error: unknown) =>
        OnwardError.isInstance(error) && error.code === 'stopped' && error.message.startsWith('p.m: '),
    )
    const round = await upstream.round(1)
    stop.abort()
    await failing
    expect(round.aborted).toBe(true)
  })
})
