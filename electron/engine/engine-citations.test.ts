import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { asList, asObject, type JsonObject } from './protocol/values.ts'
import { tempFolders } from './store/testing/temp-folder.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { engineInProcess, listenOnLoopback } from '../testing/engine-in-process.ts'

const temp = tempFolders()
const over: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

const answers: Record<string, JsonObject> = {
  '/v1/chat/completions': {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'sonar',
    citations: ['https://a.example/rain'],
    search_results: [{ title: 'Rain', url: 'https://a.example/rain' }],
    choices: [{ index: 0, message: { role: 'assistant', content: 'It rains [1].' }, finish_reason: 'stop' }],
  },
  '/v1/messages': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [{ type: 'text', text: 'Indeed.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
}

async function vendor() {
  const asked: { path: string; body: JsonObject }[] = []
  const server: Server = createServer((request, response) => {
    void json(request).then((body) => {
      const path = request.url ?? ''
      asked.push({ path, body: asObject(body) ?? {} })
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[path]))
    })
  })
  const { url, end } = await listenOnLoopback(server)
  over.push(end)
  return { url, asked }
}

it('sources of another vendor reach a client of Messages, go no further, and are text where set so', async () => {
  const { url, asked } = await vendor()
  const home = temp()
  const config = (citations: string) =>
    JSON.stringify({
      server: { port: 0 },
      providers: {
        pplx: { type: 'openai-chat', baseUrl: `${url}/v1`, auth: 'none', models: { sonar: {} } },
        anth: { type: 'anthropic', baseUrl: url, auth: 'none', models: { 'claude-x': {} } },
      },
      conversion: { citations },
      clock: { enabled: false },
      servertools: { enabled: false },
    })
  await writeFile(join(home, 'config.json'), config('convert'))
  const engine = await engineInProcess({ home, env: {}, port: null })
  over.push(() => engine.dispose())

  const ask = async (model: string, messages: readonly JsonObject[]): Promise<readonly unknown[]> => {
    const answer = await fetch(`http://127.0.0.1:${engine.address.port}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model, max_tokens: 100, messages }),
    })
    const body: unknown = await answer.json()
    return asList(asObject(body)?.['content'])
  }
  const user = { role: 'user', content: 'Does it rain?' }

  const content = await ask('pplx/sonar', [user])
  expect(content).toEqual([
    {
      type: 'text',
      text: 'It rains [1].',
      citations: [expect.objectContaining({ url: 'https://a.example/rain', title: 'Rain' })],
    },
  ])

  await ask('anth/claude-x', [user, { role: 'assistant', content }, user])
  expect(asked.at(-1)?.path).toBe('/v1/messages')
  expect(asList(asked.at(-1)?.body['messages'])[1]).toEqual({
    role: 'assistant',
    content: [{ type: 'text', text: 'It rains [1].' }],
  })

  await writeFile(join(home, 'config.json'), config('append'))
  const texts = await waitFor('the changed config', async () => {
    const said = (await ask('pplx/sonar', [user])).map((block) => asObject(block)?.['text'])
    return said.length > 1 && said
  })
  expect(texts).toEqual(['It rains [1].', '\n\nSources:\n1. Rain — https://a.example/rain'])
})
