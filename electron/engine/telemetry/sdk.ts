/** Everything that loads OpenTelemetry; telemetry.ts imports this file only once telemetry is on. */
import { ROOT_CONTEXT, trace, TraceFlags, SpanKind, SpanStatusCode, type SpanContext } from '@opentelemetry/api'
import { SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader, type IMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace'
import type { TimelineEvent } from '../../../shared/events.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import { disposables } from '../base/disposable.ts'
import { eventFacts } from './event-facts.ts'
import { givenAttributes } from './given-attributes.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createOutages } from './outages.ts'
import { type TargetOf, turnSpans, type SpanFacts } from './turn-spans.ts'
import type { TelemetrySources } from './types.ts'
import { createHash, randomBytes } from 'node:crypto'

export interface SdkSettings {
  /** serves `/metrics` */
  page: boolean
  /** null: nothing is sent */
  collector: { url: string; headers: Readonly<Record<string, string>>; seconds: number } | null
  texts: boolean
}

export interface SdkDeps extends TelemetrySources {
  version: string
  /** of this run */
  instance: string
  targetOf: TargetOf
  now(): number
  /** a report to the collector ended; null: it was taken */
  onSent(error: Error | null): void
}

export interface Sdk {
  /** @throws where there is no page, or what the SDK said */
  page(): Promise<string>
  /** Sends what waits, as long as the collector answers. Never rejects. */
  stop(): Promise<void>
}

/** Turns, and events, kept for a collector that is away; what is more is dropped. */
const MOST_QUEUED = 2_048
/** Turns in a report: their spans are made in one piece, which shall keep no answer waiting. */
const MOST_IN_REPORT = 128
/** Reports on their way at the same time, all that is queued among them; more fail at once. */
const MOST_UNDER_WAY = MOST_QUEUED / MOST_IN_REPORT + 4
/** A text that is longer is cut. */
const MOST_CHARACTERS = 4_096
const scope = 'onward'

/** Starts what the settings ask for. The queues are bounded, and all is sent beside the turns. */
export function startSdk(settings: SdkSettings, deps: SdkDeps): Sdk {
  const resource = resourceFromAttributes({
    'service.name': 'onward',
    'service.version': deps.version,
    'service.instance.id': deps.instance,
  })
  const outages = createOutages()
  const stops: (() => Promise<void>)[] = []
  // A reader that nobody asks would keep what others were told, so each has instruments of its own.
  const metricsFor = (reader: IMetricReader): Metrics => {
    const meters = new MeterProvider({ resource, readers: [reader] })
    stops.push(() => meters.shutdown())
    return createMetrics({ ...deps, meter: meters.getMeter(scope), outages })
  }
  const page = settings.page ? new PrometheusExporter({ preventServerStart: true }) : null
  const listeners = [
    ...(page ? [metricsFor(page)] : []),
    ...(settings.collector ? senders(settings, settings.collector, deps, resource, metricsFor, stops) : []),
  ]
  const held = disposables()
  held.add(deps.onRecord((record) => listeners.forEach((one) => one.record(record))))
  held.add(deps.onEvent((event) => listeners.forEach((one) => one.event(event))))
  const serializer = new PrometheusSerializer('', false, undefined, false, true)
  return {
    async page() {
      if (!page) throw new Error('metrics are not kept for a page')
      const { resourceMetrics, errors } = await page.collect()
      if (errors.length > 0) throw errors[0]
      return serializer.serialize(resourceMetrics)
    },
    async stop() {
      held.dispose()
      await Promise.allSettled(stops.map((stop) => stop()))
    },
  }
}

/** Spans, events and metrics for the collector. */
function senders(
  { texts }: SdkSettings,
  { url, headers, seconds }: NonNullable<SdkSettings['collector']>,
  deps: SdkDeps,
  resource: Resource,
  metricsFor: (reader: IMetricReader) => Metrics,
  stops: (() => Promise<void>)[],
): Metrics[] {
  const to = (signal: string) => ({
    url: `${url.replace(/\/+$/, '')}/v1/${signal}`,
    headers: { ...headers },
    concurrencyLimit: MOST_UNDER_WAY,
  })
  const kept = waitingSpans({ resource, scope, texts, mostCharacters: MOST_CHARACTERS }, deps.targetOf)
  const spans = new BatchSpanProcessor({
    exporter: watched(kept.exporter(new OTLPTraceExporter(to('traces'))), deps),
    maxQueueSize: MOST_QUEUED,
    maxExportBatchSize: MOST_IN_REPORT,
  })
  const events = new LoggerProvider({
    resource,
    processors: [
      new BatchLogRecordProcessor({
        exporter: watched(new OTLPLogExporter(to('logs')), deps),
        maxQueueSize: MOST_QUEUED,
        scheduledDelayMillis: 5_000,
      }),
    ],
  })
  const exporter = watched(new OTLPMetricExporter(to('metrics')), deps)
  const metrics = metricsFor(
    new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis: seconds * 1_000,
      exportTimeoutMillis: Math.min(seconds * 1_000, 30_000),
    }),
  )
  stops.push(
    () => spans.shutdown(),
    () => events.shutdown(),
  )
  const logger = events.getLogger(scope)
  const traces: Metrics = {
    record: (record: TurnRecord) => spans.onEnd(kept.waiting(record)),
    event(event: TimelineEvent) {
      const facts = eventFacts(event, texts)
      if (facts === null) return
      const { requestId, at } = event
      const context =
        requestId === null
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { ...idsOf(requestId), traceFlags: TraceFlags.SAMPLED })
      logger.emit({
        eventName: facts.name,
        timestamp: new Date(at),
        severityNumber: facts.severity === 'warn' ? SeverityNumber.WARN : SeverityNumber.INFO,
        attributes: givenAttributes(facts.attributes, MOST_CHARACTERS),
        context,
      })
    },
  }
  return [traces, metrics]
}

