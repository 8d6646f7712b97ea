import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { engineInProcess, listenOnLoopback } from '../testing/engine-in-process.ts'
import { tempFolders } from './store/testing/temp-folder.ts'

const temp = tempFolders()
const over: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

it('a cold cache stands in the turn’s record, with its session and in what was spent', async () => {
  const counts = [
    { input_tokens: 10, cache_creation_input_tokens: 20_000, cache_read_input_tokens: 0, output_tokens: 1 },
    { input_tokens: 10, cache_creation_input_tokens: 20_050, cache_read_input_tokens: 0, output_tokens: 1 },
  ]
  const server = createServer((request, response) => {
    const usage = counts.shift()
    request.resume().on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          id: 'msg',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [{ type: 'text', text: 'Done.' }],
          stop_reason: 'end_turn',
          usage,
        }),
      ),
    )
  })
  const { url, end } = await listenOnLoopback(server)
  over.push(end)
  const home = temp()
  const price = { input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5 }
  const p = { type: 'anthropic', baseUrl: url, auth: 'none', models: { m: { price } } }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ providers: { p } }))
  const engine = await engineInProcess({ home })
  over.push(() => engine.dispose())
  const ask = async (system: string) => {
    const answer = await fetch(`http://127.0.0.1:${engine.address.port}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': 'cold' },
      body: JSON.stringify({ model: 'p.m', max_tokens: 9, system, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(answer.status).toBe(200)
    await answer.text()
  }
  await ask('Be brief.')
  await ask('Be thorough.')

  const cold = { why: 'system-changed', tokens: 20_000, costUsd: expect.closeTo(0.023, 9) }
  const [second, first] = await engine.api.turns(2)
  expect(first).not.toHaveProperty('cold')
  expect(second).toMatchObject({ cold })
  const sums = { requests: 1, tokens: 20_000, why: { 'system-changed': 1 }, costUsd: cold.costUsd }
  expect((await engine.api.sessions()).map((session) => session.cold)).toEqual([sums])
  expect((await engine.api.costs(1)).cells.map((cell) => cell.cold)).toEqual([sums])
})
