import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { say, startMockUpstream, fail, type MockUpstream } from '../../e2e/support/mock-upstream/index.ts'
import type { ConfigInput } from '../../shared/config/schema.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { engineInProcess } from '../testing/engine-in-process.ts'
import type { Log } from './base/log.ts'
import type { Engine } from './engine.ts'
import { tempFolders } from './store/testing/temp-folder.ts'
import { metricFaults, spanFaults } from './telemetry/testing/conventions.ts'
import { otlpReceiver, type OtlpReceiver } from './telemetry/testing/otlp-receiver.ts'

const temp = tempFolders()
const over: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

const headerSecret = 'header-secret-4711-abcdef'
const question = 'Please mend the private thing.'

interface World {
  engine: Engine
  mock: MockUpstream
  receiver: OtlpReceiver
  home: string
  lines: string[]
  configure(telemetry: ConfigInput['telemetry']): Promise<void>
  get(path: string, key?: string): Promise<{ status: number; text: string }>
  turn(over?: object): Promise<Response>
}

async function world(telemetry: (at: OtlpReceiver) => ConfigInput['telemetry']): Promise<World> {
  const mock = await startMockUpstream()
  const receiver = await otlpReceiver()
  over.push(mock.dispose, receiver.end)
  const home = temp()
  const configOf = (given: ConfigInput['telemetry']): string =>
    JSON.stringify({
      providers: {
        plan: {
          type: 'openai-chat',
          baseUrl: `${mock.baseUrl}/v1`,
          keys: [{ alias: 'main', value: 'mock-key' }],
          models: { 'mock-model': { price: { input: 100, output: 100 } } },
        },
      },
      routes: { default: ['plan.mock-model'] },
      telemetry: given,
    } satisfies ConfigInput)
  const path = join(home, 'config.json')
  await writeFile(join(home, 'secrets.json'), JSON.stringify({ mine: `Bearer ${headerSecret}` }), { mode: 0o600 })
  await writeFile(path, configOf(telemetry(receiver)))
  const lines: string[] = []
  const write = (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`)
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log }
  const engine = await engineInProcess({ home, log, env: { ONWARD_KEYCHAIN: '0' } })
  over.push(() => engine.dispose())
  const base = `http://127.0.0.1:${engine.address.port}`
  return {
    engine,
    mock,
    receiver,
    home,
    lines,
    configure: (given) => writeFile(path, configOf(given)),
    async get(at, key) {
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const answer = await fetch(base + at, { headers })
      return { status: answer.status, text: await answer.text() }
    },
    turn: (more = {}) =>
      fetch(`${base}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'mock-model', messages: [{ role: 'user', content: question }], ...more }),
      }),
  }
}

describe('telemetry of a whole engine', () => {
  it('sends each turn as a span, without its words and the collector’s key', async () => {
    const w = await world(({ url }) => ({ collector: url, headers: { authorization: { secretRef: 'mine' } } }))
    w.mock.otherwise = say('The private thing is mended.')
    await (await w.turn()).text()
    await (await w.turn({ stream: true, stream_options: { include_usage: true } })).text()
    w.mock.script(() => fail(400))
    expect((await w.turn()).status).toBe(400)
    await w.engine.dispose()
    over.pop()
    const { spans, events, metrics, reports } = w.receiver
    expect(spans.flatMap(spanFaults)).toEqual([])
    expect(metrics.flatMap(metricFaults)).toEqual([])
    expect(spans).toMatchObject([
      {
        name: 'chat mock-model',
        attributes: {
          'gen_ai.provider.name': 'openai',
          'gen_ai.response.finish_reasons': ['stop'],
          'server.address': '127.0.0.1',
          'onward.provider': 'plan',
          'onward.entry': 'chat',
        },
      },
      { attributes: { 'gen_ai.request.stream': true } },
      { status: { code: 2 }, attributes: { 'http.response.status_code': 400 } },
    ])
    for (const { attributes } of spans.slice(0, 2)) {
      expect(attributes['gen_ai.usage.input_tokens']).toBeGreaterThan(0)
      expect(attributes['onward.cost.usd']).toBeGreaterThan(0)
      expect(attributes['gen_ai.response.id']).toBeTypeOf('string')
    }
    expect(events.map(({ name }) => name)).toContain('onward.engine')
    expect(reports.map(({ headers }) => headers.authorization)).toContain(`Bearer ${headerSecret}`)
    const sent = JSON.stringify([spans, events, metrics])
    expect(sent).not.toMatch(/private|mock-key|header-secret/)
  })

  it('opens /metrics with its own key, as soon as the config has one', async () => {
    const w = await world(() => undefined)
    expect(await w.get('/metrics', 'metrics-key-1')).toMatchObject({ status: 404 })
    await w.configure({ metricsKeys: ['metrics-key-1'] })
    const page = await waitFor('/metrics', async () => {
      const answer = await w.get('/metrics', 'metrics-key-1')
      return answer.status === 200 && answer
    })
    expect(page.text).toContain('onward_provider_up{onward_provider="plan"} 1')
    await (await w.turn()).text()
    const { text } = await w.get('/metrics', 'metrics-key-1')
    expect(text).toMatch(/^gen_ai_client_operation_duration_count\{.*gen_ai_request_model="mock-model"\} 1$/m)
    expect(text).not.toMatch(/private|mock-key/)
    expect(await w.get('/metrics')).toMatchObject({ status: 401 })
    await w.configure({})
    await waitFor('/metrics to be gone', async () => (await w.get('/metrics', 'metrics-key-1')).status === 404)
  })

  it('says in timeline and doctor that the collector is away, without its key', async () => {
    const w = await world(({ url }) => ({
      collector: url,
      headers: { authorization: { secretRef: 'mine' } },
      seconds: 5,
    }))
    const finding = async () => (await w.engine.api.doctor()).find(({ check }) => check === 'telemetry')
    expect(await finding()).toMatchObject({ ok: true })
    w.receiver.answer(403)
    await (await w.turn()).text()
    const found = await waitFor('the doctor to know', async () => {
      const found = await finding()
      return found?.ok === false && found
    })
    expect(found.say).toContain('403')
    const events = await w.engine.api.timeline({ session: null, limit: 100 })
    const told = events.filter(({ body }) => body.type === 'engine-problem')
    expect(told).toMatchObject([{ body: { code: 'collector-away' } }])
    expect(w.lines.join('\n')).not.toContain(headerSecret)
    expect(await readFile(join(w.home, 'config.json'), 'utf8')).not.toContain(headerSecret)
    w.receiver.answer(200)
    await waitFor('the doctor to see it back', async () => (await finding())?.ok)
  })

  it('takes the collector’s key out of what a provider says', async () => {
    const w = await world(({ url }) => ({ collector: url, headers: { 'x-team': { secretRef: 'mine' } } }))
    w.mock.otherwise = fail(400, { message: `What is ${headerSecret}?` })
    await (await w.turn()).text()
    const events = JSON.stringify(await w.engine.api.timeline({ session: null, limit: 100 }))
    expect(events).toContain('turn-ended')
    expect(events).not.toContain(headerSecret)
    expect(events).toContain('[hidden]')
  })

  it('stores a header for the collector apart from the config', async () => {
    const w = await world(({ url }) => ({ collector: url }))
    const value = 'Bearer stored-from-here-0815'
    await w.engine.api.saveCollectorHeader({ name: 'authorization', secret: `${value}\n` })
    const config = await readFile(join(w.home, 'config.json'), 'utf8')
    expect(JSON.parse(config)).toMatchObject({
      telemetry: { headers: { authorization: { secretRef: 'collector-authorization' } } },
    })
    expect(config).not.toContain(value)
    await (await w.turn()).text()
    await w.engine.dispose()
    over.pop()
    expect(w.receiver.reports.at(-1)?.headers.authorization).toBe(value)
    expect(w.lines.join('\n')).not.toContain('stored-from-here')
  })

  it('takes no header that can’t be sent', async () => {
    const w = await world(() => undefined)
    const given = { name: 'authorization', secret: 'two\nlines' }
    await expect(w.engine.api.saveCollectorHeader(given)).rejects.toMatchObject({ code: 'bad-key' })
    expect(await readFile(join(w.home, 'config.json'), 'utf8')).not.toContain('headers')
  })
})
