import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { engineInProcess } from '../testing/engine-in-process.ts'
import type { Transport } from './providers/types.ts'
import { tempFolders } from './store/testing/temp-folder.ts'

const temp = tempFolders()
const over: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

const usage = { input_tokens: 10, cache_creation_input_tokens: 20_000, cache_read_input_tokens: 0, output_tokens: 1 }
const said = { id: 'msg', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', usage }

/** Anthropic's own API, as far as a price is known of it. */
const vendor: Transport = {
  send(_request, handler) {
    queueMicrotask(() => {
      handler.onHead(200, { 'content-type': 'application/json' })
      handler.onData(Buffer.from(JSON.stringify({ ...said, content: [{ type: 'text', text: 'Done.' }] })))
      handler.onEnd()
    })
    return { abort: () => undefined, dump: () => undefined, resume: () => undefined }
  },
  dispose: async () => undefined,
}

const marked = { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }

it.each([
  [['anthropic'], { kind: 'none', why: 'rests' }],
  [[], undefined],
])('a session with an alarm says why its cache is not kept, with %j switched on', async (providers, keepWarm) => {
  const home = temp()
  const anthropic = { type: 'anthropic', keys: [{ alias: 'main', value: 'sk-main' }], models: { 'claude-opus-5': {} } }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ providers: { anthropic }, keepWarm: { providers } }))
  const engine = await engineInProcess({ home, transport: vendor })
  over.push(() => engine.dispose())
  const answer = await fetch(`http://127.0.0.1:${engine.address.port}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': 's' },
    body: JSON.stringify({
      model: 'anthropic.claude-opus-5',
      max_tokens: 9,
      messages: [{ role: 'user', content: [marked] }],
    }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
  const [session] = await engine.api.sessions()
  await engine.api.addAlarm({ session: session?.id ?? '', dueAt: Date.now() + 600_000, task: 'Look.' })
  // It has no terminal: nothing would type the alarm.
  const [view] = await engine.api.sessions()
  expect(view?.cacheUntil).toBeGreaterThan(Date.now())
  expect(view?.keepWarm).toEqual(keepWarm)
})
