import { afterEach, describe, expect, it } from 'vitest'
import { configSchema, type Config, type ConfigInput } from '../../../shared/config/schema.ts'
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import { settled } from '../../../shared/testing/settled.ts'
import { waitFor } from '../../../shared/testing/wait-for.ts'
import { emitter } from '../base/disposable.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import * as sdk from './sdk.ts'
import { createTelemetry, type Telemetry } from './telemetry.ts'
import { metricFaults, spanFaults } from './testing/conventions.ts'
import { otlpReceiver } from './testing/otlp-receiver.ts'

const over: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of over.splice(0).reverse()) await end()
})

const at = Date.UTC(2026, 10, 21, 14)
const turn = (over: Partial<TurnRecord> = {}): TurnRecord => ({
  requestId: 'req_1',
  at,
  sessionId: 's1',
  scope: null,
  client: 'codex',
  entry: 'responses',
  kind: 'turn',
  model: 'm',
  route: { provider: 'anth', model: 'claude-x', keyAlias: null, category: null, why: [], skipped: [] },
  status: 200,
  finish: 'stop',
  usage: { input: 100, cachedInput: 60, output: 20, reasoning: 5 },
  costUsd: 0.25,
  ttfbMs: 500,
  durationMs: 2_000,
  streamed: true,
  bytesIn: 1,
  bytesOut: 1,
  error: null,
  ...over,
})

function world(input: ConfigInput['telemetry']) {
  const raise = (error: unknown) => {
    throw error
  }
  const changed = emitter<void>(raise)
  const records = emitter<TurnRecord>(raise)
  const events = emitter<TimelineEvent>(raise)
  const clock = virtualClock(at)
  const told: EventBody[] = []
  let loads = 0
  const configOf = (telemetry: ConfigInput['telemetry']): Config =>
    configSchema.parse({ providers: { anth: { type: 'anthropic', baseUrl: 'https://api.anthropic.com' } }, telemetry })
  let current = configOf(input)
  const telemetry: Telemetry = createTelemetry({
    config: {
      current: () => current,
      stored: (ref) => (ref === 'mine' ? { ok: true, value: 'Bearer stored-secret' } : { ok: false, why: 'no' }),
      onChange: (listener) => changed.on(listener),
    },
    clock,
    log: silentLog,
    record: (_, body) => told.push(body),
    version: '1.2.3',
    instance: 'run-1',
    load: async () => {
      loads++
      return sdk
    },
    sources: {
      onRecord: records.on,
      onEvent: events.on,
      look: () => ({
        providers: [{ id: 'anth', health: { kind: 'healthy' }, quotas: [] }],
        waiting: [],
        sessions: [],
        alarms: { waiting: 0, missed: 2 },
        paused: false,
        budgets: { rounds: null, hours: null, noProgressRounds: null },
      }),
    },
  })
  over.push(telemetry.stop)
  let seq = 0
  return {
    telemetry,
    clock,
    told,
    loads: () => loads,
    listeners: () => records.size + events.size,
    record: (record: Partial<TurnRecord> = {}) => records.emit(turn(record)),
    event: (body: EventBody, requestId: string | null = null) =>
      events.emit({ id: `e${seq}`, seq: seq++, at, sessionId: 's1', scope: null, requestId, body }),
    configure(telemetry: ConfigInput['telemetry']) {
      current = configOf(telemetry)
      changed.emit()
    },
    page: async () => (await telemetry.page()?.text()) ?? null,
    /** all that began or ended because of the config has */
    begun: () => waitFor('telemetry to listen', () => records.size > 0),
  }
}

