import { describe, expect, it } from 'vitest'
import { entryProtocols, type EntryProtocol } from '../../../shared/words.ts'
import { heardOf, problemsOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene } from './testing/rounds-scene.ts'
import { atFirstWord, jsonType, streamType } from './testing/scripted-upstream.ts'

const event = (data: object, name = ''): string =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

/** Events that vendors send before the model's first content, beside the first event of a good answer. */
const beginnings: Readonly<Record<EntryProtocol, readonly (readonly string[])[]>> = {
  // OpenRouter's comment (https://openrouter.ai/docs/api/reference/streaming), Azure's filter results
  chat: [
    [': OPENROUTER PROCESSING\n\n', ': OPENROUTER PROCESSING\n\n'],
    [event({ id: 'c1', choices: [], prompt_filter_results: [] })],
    [event({ id: 'c1', choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] })],
  ],
  messages: [
    [event({ type: 'ping' }, 'ping')],
    [
      event({ type: 'message_start', message: { id: 'msg_1', role: 'assistant', content: [], usage: {} } }),
      event({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      }),
      event({ type: 'ping' }, 'ping'),
    ],
  ],
  responses: [
    [
      event({ type: 'response.created', response: { id: 'r1', instructions: 'Be kind.', output: [], error: null } }),
      event({ type: 'response.in_progress', response: { id: 'r1', output: [], error: null } }),
      event({
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'reasoning', id: 'rs1', summary: [] },
      }),
    ],
    [event({ type: 'keepalive', sequence_number: 1 })],
  ],
  gemini: [
    [event({ candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, index: 0 }], modelVersion: 'm' })],
    [event({ usageMetadata: { promptTokenCount: 3 }, responseId: 'g1' })],
  ],
}

/** The errors of vendors within a stream, and the status that each stands for. */
const failures: Readonly<Record<EntryProtocol, readonly (readonly [string, number])[]>> = {
  chat: [
    [event({ id: 'c1', choices: [], error: { code: 502, message: 'Provider returned error' } }), 502],
    [
      event({
        id: 'c1',
        choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'error' }],
        error: { code: 'server_error', message: 'busy' },
      }),
      500,
    ],
    [event({ choices: [{ index: 0, delta: {}, finish_reason: 'network_error' }] }), 500],
    [event({ error: 'the model could not be loaded' }), 500],
    [event({ object: 'error', message: 'gone', code: 503 }), 503],
  ],
  messages: [
    [event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error'), 529],
    [event({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }), 429],
  ],
  responses: [
    [event({ type: 'error', code: 'server_error', message: 'busy', param: null, sequence_number: 3 }, 'error'), 500],
    [
      event({
        type: 'response.failed',
        response: { id: 'r1', status: 'failed', output: [], error: { code: 'rate_limit_exceeded', message: 'slow' } },
      }),
      429,
    ],
  ],
  gemini: [[event({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }), 503]],
}

/** Under status 200: OpenRouter's, Z.ai's, Cloudflare's, Baidu's, FastGPT's and others' */
const errorBodies = [
  '{"error":{"message":"upstream failed","code":502}}',
  '{"code":500,"msg":"404 NOT_FOUND","success":false}',
  '{"success":false,"errors":[{"code":7505,"message":"busy"}],"result":null}',
  '{"error_code":336100,"error_msg":"try again later"}',
  '{"code":50505,"message":"Model service overloaded.","data":null}',
]

const hi = (entry: EntryProtocol) => requestOf(entry, [userItem(entry, 'Hi')])

const pairs = entryProtocols.flatMap((entry) => entryProtocols.map((provider) => ({ entry, provider })))

