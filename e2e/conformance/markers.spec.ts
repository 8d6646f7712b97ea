/** Sessions and markers over plain HTTP, without a terminal, in every protocol. */
import Anthropic from '@anthropic-ai/sdk'
import { mkdirSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TimelineEvent } from '../../shared/events.ts'
import { bodyOf, chatEntry, bodyEntries, type TestEntry } from '../support/entries.ts'
import { removeHomes } from '../support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from '../support/engine.ts'
import { fail, startMockUpstream, type MockUpstream } from '../support/mock-upstream/index.ts'
import { post, type Answer } from '../support/post.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

let mock: MockUpstream
let engine: EngineForTest
/** of each protocol two providers, `chat` and `chat2`; the first has two keys */
beforeAll(async () => {
  mock = await startMockUpstream()
  const providers = Object.fromEntries(
    bodyEntries.flatMap((door) =>
      ['', '2'].map((n) => [
        `${door.entry}${n}`,
        {
          type: door.type,
          baseUrl: door.type === 'anthropic' ? mock.baseUrl : `${mock.baseUrl}/v1`,
          keys: (n === '' ? ['main', 'spare'] : ['main']).map((alias) => ({
            alias,
            value: `${door.entry}${n}.${alias}`,
          })),
          models: { 'm-1': {}, 'm.2/x:free': {} },
        },
      ]),
    ),
  )
  engine = await startEngineForTest({ providers, routing: { failures: 1_000 } })
})
afterAll(async () => {
  await engine.dispose()
  await mock.dispose()
  removeHomes()
})

let sessions = 0
let session = ''
beforeEach(() => {
  session = `s-${++sessions}`
})
afterEach(() => {
  const seen = mock.problems.slice()
  mock.script(() => undefined)
  expect(seen).toEqual([])
})

type Headers = Readonly<Record<string, string>>
const say = (
  door: TestEntry,
  texts: readonly string[],
  more: Record<string, unknown> = {},
  headers: Headers = {},
): Promise<Answer> =>
  post(engine, door.path, bodyOf(door, texts, more), {
    headers: { ...door.headers, 'session-id': session, ...headers },
  })
/** where the last request went: `provider.key model` */
const went = (): string => {
  const last = mock.requests.at(-1)
  if (!last) throw new Error('no provider was asked')
  const { headers, json } = last
  return `${headers['x-api-key'] ?? headers['authorization']?.slice(7)} ${(json as { model: string }).model}`
}
/**
 * events of the current session, as the dashboard gets them; the marker events precede the turn's end, which is waited
 * for
 */
async function reported(turns: number): Promise<readonly TimelineEvent['body'][]> {
  const own = () => engine.control.events.filter((e) => e.sessionId === session).map((e) => e.body)
  await waitFor('the ends of the turns', () => own().filter((body) => body.type === 'turn-ended').length >= turns)
  return own().filter(({ type }) => type === 'marker-applied' || type === 'marker-refused' || type === 'marker-held')
}
const routing = async () => (await engine.control.api.session.query(session)).routing