interface Exporter<T> {
  export(items: T, done: (result: { code: number; error?: Error }) => void): void
}

/** The exporter, with `onSent` called for each of its reports. */
function watched<T, E extends Exporter<T>>(exporter: E & Exporter<T>, { onSent }: Pick<SdkDeps, 'onSent'>): E {
  const send = exporter.export.bind(exporter)
  exporter.export = (items, done) =>
    send(items, (result) => {
      onSent(result.code === 0 ? null : (result.error ?? new Error('it gave no reason')))
      done(result)
    })
  return exporter
}

/** A turn in the SDK's queue. Its spans are made as they are sent: kept until then, they are ten times as large. */
interface WaitingTurn extends ReadableSpan {
  record: TurnRecord
}

const isWaiting = (span: ReadableSpan): span is WaitingTurn => 'record' in span

interface WaitingSpans {
  /** what the queue takes for a turn */
  waiting(record: TurnRecord): ReadableSpan
  /** Gives `exporter` the spans of the turns that it gets. */
  exporter(exporter: SpanExporter): SpanExporter
}

function waitingSpans(
  {
    resource,
    scope,
    texts,
    mostCharacters,
  }: { resource: Resource; scope: string; texts: boolean; mostCharacters: number },
  targetOf: TargetOf,
): WaitingSpans {
  const instrumentationScope = { name: scope }
  const spanOf = (facts: SpanFacts, context: SpanContext, parent?: SpanContext): ReadableSpan => ({
    name: facts.name,
    kind: SpanKind.CLIENT,
    spanContext: () => context,
    parentSpanContext: parent,
    startTime: timeOf(facts.start),
    endTime: timeOf(facts.end),
    duration: timeOf(facts.end - facts.start),
    status:
      facts.error === null
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: facts.error.message ?? undefined },
    attributes: givenAttributes(facts.attributes, mostCharacters),
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  })
  const spansOf = (record: TurnRecord): ReadableSpan[] => {
    const { turn, attempts } = turnSpans(record, targetOf, texts)
    const context = { ...idsOf(record.requestId), traceFlags: TraceFlags.SAMPLED }
    return [
      spanOf(turn, context),
      ...attempts.map((attempt) => spanOf(attempt, { ...context, spanId: newSpanId() }, context)),
    ]
  }
  const nothing: SpanFacts = { name: '', start: 0, end: 0, attributes: {}, error: null }
  const blank = spanOf(nothing, { traceId: '', spanId: '', traceFlags: TraceFlags.SAMPLED })
  return {
    waiting: (record): WaitingTurn => ({ ...blank, record }),
    exporter: (exporter) => ({
      export: (spans, done) =>
        exporter.export(
          spans.flatMap((span) => (isWaiting(span) ? spansOf(span.record) : [])),
          done,
        ),
      shutdown: () => exporter.shutdown(),
    }),
  }
}

/** Epoch milliseconds as the SDK has them: seconds and nanoseconds. */
const timeOf = (ms: number): [number, number] => {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}

/** Ids of a turn's trace and span, the same for its events, which come before and after it. */
interface RequestIds {
  traceId: string
  spanId: string
}

function idsOf(requestId: string): RequestIds {
  const hash = createHash('sha256').update(requestId).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) }
}

const newSpanId = (): string => randomBytes(8).toString('hex')