describe.each(pairs)('a $entry client over a provider of $provider', ({ entry, provider }) => {
  it('is answered by the next candidate when the first fails before it said anything', async () => {
    for (const beginning of [[], ...beginnings[provider]])
      for (const [failure, status] of [...failures[provider], ['', null] as const, ['cut', null] as const]) {
        const { upstream, ask, reports } = await roundsScene(entry, { provider, candidates: 2 })
        const { client, over } = await ask(hi(entry))
        const first = await upstream.round(1)
        first.head(200, streamType)
        for (const part of beginning) first.data(part)
        expect(client.text).toBe('')
        if (status !== null) first.data(failure)
        else if (failure === 'cut') first.fail('upstream-broke-off')
        else first.end()
        const second = await upstream.round(2)
        second.answer({ text: 'Second.' })
        const { error } = await over
        expect(error).toBeNull()
        expect(heardOf(entry, client.text)).toMatchObject({ text: 'Second.' })
        expect(problemsOf(entry, client.text)).toEqual([])
        expect(reports.filter(({ outcome }) => outcome.kind === 'began')).toHaveLength(1)
        expect(reports[0]?.outcome).toMatchObject(
          status === null ? { kind: 'unreachable', code: 'upstream-broke-off' } : { kind: 'refused', status },
        )
      }
  })

  it.each([
    ['comes slowly', ' ', 5_000],
    ['is long', ' '.repeat(80_000), 0],
  ])('is answered by the next candidate when an error’s body never ends and %s', async (_how, more, ms) => {
    for (const stream of [true, false]) {
      const { upstream, ask, clock } = await roundsScene(entry, { provider, candidates: 2 })
      const { client, over } = await ask(hi(entry), { stream })
      const first = await upstream.round(1)
      first.head(503, jsonType)
      first.data('{"error":{"message":"busy"}')
      await clock.advance(ms - 1)
      first.data(more)
      await clock.advance(1)
      ;(await upstream.round(2)).answer({ text: 'Second.' })
      expect((await over).error).toBeNull()
      expect(client.text).toContain('Second.')
      expect(first.dumped).toBe(true)
    }
  })

  it('is told an error whose body never ends after 5 s, when nobody else is there', async () => {
    for (const status of [400, 503]) {
      const { upstream, ask, clock } = await roundsScene(entry, { provider })
      const { client, over } = await ask(hi(entry))
      const first = await upstream.round(1)
      first.head(status, jsonType)
      first.data('{"error":{"message":"busy"}')
      await clock.advance(4_999)
      expect(client.heads).toEqual([])
      await clock.advance(1)
      await over
      expect(client.heads[0]?.status).toBe(status)
      expect(first.dumped).toBe(true)
    }
  })

  it('is told a long error', async () => {
    const { upstream, ask, clock } = await roundsScene(entry, { provider })
    const { client, over } = await ask(hi(entry))
    const first = await upstream.round(1)
    first.head(400, jsonType)
    first.data(`{"error":{"message":"${'long '.repeat(14_000)}`)
    await clock.advance(1_000)
    if (entry === provider) expect(client.text).toContain('long long')
    first.data(`and so on${' '.repeat(4_096)}`)
    await clock.advance(4_000)
    await over
    expect(client.heads[0]?.status).toBe(400)
    expect(client.text.includes('and so on')).toBe(entry === provider)
    expect(first.dumped).toBe(true)
  })

  it.each(errorBodies)('is answered by the next candidate when the body of the first is %s', async (body) => {
    const { upstream, ask } = await roundsScene(entry, { provider, candidates: 2 })
    const { client, over } = await ask(hi(entry), { stream: false })
    const first = await upstream.round(1)
    first.head(200, jsonType)
    first.data(body)
    first.end()
    ;(await upstream.round(2)).answer({ text: 'Second.' })
    expect((await over).error).toBeNull()
    expect(client.text).toContain('Second.')
  })

  it('is told the status of such an error when nobody else is there', async () => {
    const { upstream, ask } = await roundsScene(entry, { provider })
    const { client, over } = await ask(hi(entry), { stream: false })
    const first = await upstream.round(1)
    first.head(200, jsonType)
    first.data('{"error":{"message":"upstream failed","code":502}}')
    first.end()
    await over
    expect(client.heads).toMatchObject([{ status: 502 }])
    expect(client.text).toContain('upstream failed')
  })

  it('hears nothing twice: behind a word there is no way back', async () => {
    const { upstream, ask } = await roundsScene(entry, { provider, candidates: 2 })
    const { client, over } = await ask(hi(entry))
    const first = await upstream.round(1)
    first.head(200, streamType)
    for (const part of atFirstWord(first.events({ text: 'A longer text that comes in pieces.' }))[0]) first.data(part)
    expect(client.text).not.toBe('')
    first.fail('upstream-broke-off')
    await over
    expect(upstream.rounds).toHaveLength(1)
  })

  it('gets what keeps it waiting when it waits for long', async () => {
    const { upstream, ask, clock } = await roundsScene(entry, { provider, candidates: 2 })
    const { client, over } = await ask(hi(entry))
    const first = await upstream.round(1)
    first.head(200, streamType)
    const [begun, more] = atFirstWord(first.events({ text: 'At last.' }))
    for (const part of begun.slice(0, -1)) first.data(part)
    const isHeld = begun.length > 1
    expect(client.heads).toEqual([])
    await clock.advance(30_000)
    // While nothing comes, the other may still be asked.
    expect(client.heads).toEqual([])
    first.data(':\n\n')
    expect(client.heads).toHaveLength(isHeld ? 1 : 0)
    for (const part of [...begun.slice(-1), ...more]) first.data(part)
    first.end()
    await over
    expect(heardOf(entry, client.text)).toMatchObject({ text: 'At last.' })
    expect(clock.pending()).toBe(0)
  })
})
