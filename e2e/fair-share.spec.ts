/** Whatever a provider sends, nobody else waits for Onward to be done with it. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenOnLoopback } from '../electron/testing/engine-in-process.ts'
import { notOnLinux, unless } from '../shared/testing/unless.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { removeHomes } from './support/engine-process.ts'
import { post } from './support/post.ts'

type Protocol = 'chat' | 'messages' | 'responses' | 'gemini'
const protocols: readonly Protocol[] = ['chat', 'messages', 'responses', 'gemini']
/** ms of the loop for one piece of work */
const most = 50

const folder = mkdtempSync(join(tmpdir(), 'onward-watchdog-'))
const file = join(folder, 'kept.txt')
let upstream: Server
let end: () => Promise<void>
let engine: EngineForTest
let stream = Buffer.alloc(0)
beforeAll(async () => {
  upstream = createServer((request, response) => void request.resume().on('end', () => send(response)))
  const listening = await listenOnLoopback(upstream)
  end = listening.end
  const { url } = listening
  const open = { auth: 'none' as const, models: { m: {} } }
  engine = await startEngineForTest(
    {
      providers: {
        chat: { ...open, type: 'openai-chat', baseUrl: `${url}/v1` },
        messages: { ...open, type: 'anthropic', baseUrl: url },
        responses: { ...open, type: 'openai-responses', baseUrl: `${url}/v1` },
        gemini: { ...open, type: 'gemini', baseUrl: url },
      },
    },
    {
      env: {
        TEST_WATCHDOG: file,
        NODE_OPTIONS: `--import=${pathToFileURL(resolve(import.meta.dirname, 'support/watchdog.mjs')).href}`,
      },
    },
  )
  // What a request runs is compiled by then.
  for (const client of protocols) for (const provider of protocols) await ask(client, provider, tokens[provider](2_000))
})
afterAll(async () => {
  await engine?.dispose()
  await end?.()
  rmSync(folder, { recursive: true, force: true })
  removeHomes()
})

function send(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream)
}

const asked: Record<Protocol, { path(model: string): string; body: object }> = {
  chat: { path: () => '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'Hi' }] } },
  messages: { path: () => '/v1/messages', body: { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] } },
  responses: { path: () => '/v1/responses', body: { input: 'Hi' } },
  gemini: {
    path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  },
}

async function ask(client: Protocol, provider: Protocol, events: readonly object[]): Promise<string> {
  stream = Buffer.concat(events.map((event) => Buffer.from(eventOf(event))))
  const { path, body } = asked[client]
  const model = `${provider}.m`
  const answer = await post(
    engine,
    path(model),
    JSON.stringify(client === 'gemini' ? body : { ...body, model, stream: true }),
    { headers: { 'x-goog-api-key': engine.key } },
  )
  expect(answer.status).toBe(200)
  return answer.body.toString()
}
const eventOf = (event: object): string =>
  `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`

/** How long the loop was kept since the last look, where that is worth a line. */
function kept(): number[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'latin1').trim().split('\n').map(Number)
  rmSync(file)
  return lines
}

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const usage = { input_tokens: 1, output_tokens: 1 }
const begin = {
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage },
}
const over = (reason: string) => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]
const response = (output: object[], status: string) => ({ id: 'r', object: 'response', status, model: 'm', output })
const part = (content: object, isLast: boolean) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [content] }, ...(isLast ? { finishReason: 'STOP' } : {}) }],
})

/** as many words, each an event of its own */
const tokens: Record<Protocol, (count: number) => object[]> = {
  chat: (count) => [...many(count, () => chunk({ content: 'a' })), chunk({}, 'stop')],
  messages: (count) => [
    begin,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...many(count, () => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } })),
    { type: 'content_block_stop', index: 0 },
    ...over('end_turn'),
  ],
  responses: (count) => [
    { type: 'response.created', response: response([], 'in_progress') },
    ...many(count, () => ({
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: 0,
      item_id: 'x',
      delta: 'a',
    })),
    {
      type: 'response.completed',
      response: response(
        [
          {
            type: 'message',
            id: 'x',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'a', annotations: [] }],
          },
        ],
        'completed',
      ),
    },
  ],
  gemini: (count) => many(count, (i) => part({ text: 'a' }, i === count - 1)),
}

/** as many calls of the client's own */
const calls: Record<Protocol, (count: number) => object[]> = {
  chat: (count) => [
    ...many(count, (i) => [
      chunk({ tool_calls: [{ index: i, id: `c${i}`, type: 'function', function: { name: 'look', arguments: '{' } }] }),
      chunk({ tool_calls: [{ index: i, function: { arguments: '}' } }] }),
    ]).flat(),
    chunk({}, 'tool_calls'),
  ],
  messages: (count) => [
    begin,
    ...many(count, (index) => [
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: `c${index}`, name: 'look', input: {} },
      },
      { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: '{}' } },
      { type: 'content_block_stop', index },
    ]).flat(),
    ...over('tool_use'),
  ],
  responses: (count) => {
    const items = many(count, (i) => ({
      type: 'function_call',
      id: `f${i}`,
      call_id: `c${i}`,
      name: 'look',
      arguments: '{}',
      status: 'completed',
    }))
    return [
      { type: 'response.created', response: response([], 'in_progress') },
      ...items.flatMap((item, i) => [
        { type: 'response.output_item.added', output_index: i, item: { ...item, arguments: '' } },
        { type: 'response.function_call_arguments.delta', output_index: i, item_id: item.id, delta: '{}' },
        { type: 'response.function_call_arguments.done', output_index: i, item_id: item.id, arguments: '{}' },
        { type: 'response.output_item.done', output_index: i, item },
      ]),
      { type: 'response.completed', response: response(items, 'completed') },
    ]
  },
  gemini: (count) => many(count, (i) => part({ functionCall: { name: 'look', args: {} } }, i === count - 1)),
}

const pairs = protocols.flatMap((client) => protocols.map((provider) => ({ client, provider })))

describe('the event loop is kept by no', () => {
  it.each(pairs)('stream of fifty thousand words from $provider to $client', unless(notOnLinux), async (pair) => {
    kept()
    await ask(pair.client, pair.provider, tokens[pair.provider](50_000))
    expect(kept().filter((ms) => ms > most)).toEqual([])
  })

  it.each(pairs)('stream of thousands of calls from $provider to $client', unless(notOnLinux), async (pair) => {
    const { client, provider } = pair
    // The last event of Responses repeats all of them, in one piece.
    const count = client === 'responses' || provider === 'responses' ? 1_500 : 5_000
    kept()
    expect(await ask(client, provider, calls[provider](count))).toContain('look')
    expect(kept().filter((ms) => ms > most)).toEqual([])
  })
})