describe('telemetry', () => {
  it('loads and hears nothing while it is off', async () => {
    const w = world({ texts: true, headers: { 'x-team': 'a' } })
    await settled()
    expect(w.loads()).toBe(0)
    expect(w.listeners()).toBe(0)
    expect(w.telemetry.page()).toBeNull()
    expect(w.telemetry.collector()).toBeNull()
  })

  it('gives Prometheus what was counted, and what is', async () => {
    const w = world({ metricsKeys: ['metrics-key'] })
    await w.begun()
    w.record()
    w.record({ requestId: 'req_2', costUsd: null, usage: null, streamed: undefined as never })
    w.event({ type: 'confirmed', entryId: 'e', late: false, afterMs: 1_500 })
    w.event({ type: 'held', entryId: 'e', reason: { code: 'dialog-open' } })
    const text = (await w.page()) ?? ''
    const has = (line: RegExp) => expect(text).toMatch(line)
    has(/^target_info\{service_name="onward",service_version="1\.2\.3",service_instance_id="run-1"\} 1$/m)
    has(/^onward_turns_total\{onward_client="codex",onward_request_kind="turn",onward_finish="stop"\} 2$/m)
    has(/^onward_cost_total\{onward_provider="anth",gen_ai_request_model="claude-x"\} 0\.25$/m)
    has(/^gen_ai_client_token_usage_sum\{.*gen_ai_token_type="input"\} 100$/m)
    has(/^gen_ai_client_operation_duration_count\{.*gen_ai_provider_name="anthropic".*\} 2$/m)
    has(/^gen_ai_client_operation_time_to_first_chunk_count\{.*\} 1$/m)
    has(/^onward_receipt_delay_sum 1\.5$/m)
    has(/^onward_holds_total\{onward_hold_reason="dialog-open"\} 1$/m)
    has(/^onward_alarms_missed 2$/m)
    has(/^onward_provider_up\{onward_provider="anth"\} 1$/m)
    expect(w.telemetry.collector()).toBeNull()
  })

  it('sends spans by the conventions, events in their trace, and metrics', async () => {
    const receiver = await otlpReceiver()
    over.push(receiver.end)
    const w = world({ collector: `${receiver.url}/`, headers: { authorization: { secretRef: 'mine' }, 'x-team': 'a' } })
    await w.begun()
    const tried = [
      { at: at - 1_900, provider: 'anth', model: 'claude-y', keyAlias: null, status: 529, code: '529', durationMs: 9 },
    ]
    w.record({ tried })
    w.record({ requestId: 'req_2', status: 429, error: { code: 'http-429', message: 'private' }, finish: 'error' })
    w.event({ type: 'queued', entryId: 'e', source: 'stopMessage', text: 'private', round: 1 }, 'req_1')
    w.event({ type: 'engine', did: 'stopped' })
    await w.telemetry.stop()
    expect(receiver.spans.map(({ name }) => name)).toEqual(['chat claude-x', 'chat claude-y', 'chat claude-x'])
    expect(receiver.spans.flatMap(spanFaults)).toEqual([])
    expect(receiver.metrics.flatMap(metricFaults)).toEqual([])
    const [first, attempt] = receiver.spans
    expect(attempt).toMatchObject({ traceId: first?.traceId, parentSpanId: first?.spanId, start: at - 1_900 })
    expect(first).toMatchObject({
      start: at - 2_000,
      end: at,
      parentSpanId: '0'.repeat(16),
      resource: { 'service.name': 'onward', 'service.version': '1.2.3' },
    })
    const [queued, stopped] = receiver.events
    expect(queued).toMatchObject({ name: 'onward.queued', at, traceId: first?.traceId, spanId: first?.spanId })
    expect(stopped).toMatchObject({ name: 'onward.engine', traceId: '' })
    expect(receiver.metrics.map(({ name }) => name)).toContain('gen_ai.client.token.usage')
    for (const { headers } of receiver.reports)
      expect(headers).toMatchObject({ authorization: 'Bearer stored-secret', 'x-team': 'a' })
    expect(JSON.stringify([receiver.spans, receiver.events, receiver.metrics])).not.toContain('private')
  })

  it('sends texts only where they are switched on', async () => {
    const receiver = await otlpReceiver()
    over.push(receiver.end)
    const w = world({ collector: receiver.url, texts: true })
    await w.begun()
    w.record({ status: 400, error: { code: 'bad', message: 'the words of it' } })
    w.event({ type: 'queued', entryId: 'e', source: 'stopMessage', text: 'Go on.', round: 1 })
    await w.telemetry.stop()
    expect(receiver.spans[0]?.status.message).toBe('the words of it')
    expect(receiver.events[0]?.attributes).toMatchObject({ 'onward.text': 'Go on.' })
    expect(receiver.spans.flatMap(spanFaults)).toEqual([])
  })

  it('follows the config without a restart', async () => {
    const receiver = await otlpReceiver()
    over.push(receiver.end)
    const w = world({})
    w.configure({ metricsKeys: ['metrics-key'] })
    await w.begun()
    w.record()
    expect(await w.page()).toContain('onward_turns_total')
    w.configure({ collector: receiver.url })
    expect(w.telemetry.page()).toBeNull()
    await waitFor('the collector to be listened for', () => w.loads() === 2)
    await settled()
    w.record()
    w.configure({})
    await waitFor('the span', () => receiver.spans.length === 1)
    await waitFor('silence', () => w.listeners() === 0)
    expect(w.telemetry.collector()).toBeNull()
  })

  it('takes another key of /metrics without losing what was counted', async () => {
    const w = world({ metricsKeys: ['one'] })
    await w.begun()
    w.record()
    w.configure({ metricsKeys: ['two'] })
    expect(w.telemetry.page()?.keys).toEqual(['two'])
    expect(await w.page()).toMatch(/^onward_turns_total\{.*\} 1$/m)
    expect(w.loads()).toBe(1)
  })

  it('says once that the collector is away, and goes on', async () => {
    const receiver = await otlpReceiver()
    over.push(receiver.end)
    receiver.answer(401)
    const w = world({ collector: receiver.url })
    await w.begun()
    w.record()
    w.event({ type: 'engine', did: 'started' })
    const { host } = new URL(receiver.url)
    await w.telemetry.stop()
    expect(receiver.reports.length).toBeGreaterThan(1)
    expect(w.told).toEqual([
      {
        type: 'engine-problem',
        code: 'collector-away',
        message: expect.stringMatching(new RegExp(`${host} takes no telemetry \\(401 Unauthorized\\)`)),
      },
    ])
  })

  it('ends within three seconds though the collector says nothing', async () => {
    const receiver = await otlpReceiver()
    over.push(receiver.end)
    receiver.answer('hang')
    const w = world({ collector: receiver.url })
    await w.begun()
    w.record()
    let ended = false
    const stopping = w.telemetry.stop().then(() => {
      ended = true
    })
    await waitFor('the report to be there', () => receiver.reports.length > 0)
    expect(ended).toBe(false)
    await w.clock.advance(3_000)
    await stopping
    expect(w.listeners()).toBe(0)
  })

  it('sends many turns in reports of 128, each turn once', async () => {
    const receiver = await otlpReceiver()
    over.push(receiver.end)
    const w = world({ collector: receiver.url })
    await w.begun()
    for (let i = 0; i < 1_024; i++) w.record({ requestId: `req_${i}` })
    await waitFor('all of them', () => receiver.spans.length >= 1_024)
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1_024)
    expect(receiver.reports.filter(({ path }) => path === '/v1/traces')).toHaveLength(8)
  })

  it('keeps so many spans and no more for a collector that says nothing', async () => {
    const receiver = await otlpReceiver()
    over.push(receiver.end)
    receiver.answer('hang')
    const w = world({ collector: receiver.url })
    await w.begun()
    for (let i = 0; i < 10_000; i++) w.record({ requestId: `req_${i}` })
    await waitFor('the first report', () => receiver.reports.length > 0)
    receiver.answer(200)
    const stopping = w.telemetry.stop()
    await waitFor('what was kept', () => receiver.spans.length === 2_048)
    await w.clock.advance(3_000)
    await stopping
    expect(receiver.spans).toHaveLength(2_048)
  })
})
