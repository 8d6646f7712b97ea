import { createHash, randomBytes } from 'node:crypto'
import { SpanKind, SpanStatusCode, TraceFlags, type SpanContext } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { TurnRecord } from '../../../shared/state.ts'
import { givenAttributes } from './given-attributes.ts'
import { turnSpans, type SpanFacts, type TargetOf } from './turn-spans.ts'

/** A turn in the SDK's queue. Its spans are made as they are sent: kept until then, they are ten times as large. */
interface WaitingTurn extends ReadableSpan {
  record: TurnRecord
}

const isWaiting = (span: ReadableSpan): span is WaitingTurn => 'record' in span

export interface WaitingSpans {
  /** what the queue takes for a turn */
  waiting(record: TurnRecord): ReadableSpan
  /** Gives `exporter` the spans of the turns that it gets. */
  exporter(exporter: SpanExporter): SpanExporter
}

export function waitingSpans(
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

export function idsOf(requestId: string): RequestIds {
  const hash = createHash('sha256').update(requestId).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) }
}

const newSpanId = (): string => randomBytes(8).toString('hex')
