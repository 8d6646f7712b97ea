import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from '../../shared/testing/wait-for.ts'
import type { Log } from './base/log.ts'
import type { Engine } from './engine.ts'
import { engineInProcess, listenOnLoopback } from '../testing/engine-in-process.ts'
import { tempFolders } from './store/testing/temp-folder.ts'

const temp = tempFolders()
const over: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

const secret = 'sk-live-4711-abcdefghijkl'
interface Answer {
  status: number
  type: string
  body: string
  headers?: Record<string, string>
}

async function upstream(answer: () => Answer): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { status, type, body, headers } = answer()
      response.writeHead(status, { 'content-type': type, ...headers }).end(body)
    })
  })
  const { url, end } = await listenOnLoopback(server)
  over.push(end)
  return url
}

async function start(home: string, lines: string[]): Promise<Engine> {
  const write = (fields: Record<string, unknown>, message: string) => {
    const error = fields['err']
    lines.push(`${JSON.stringify(fields)} ${message} ${error instanceof Error ? error.stack : ''}`)
  }
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log }
  const engine = await engineInProcess({ home, log })
  over.push(() => engine.dispose())
  return engine
}

const saying = `Incorrect API key provided: ${secret}. You sent Bearer ${secret}.`
const json = (status: number): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify({ error: { message: saying, type: 'invalid_request_error', code: 'invalid_api_key' } }),
  headers: { 'www-authenticate': `Bearer realm="${secret}"`, 'x-echo': secret, 'set-cookie': 'a=1', link: '<x>' },
})
const stream = (events: readonly unknown[]): Answer => ({
  status: 200,
  type: 'text/event-stream',
  body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
})
const begun = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hello' } }] }
const failing = { error: { message: saying, code: 'x' } }

describe('a key that a provider repeats in an error', () => {
  let answer: Answer
  let engine: Engine
  let home: string
  let lines: string[]
  beforeEach(async () => {
    home = temp()
    lines = []
    const url = await upstream(() => answer)
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({
        providers: {
          p: {
            type: 'openai-chat',
            baseUrl: url,
            keys: [{ alias: 'main', value: secret }],
            models: { 'm-1': {} },
          },
        },
      }),
    )
    engine = await start(home, lines)
  })

  const asks = {
    chat: ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] }],
    messages: ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }],
    responses: ['/v1/responses', { input: 'hi' }],
  } as const

  /** every file of the home, but those that hold keys by right */
  const written = () =>
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('config') && statSync(join(home, name)).isFile())
      .map((name) => readFileSync(join(home, name), 'utf8'))
      .join('\n')

  it.each(
    (Object.keys(asks) as (keyof typeof asks)[]).flatMap((entry) =>
      (
        [
          ['refused with 401', json(401), false],
          ['refused with 400', json(400), true],
          ['failed with 500', json(500), true],
          ['an error behind a status of 200', { ...json(400), status: 200, headers: {} }, false],
          ['a stream that begins with an error', stream([failing]), true],
          ['a stream with an error in its middle', stream([begun, failing]), true],
        ] as const
      ).map(([what, told, streaming]) => ({ entry, what, told, streaming })),
    ),
  )('$entry: $what', async ({ entry, told, streaming }) => {
    answer = told
    const [path, body] = asks[entry]
    const response = await fetch(`http://127.0.0.1:${engine.address.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'p/m-1', stream: streaming, ...body }),
    })
    const said = await response.text()
    expect(said).not.toContain(secret)
    expect(said).toContain('Incorrect API key provided: [hidden]')
    expect(JSON.stringify([...response.headers])).not.toContain(secret)
    for (const name of ['www-authenticate', 'set-cookie', 'link']) expect(response.headers.get(name)).toBeNull()
    await waitFor('the record', async () => (await engine.api.turns(5)).length > 0)
    const shown = JSON.stringify([
      await engine.api.turns(5),
      await engine.api.timeline({ session: null, limit: 100 }),
      await engine.api.providers(),
      await engine.api.status(),
    ])
    expect(shown).not.toContain(secret)
    expect(shown).toContain('[hidden]')
    expect(lines.join('\n')).not.toContain(secret)
    await engine.dispose()
    over.pop()
    expect(written()).not.toContain(secret)
  })

  it('stays in an answer: that is the model’s word, byte for byte', async () => {
    const body = JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: `the "error" ${secret}` }, finish_reason: 'stop' }],
    })
    answer = { status: 200, type: 'application/json', body }
    const response = await fetch(`http://127.0.0.1:${engine.address.port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'p/m-1', ...asks.chat[1] }),
    })
    expect(await response.text()).toBe(body)
  })
})