describe.each(bodyEntries)('routing markers: $entry', (door) => {
  const [p, q] = [door.entry, `${door.entry}2`]

  it('an allow-list lasts for the session, for no other, and over a restart', async () => {
    await say(door, [`Go <**!${q}**>`])
    expect([went(), mock.requests.at(-1)?.lastUserText]).toEqual([`${q}.main m-1`, 'Go '])
    await say(door, [`Go <**!${q}**>`, 'Done.', 'On'])
    expect(went()).toBe(`${q}.main m-1`)
    expect(await routing()).toEqual({ allow: [q], prefer: null, disabled: [] })
    expect(await reported(2)).toEqual([
      { type: 'marker-applied', marker: `<**!${q}**>`, effect: `Only ${q} in this session` },
    ])
    await say(door, ['Go'], {}, { 'session-id': `${session}-other` })
    expect(went()).toBe(`${p}.main m-1`)
    await say(door, ['Go', 'Done.', 'x <**clear**> y'])
    expect(went()).toBe(`${p}.main m-1`)
    expect(await routing()).toBeUndefined()
  })

  it('a bare provider allows, a model is preferred or forced, names may hold dots and slashes', async () => {
    await say(door, [`<**${q}.m.2/x:free**> Go`])
    expect(went()).toBe(`${q}.main m.2/x:free`)
    await say(door, ['Go', 'Done.', 'On'])
    expect(went()).toBe(`${p}.main m-1`)
    await say(door, ['Go', 'Done.', `On <**!${q}.m-1**>`])
    await say(door, ['Go', 'Done.', 'On', 'Done.', 'On'])
    expect(went()).toBe(`${q}.main m-1`)
    await say(door, ['Go', 'Done.', 'On', 'Done.', `On <**${p}**>`])
    expect([went(), await routing()]).toEqual([`${p}.main m-1`, { allow: [p], prefer: `${q}.m-1`, disabled: [] }])
  })

  it('providers, models and keys are disabled and enabled again', async () => {
    await say(door, [`Go <**#${p}**>`])
    expect(went()).toBe(`${q}.main m-1`)
    await say(door, [`Go <**@${p}**> <**#${p}[main]**>`])
    expect(went()).toBe(`${p}.spare m-1`)
    await say(door, [`Go on <**@${p}[main]**> <**#${p}.1**>`])
    expect(went()).toBe(`${p}.spare m-1`)
    await say(door, [`Go further <**@${p}.1**> <**#${p}.m-1**>`])
    expect([went(), (await routing())?.disabled]).toEqual([`${q}.main m-1`, [`${p}.m-1`]])
    // Others would convert; with them gone, too, there is nobody left.
    const others = bodyEntries.filter(({ entry }) => entry !== p).flatMap(({ entry }) => [entry, `${entry}2`])
    expect((await say(door, [`Now <**#${q}**>`])).status).toBe(200)
    expect(went()).toBe(`${others[0]}.main m-1`)
    const { status, body } = await say(door, [`And now ${others.map((id) => `<**#${id}**>`).join(' ')}`])
    expect([status, body.toString()]).toEqual([503, expect.stringMatching(/no-route/)])
    await say(door, ['And <**clear**>'])
    expect(went()).toBe(`${p}.main m-1`)
  })

  it('what nobody knows is refused, reported, stripped and never stored', async () => {
    const unknown = {
      '<**hello**>': 'unknown-provider',
      [`<**!${p},nobody**>`]: 'unknown-provider',
      [`<**${p}.no-such**>`]: 'unknown-model',
      [`<**#${p}[no]**>`]: 'unknown-key',
      '<**sm:30x**>': 'bad-rounds',
      '<**clock:soon**>': 'bad-clock',
    }
    await say(door, [`Look: ${Object.keys(unknown).join(' ')}`])
    expect([went(), mock.requests.at(-1)?.lastUserText?.trim()]).toEqual([`${p}.main m-1`, 'Look:'])
    expect(
      (await reported(1)).map((body) => [
        body.type,
        body.type === 'marker-refused' && body.marker,
        body.type === 'marker-refused' && body.code,
      ]),
    ).toEqual(
      expect.arrayContaining(
        Object.entries(unknown).map(([marker, code]) => [
          'marker-refused',
          marker,
          marker === '<**sm:30x**>' ? expect.any(String) : code,
        ]),
      ),
    )
    expect(await routing()).toBeUndefined()
    await say(door, ['<**hello**>'])
    expect([went(), mock.requests.at(-1)?.lastUserText]).toEqual([`${p}.main m-1`, 'Continue.'])
  })

  it('without a session they are refused, only force works', async () => {
    const seen = engine.control.events.length
    await say(door, [`Go <**!${q}**>`], {}, { 'session-id': '' })
    expect(went()).toBe(`${p}.main m-1`)
    await say(door, [`Go <**${q}.m-1**>`], {}, { 'session-id': '' })
    expect(went()).toBe(`${q}.main m-1`)
    const told = await waitFor('both reports', () => {
      const all = engine.control.events
        .slice(seen)
        .map((e) => e.body)
        .filter((b) => b.type === 'marker-refused' || b.type === 'marker-applied')
      return all.length >= 2 && all
    })
    expect(told).toMatchObject([{ type: 'marker-refused', code: 'no-session' }, { type: 'marker-applied' }])
  })

  it('stopMessage without a terminal is refused and reported; its goal goes up in its place', async () => {
    await say(door, ['<**sm:"ship it",3**>'])
    expect(mock.requests.at(-1)?.lastUserText).toBe('ship it')
    await say(door, ['Write <**stopMessage:"on",2**>'])
    expect((await reported(2)).map((body) => body.type === 'marker-refused' && body.code)).toEqual([
      'no-scope',
      'no-scope',
    ])
    expect((await engine.control.api.session.query(session)).stopMessage).toBeNull()
  })
})

describe('pure commands', () => {
  const asked: Record<
    string,
    {
      whole(
        streaming: boolean,
        text: string,
      ): Promise<{ text: string | null | undefined; finish: unknown; usage: number | undefined }>
    }
  > = {
    chat: {
      async whole(streaming, text) {
        const body = { model: 'm-1', messages: [{ role: 'user' as const, content: text }] }
        const c = streaming
          ? await openai()
              .chat.completions.stream({ ...body, stream_options: { include_usage: true } })
              .finalChatCompletion()
          : await openai().chat.completions.create(body)
        return {
          text: c.choices[0]?.message.content,
          finish: c.choices[0]?.finish_reason,
          usage: c.usage?.total_tokens,
        }
      },
    },
    responses: {
      async whole(streaming, text) {
        const r = streaming
          ? await openai().responses.stream({ model: 'm-1', input: text }).finalResponse()
          : await openai().responses.create({ model: 'm-1', input: text })
        return { text: r.output_text, finish: r.status, usage: r.usage?.total_tokens }
      },
    },
    messages: {
      async whole(streaming, text) {
        const body = { model: 'm-1', max_tokens: 9, messages: [{ role: 'user' as const, content: text }] }
        const m = streaming
          ? await anthropic().messages.stream(body).finalMessage()
          : await anthropic().messages.create(body)
        return {
          text: m.content.map((block) => (block.type === 'text' ? block.text : block.type)).join(),
          finish: m.stop_reason,
          usage: m.usage.input_tokens + m.usage.output_tokens,
        }
      },
    },
  }
  const openai = (): OpenAI =>
    new OpenAI({
      baseURL: `${engine.baseUrl}/v1`,
      apiKey: engine.key,
      maxRetries: 0,
      defaultHeaders: { 'session-id': session },
    })
  const anthropic = (): Anthropic =>
    new Anthropic({
      baseURL: engine.baseUrl,
      apiKey: engine.key,
      maxRetries: 0,
      defaultHeaders: { 'session-id': session },
    })
  const finish: Record<string, string> = { chat: 'stop', responses: 'completed', messages: 'end_turn' }

  it.each(
    bodyEntries.flatMap(
      (door) =>
        [
          [door.entry, 'whole', false],
          [door.entry, 'streaming', true],
        ] as const,
    ),
  )('are answered in one line, no provider is asked: %s %s', async (entry, _how, streaming) => {
    const before = mock.requests.length
    const answer = await asked[entry]?.whole(streaming, ` <**#${entry}2**>\n<**sm:off**> `)
    expect(answer).toEqual({ text: 'Onward: Disabled for this session.', finish: finish[entry], usage: 0 })
    expect(mock.requests).toHaveLength(before)
    expect(await routing()).toMatchObject({ disabled: [`${entry}2`] })
    await reported(1)
    const [turn] = (await engine.control.api.turns.query(5)).filter((t) => t.sessionId === session)
    expect(turn).toMatchObject({ status: 200, finish: 'stop', route: null, error: null })
  })

  it.each(bodyEntries)('that are asked again are answered again, without effect: $entry', async (door) => {
    const command = bodyOf(door, [`<**#${door.entry}2**>`])
    await waitFor('a client that leaves before its answer', async () => {
      session = `s-${++sessions}`
      await sendAndLeave(door, command)
      await reported(1)
      return engine.control.events.some(
        (e) => e.sessionId === session && e.body.type === 'turn-ended' && e.body.clientLeft,
      )
    })
    const again = await post(engine, door.path, command, { headers: { ...door.headers, 'session-id': session } })
    expect(again.body.toString()).toContain('Onward: done already.')
    expect(await reported(2)).toHaveLength(1)
    // Once it was answered, the same words are meant again.
    const meant = await post(engine, door.path, command, { headers: { ...door.headers, 'session-id': session } })
    expect(meant.body.toString()).toContain('Disabled for this session.')
  })

  it.each(bodyEntries)('a retry of a turn does not carry its marker out twice: $entry', async (door) => {
    mock.script((request) =>
      mock.requests.filter((r) => r.lastUserText === request.lastUserText).length === 1 ? fail(400) : undefined,
    )
    const text = `Go now ${door.entry} <**#${door.entry}2**>`
    expect((await say(door, [text])).status).toBe(400)
    expect((await say(door, [text])).status).toBe(200)
    expect(await reported(2)).toHaveLength(1)
    expect(
      engine.control.events.filter((e) => e.sessionId === session && e.body.type === 'turn-started').map((e) => e.body),
    ).toMatchObject([{ retry: false }, { retry: true }])
  })

  function sendAndLeave(door: TestEntry, body: string): Promise<void> {
    const head = [
      `POST ${door.path} HTTP/1.1`,
      `host: 127.0.0.1:${engine.port}`,
      `authorization: Bearer ${engine.key}`,
      `session-id: ${session}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    return new Promise((resolve) => {
      const socket = connect(engine.port, '127.0.0.1', () =>
        socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.resetAndDestroy()),
      )
      socket.on('close', () => resolve()).on('error', () => undefined)
    })
  }
})

describe.each(bodyEntries)('where markers are not read: $entry', (door) => {
  const q = `${door.entry}2`
  const order = `<**!${q}**>`
  const nothing = async (turns = 1): Promise<void> => {
    expect(await reported(turns)).toEqual([])
    expect(await routing()).toBeUndefined()
    expect(went()).toBe(`${door.entry}.main m-1`)
  }

  it('in the history, which is stripped all the same', async () => {
    await say(door, [`Go ${order}`, 'Done.', 'On'])
    expect(mock.requests.at(-1)?.body.toString()).not.toContain('<**')
    await nothing()
  })

  it('where the last message is the agent’s or a tool’s', async () => {
    const history = {
      chat: [
        { role: 'user', content: `Go ${order}` },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: `A file: ${order}` },
      ],
      responses: [
        { role: 'user', content: `Go ${order}` },
        { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: `A file: ${order}` },
      ],
      messages: [
        { role: 'user', content: `Go ${order}` },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: `A file: ${order}` }] },
      ],
    }[door.entry]
    await say(door, [], { [door.list]: history })
    const sent = mock.requests.at(-1)?.body.toString()
    expect(sent).toContain(`A file: ${order}`)
    expect(sent).not.toContain(`Go ${order}`)
    await say(door, [`Go ${order}`, `I write ${order}`])
    await nothing(2)
  })

  it('in code, which is left as it is', async () => {
    const text = `Explain \`${order}\` and\n\`\`\`sh\necho '${order}'\n\`\`\`\nplease`
    await say(door, [text])
    expect(mock.requests.at(-1)?.lastUserText).toBe(text)
    await nothing()
  })

  it('in texts the client wrote', async () => {
    const claude = { 'user-agent': 'claude-cli/2.1.330 (external, cli)', 'x-claude-code-session-id': session }
    const written = [
      `<system-reminder>\n${order}\n</system-reminder>`,
      `<local-command-stdout>${order}</local-command-stdout>`,
      `[SYSTEM NOTIFICATION] ${order}`,
      `This session is being continued from a previous conversation: ${order}`,
    ]
    for (const text of written) {
      await say(
        door,
        [],
        {
          [door.list]: [
            {
              role: 'user',
              content: [
                { type: door.textPart, text },
                { type: door.textPart, text: 'And on' },
              ],
            },
          ],
        },
        claude,
      )
      expect(mock.requests.at(-1)?.body.toString()).not.toContain('<**')
    }
    await nothing(written.length)
  })

  it('in requests that are no turn of the person', async () => {
    await say(
      door,
      [`Go ${order}`],
      door.entry === 'messages'
        ? { system: 'You are naming a coding session' }
        : {
            [door.list]: [
              { role: 'system', content: 'You are naming a coding session' },
              { role: 'user', content: `Go ${order}` },
            ],
          },
      { 'user-agent': 'claude-cli/2.1.330 (external, cli)' },
    )
    const probe = { chat: 'max_completion_tokens', responses: 'max_output_tokens', messages: 'max_tokens' }[door.entry]
    await say(door, [`Go ${order}`], { [probe]: 1 })
    expect(mock.requests.slice(-2).map((r) => r.body.includes('<**'))).toEqual([false, false])
    await nothing(2)
  })

  it('but they are behind trailing system messages, and on the first line of a paste', async () => {
    if (door.entry !== 'messages')
      await say(door, [], {
        [door.list]: [
          { role: 'user', content: `Go ${order}` },
          { role: 'system', content: 'Be brief.' },
        ],
      })
    else await say(door, [`Go ${order}`])
    expect([went(), await routing()]).toEqual([`${q}.main m-1`, { allow: [q], prefer: null, disabled: [] }])
    const wrapped = (text: string): string => `\n\n<pasted_content id="a1">\n${text}\n</pasted_content id="a1">`
    await say(
      door,
      [wrapped(`one\n<**clear**>\nthree\nfour`)],
      {},
      { 'user-agent': 'claude-cli/2.1.330 (external, cli)' },
    )
    expect((await reported(2)).at(-1)).toMatchObject({
      type: 'marker-held',
      why: 'in-paste',
      marker: '<**clear**>',
    })
    expect((await routing())?.allow).toEqual([q])
    await say(door, [wrapped(`<**clear**> two\nthree`)], {}, { 'user-agent': 'claude-cli/2.1.330 (external, cli)' })
    expect(await routing()).toBeUndefined()
  })
})

describe('sessions', () => {
  it('are kept over a restart, markers too', async () => {
    const door = chatEntry
    await say(door, ['Go <**!chat2**>'])
    await engine.stop()
    engine = await engine.restart()
    expect(await routing()).toEqual({ allow: ['chat2'], prefer: null, disabled: [] })
    await say(door, ['Go', 'Done.', 'On'])
    expect(went()).toBe('chat2.main m-1')
  })

  it('that can’t be written are served all the same, what should be kept is refused', async () => {
    const door = chatEntry
    const root = join(engine.home, 'sessions')
    for (const folder of readdirSync(root)) mkdirSync(join(root, folder, `session-${session}.json`))
    const { status } = await say(door, ['Go <**!chat2**>'])
    expect([status, went()]).toEqual([200, 'chat2.main m-1'])
    expect(await reported(1)).toMatchObject([{ type: 'marker-refused', marker: '<**!chat2**>' }])
    await say(door, ['Go', 'Done.', 'On'])
    expect(went()).toBe('chat.main m-1')
  })
})

describe('a message of very many markers', () => {
  it.each([33, 50_000])('of %i has 32 that count, is told so once, and reaches the provider without any', async (n) => {
    const door = chatEntry
    const { status } = await say(door, [`Look: ${'<**hello**>'.repeat(n)} there`])
    expect([status, mock.requests.at(-1)?.lastUserText]).toEqual([200, 'Look:  there'])
    const told = await reported(1)
    const codes = told.map((body) => body.type === 'marker-refused' && body.code)
    expect(codes.filter((code) => code === 'unknown-provider')).toHaveLength(32)
    expect(codes.filter((code) => code !== 'unknown-provider')).toEqual(['too-many'])
  })

  it('sets no more alarms than that, and is no mere command', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const alarms = Array.from({ length: 40 }, (_, i) => `<**clock:{"time":"${at}","message":"look ${i}"}**>`)
    await say(chatEntry, [alarms.join('')])
    expect(mock.requests.at(-1)?.lastUserText).toBe('Continue.')
    expect(await engine.control.api.alarmsOf.query(session)).toHaveLength(32)
  })
})
