import type { Attributes, Counter, Histogram, Meter, Observable } from '@opentelemetry/api'
import type { TimelineEvent } from '../../../shared/events.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import { gaugesOf } from './gauges.ts'
import { metricTable, type CounterName, type HistogramName, type MetricName } from './metric-table.ts'
import type { Outages } from './outages.ts'
import { errorType, type TargetOf } from './turn-spans.ts'
import type { Readings } from './types.ts'

export interface Metrics {
  record(record: TurnRecord): void
  event(event: TimelineEvent): void
}

export interface MetricsDeps {
  meter: Meter
  targetOf: TargetOf
  look(): Readings
  outages: Outages
  now(): number
}

/** The instruments of one reader. Attributes are few words of ours, providers and models: no session, no text. */
export function createMetrics({ meter, targetOf, look, outages, now }: MetricsDeps): Metrics {
  const counters = new Map<MetricName, Counter>()
  const histograms = new Map<MetricName, Histogram>()
  const observed = new Map<MetricName, Observable>()
  for (const [key, facts] of Object.entries(metricTable)) {
    const name = key as MetricName
    const options = { description: facts.about, unit: facts.unit }
    switch (facts.kind) {
      case 'counter':
        counters.set(name, meter.createCounter(name, options))
        break
      case 'histogram':
        histograms.set(
          name,
          meter.createHistogram(name, { ...options, advice: { explicitBucketBoundaries: [...facts.buckets] } }),
        )
        break
      case 'gauge':
        observed.set(name, meter.createObservableGauge(name, options))
        break
      case 'observed-counter':
        observed.set(name, meter.createObservableCounter(name, options))
    }
  }
  const add = (name: CounterName, value: number, attributes: Attributes = {}) =>
    counters.get(name)?.add(value, attributes)
  const note = (name: HistogramName, value: number, attributes: Attributes = {}) =>
    histograms.get(name)?.record(value, attributes)
  meter.addBatchObservableCallback(
    (result) => {
      for (const { metric, value, attributes } of gaugesOf(look(), outages, now())) {
        const gauge = observed.get(metric)
        if (gauge) result.observe(gauge, value, attributes)
      }
    },
    [...observed.values()],
  )

  return {
    record(record) {
      const { route, kind, usage, streamed, ttfbMs, durationMs, costUsd, tried = [] } = record
      const target = route && targetOf(route.provider)
      const call = {
        'gen_ai.operation.name': kind === 'count' ? 'count_tokens' : (target?.operation ?? 'chat'),
        'gen_ai.provider.name': target?.name ?? 'onward',
        ...(target?.server && {
          'server.address': target.server.address,
          'server.port': target.server.port,
        }),
        ...(route && { 'gen_ai.request.model': route.model }),
      }
      add('onward.turns', 1, {
        'onward.client': record.client,
        'onward.request.kind': kind,
        'onward.finish': record.finish,
      })
      const type = errorType(record)
      note(
        'gen_ai.client.operation.duration',
        durationMs / 1000,
        type === null ? call : { ...call, 'error.type': type },
      )
      if (streamed && ttfbMs !== null && route) note('gen_ai.client.operation.time_to_first_chunk', ttfbMs / 1000, call)
      if (usage && kind !== 'count') {
        note('gen_ai.client.token.usage', usage.input, { ...call, 'gen_ai.token.type': 'input' })
        note('gen_ai.client.token.usage', usage.output, { ...call, 'gen_ai.token.type': 'output' })
      }
      if (costUsd !== null && route)
        add('onward.cost', costUsd, { 'onward.provider': route.provider, 'gen_ai.request.model': route.model })
      for (const { provider, code } of tried)
        add('onward.provider.failures', 1, { 'onward.provider': provider, 'error.type': code })
    },
    event: ({ body }) => countEvent(body, add, note),
  }
}

function countEvent(
  body: TimelineEvent['body'],
  add: (name: CounterName, value: number, attributes?: Attributes) => void,
  note: (name: HistogramName, value: number) => void,
): void {
  switch (body.type) {
    case 'matched':
      return add('onward.decisions', 1, { 'onward.decision': 'fire', 'onward.decision.reason': 'none' })
    case 'skipped':
      return add('onward.decisions', 1, { 'onward.decision': 'skip', 'onward.decision.reason': body.reason.code })
    case 'used':
      return add('onward.rounds', 1)
    case 'queued':
    case 'confirmed':
    case 'failed':
    case 'unknown':
    case 'superseded':
    case 'cancelled':
    case 'expired':
      add('onward.followups', 1, { 'onward.followup.state': body.type })
      if (body.type !== 'confirmed') return
      add('onward.receipts', 1, { 'onward.receipt.late': body.late })
      return note('onward.receipt.delay', body.afterMs / 1000)
    case 'held':
      return add('onward.holds', 1, { 'onward.hold.reason': body.reason.code })
    case 'alarm-rang':
    case 'alarm-delivered':
    case 'alarm-missed':
      return add('onward.alarms', body.taskIds.length, { 'onward.alarm.event': body.type.slice('alarm-'.length) })
    case 'limit-reached':
    case 'recover-waits':
    case 'recover-ended':
    case 'revived':
    case 'revive-refused':
    case 'resume-failed':
    case 'outage-over':
      return add('onward.recoveries', 1, { 'onward.recovery': body.type })
    case 'store-problem':
    case 'engine-problem':
      return add('onward.problems', 1, { 'onward.problem': body.code })
    default:
  }
}
