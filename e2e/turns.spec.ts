/** What is recorded of turns, as a client, a person at the command line and the dashboard get to see it. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, messagesEntry, providersFor } from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { post } from './support/post.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

const conversation = '0a1b2c3d-1111-4222-8333-944455556666'
let mock: MockUpstream
let engine: EngineForTest
beforeAll(async () => {
  mock = await startMockUpstream()
  mock.otherwise = say('All is well.')
  engine = await startEngineForTest({
    ...providersFor(mock, 'sk-upstream', [messagesEntry]),
    aliases: { sonnet: 'messages.m-1' },
  })
})
afterAll(async () => {
  await engine?.dispose()
  await mock?.dispose()
  removeHomes()
})

async function turn(text: string): Promise<string> {
  const body = bodyOf(messagesEntry, [text], {
    model: 'sonnet',
    stream: true,
    metadata: { user_id: `user_a_account_b_session_${conversation}` },
  })
  const answer = await post(engine, messagesEntry.path, body, {
    headers: { 'user-agent': 'claude-cli/2.1.0 (external, cli)', 'x-claude-code-session-id': conversation },
  })
  expect(answer.status).toBe(200)
  const id = answer.headers['x-onward-request-id'] ?? answer.headers['x-request-id']
  return String(id)
}
const ask = (path: string, key = engine.key) => fetch(engine.baseUrl + path, { headers: { 'x-api-key': key } })

describe('a turn', () => {
  it('is told to its client with the reasons of its route, by the id that came with the answer', async () => {
    const id = await turn('hello')
    const answer = await waitFor('the record', async () => {
      const got = await ask(`/onward/turns/${id}`)
      return got.status === 200 ? got : undefined
    })
    const report = (await answer.json()) as { why: string[] }
    expect(report).toMatchObject({
      requestId: id,
      sessionId: conversation,
      status: 200,
      finish: 'stop',
      by: 'person',
      turn: 1,
      route: { provider: 'messages', model: 'm-1' },
    })
    expect(report.why).toContain('sonnet is an alias of messages.m-1')
    expect((await ask(`/onward/turns/${id}`, 'wrong')).status).toBe(401)
    expect(await (await ask('/onward/turns/req_none')).json()).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error', code: 'turn-unknown' },
    })
    expect(await engine.control.api.turn.query(id)).not.toHaveProperty('captured')
  })

  it('counts in the activity of its hour, also after the engine was started again', async () => {
    await turn('again')
    const before = await waitFor('two turns', async () => {
      const view = await engine.control.api.activity.query(24)
      return view.total.byPerson >= 2 ? view : undefined
    })
    expect(before.buckets).toHaveLength(24)
    expect(before.total.ttfb?.median).toBeGreaterThanOrEqual(0)
    await engine.stop()
    engine = await engine.restart()
    const after = await engine.control.api.activity.query(24)
    expect(after.total).toMatchObject({
      byPerson: before.total.byPerson,
      input: before.total.input,
      output: before.total.output,
    })
  })

  it('leaves its bodies on the disk only where its session is captured', async () => {
    await turn('not kept')
    await engine.control.api.setCapture.mutate({ session: conversation, on: true })
    const id = await turn('kept')
    await engine.control.api.setCapture.mutate({ session: conversation, on: false })
    await turn('not kept either')
    const record = await waitFor('the record', () => engine.control.api.turn.query(id).catch(() => undefined))
    expect(record.captured).toBe(true)
    const folder = record.capturedIn ?? ''
    await waitFor('the end of the files', () =>
      readFileSync(join(folder, 'meta.json'), 'utf8').includes('endedAt') ? true : undefined,
    )
    const files = Object.fromEntries(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    )
    expect(Object.keys(files).sort()).toEqual(['meta.json', 'request.json', 'response.txt', 'upstream.json'])
    expect(files['request.json']).toContain('"model":"sonnet"')
    expect(files['upstream.json']).toContain('"model":"m-1"')
    expect(files['response.txt']).toContain('event: message_stop')
    for (const secret of ['sk-upstream', engine.key]) expect(JSON.stringify(files)).not.toContain(secret)
    expect(readdirSync(join(folder, '..'))).toEqual([id])
    if (process.platform !== 'win32') expect(statSync(join(folder, 'request.json')).mode & 0o777).toBe(0o600)
  })
})
