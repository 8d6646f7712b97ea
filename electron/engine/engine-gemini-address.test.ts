import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { asObject } from './protocol/values.ts'
import { tempFolders } from './store/testing/temp-folder.ts'
import { engineInProcess, listenOnLoopback } from '../testing/engine-in-process.ts'

const temp = tempFolders()
const over: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

const answer = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'glm-5',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Here.' }, finish_reason: 'stop' }],
}

it('a provider and model named in a Gemini path are found, however they are written', async () => {
  const asked: unknown[] = []
  const vendor = createServer((request, response) => {
    void json(request).then((body) => {
      asked.push(asObject(body)?.['model'])
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  const { url, end } = await listenOnLoopback(vendor)
  over.push(end)
  const home = temp()
  await writeFile(
    join(home, 'config.json'),
    JSON.stringify({
      server: { port: 0 },
      providers: {
        other: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', auth: 'none', models: { nothing: {} } },
        glm: { type: 'openai-chat', baseUrl: `${url}/v1`, auth: 'none', models: { 'glm-5': {} } },
      },
      routes: { default: ['other.nothing'] },
      clock: { enabled: false },
      servertools: { enabled: false },
    }),
  )
  const engine = await engineInProcess({ home, env: {}, port: null })
  over.push(() => engine.dispose())
  const { port } = engine.address
  const paths = ['models/glm/glm-5', 'models/glm%2Fglm-5', 'glm/glm-5', 'models/glm,glm-5']
  for (const path of paths) {
    const answered = await fetch(`http://127.0.0.1:${port}/v1beta/${path}:generateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Where?' }] }] }),
    })
    expect([path, answered.status, await answered.text()]).toEqual([path, 200, expect.stringContaining('Here.')])
  }
  expect(asked).toEqual(paths.map(() => 'glm-5'))
})
