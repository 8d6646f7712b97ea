import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { metricFaults, spanFaults } from '../electron/engine/telemetry/testing/conventions.ts'
import { otlpReceiver, type OtlpReceiver } from '../electron/engine/telemetry/testing/otlp-receiver.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { evidence } from './support/evidence/evidence.ts'
import { fail, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'
import { mockProvider } from './support/entries.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'

const prometheusMissing = (() => {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' })
    return null
  } catch {
    return 'Prometheus is not installed'
  }
})()

const answer = z.object({
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
})

interface Prometheus {
  /** the value of an expression's first series; null: there is none */
  value(expression: string): Promise<number | null>
  get(path: string): Promise<unknown>
  end(): void
}

async function startPrometheus(target: string, key: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'onward-prometheus-'))
  const job = (name: string, credentials: string) => ({
    job_name: name,
    scrape_interval: '1s',
    authorization: { credentials },
    static_configs: [{ targets: [target] }],
  })
  const config = {
    rule_files: [resolve(import.meta.dirname, '../build/observability/alerts.yml')],
    scrape_configs: [job('onward', key), job('stranger', 'another-key')],
  }
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const port = await freePort()
  const program: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const said: string[] = []
  program.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const forget = evidence(() => ({ 'prometheus-said.txt': said.join('') }))
  const get = async (path: string): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}${path}`)).json()
  await waitFor('Prometheus', () =>
    fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    get,
    async value(expression) {
      const { data } = answer.parse(await get(`/api/v1/query?query=${encodeURIComponent(expression)}`))
      const found = data.result[0]?.value[1]
      return found === undefined ? null : Number(found)
    },
    end() {
      forget()
      program.once('exit', () => rmSync(folder, { recursive: true, force: true }))
      program.kill()
    },
  }
}

const freePort = (): Promise<number> =>
  new Promise((done, failed) => {
    const server = createServer().once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** An agent is kept going for three rounds, then its provider fails. */
describe('an engine that Prometheus and a collector watch', unless(firstOf(prometheusMissing, tmuxMissing)), () => {
  const key = 'metrics-key-of-prometheus'
  let mock: MockUpstream
  let receiver: OtlpReceiver
  let engine: EngineProcess
  let tmux: TestTmux
  let agent: TurnAgent
  let prometheus: Prometheus

  beforeAll(async () => {
    mock = await startMockUpstream()
    mock.otherwise = say('The secret part is done.')
    receiver = await otlpReceiver()
    const plan = mockProvider(mock, { models: { 'mock-model': { price: { input: 100, output: 100 } } } })
    engine = await startEngine({
      config: {
        stopMessage: { settleMs: 100 },
        providers: { plan },
        telemetry: { metricsKeys: [key], collector: receiver.url, seconds: 5 },
      },
    })
    prometheus = await startPrometheus(`127.0.0.1:${engine.port}`, key)
    tmux = startTmux()
    agent = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'watched', patience: 2 })
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
    await engine.control.api.setStopMessage.mutate({ session: agent.session, text: 'go on', rounds: 3, now: true })
    await engine.control.event('done')
  })
  afterAll(async () => {
    prometheus.end()
    agent.end()
    tmux.dispose()
    await engine.stop()
    await receiver.end()
    await mock.dispose()
    removeHomes()
  })

  const comes = (expression: string, value: number) =>
    waitFor(`${expression} to be ${value}`, async () => (await prometheus.value(expression)) === value)

  it('is scraped with its key, and by nobody else', async () => {
    await comes('up{job="onward"}', 1)
    await comes('up{job="stranger"}', 0)
    expect(JSON.stringify(await prometheus.get('/api/v1/targets'))).toContain('401 Unauthorized')
  })

  it('has counted rounds, receipts, turns and their cost', async () => {
    await comes('onward_rounds_total', 3)
    await comes('sum(onward_receipts_total)', 3)
    await comes('onward_decisions_total{onward_decision="fire"}', 2)
    await comes('sum(onward_turns_total{onward_request_kind="turn",onward_finish="stop"})', 4)
    await comes('sum(gen_ai_client_operation_duration_count{gen_ai_request_model="mock-model"})', 4)
    await waitFor('the cost', async () => ((await prometheus.value('onward_cost_total')) ?? 0) > 0)
  })

  it('has alert rules that Prometheus takes', async () => {
    const { groups } = z
      .object({ data: z.object({ groups: z.array(z.object({ rules: z.array(z.object({ health: z.string() })) })) }) })
      .parse(await prometheus.get('/api/v1/rules')).data
    expect(groups.flatMap(({ rules }) => rules).length).toBeGreaterThan(5)
    expect(groups.flatMap(({ rules }) => rules).filter(({ health }) => health === 'err')).toEqual([])
  })

  it('shows that the provider fails, and since when', async () => {
    await comes('onward_provider_up{onward_provider="plan"}', 1)
    mock.script(() => fail(529))
    await agent.say(engine, 'do the next part')
    await waitFor('the agent to give up', () => agent.notes().some((n) => n.type === 'gave-up'))
    await comes('onward_provider_up{onward_provider="plan"}', 0)
    await waitFor('the outage to last', async () => ((await prometheus.value('onward_provider_outage')) ?? 0) > 0)
    await comes(
      'sum(onward_sessions{onward_session_state="failed"}) + sum(onward_sessions{onward_session_state="needs"})',
      1,
    )
  })

  it('has told the collector the same, by the conventions and without a word of it', async () => {
    const all = await waitFor('the spans', () => receiver.spans.length >= 5 && receiver.spans)
    expect(all.flatMap(spanFaults)).toEqual([])
    await waitFor('metrics', () => receiver.metrics.some(({ name }) => name === 'onward.rounds'))
    expect(receiver.metrics.flatMap(metricFaults)).toEqual([])
    await waitFor('events', () => receiver.events.some(({ name }) => name === 'onward.confirmed'))
    const matched = receiver.events.find(({ name }) => name === 'onward.matched')
    expect(all.map(({ traceId }) => traceId)).toContain(matched?.traceId)
    expect(JSON.stringify([all, receiver.events, receiver.metrics])).not.toMatch(/secret part|go on|mock-key/)
  })
})
