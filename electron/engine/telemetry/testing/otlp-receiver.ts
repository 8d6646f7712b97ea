import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { listenOnLoopback } from '../../../testing/engine-in-process.ts'

export type ReceivedValue = string | number | boolean | readonly string[]
export type ReceivedAttributes = Readonly<Record<string, ReceivedValue>>

export interface ReceivedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string
  /** epoch milliseconds */
  start: number
  end: number
  attributes: ReceivedAttributes
  status: { code: number; message: string }
  resource: ReceivedAttributes
}

export interface ReceivedEvent {
  name: string
  at: number
  severity: number
  traceId: string
  spanId: string
  attributes: ReceivedAttributes
}

export interface ReceivedMetric {
  name: string
  unit: string
  /** each with its attributes; of a histogram the sum */
  points: readonly { value: number; count: number; attributes: ReceivedAttributes }[]
}

export interface OtlpReceiver {
  url: string
  spans: ReceivedSpan[]
  events: ReceivedEvent[]
  metrics: ReceivedMetric[]
  /** path and headers of each report */
  reports: { path: string; headers: IncomingHttpHeaders; bytes: number }[]
  /** the next reports are answered so; `hang`: not at all */
  answer(status: number | 'hang'): void
  end(): Promise<void>
}

const value = z
  .object({
    stringValue: z.string(),
    intValue: z.coerce.number(),
    doubleValue: z.number(),
    boolValue: z.boolean(),
    arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }),
  })
  .partial()
  .strict()
  .transform((given): ReceivedValue => {
    const { stringValue, intValue, doubleValue, boolValue, arrayValue } = given
    const found = stringValue ?? intValue ?? doubleValue ?? boolValue
    return found ?? arrayValue?.values.map((one) => one.stringValue) ?? []
  })
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((list): ReceivedAttributes => Object.fromEntries(list.map((one) => [one.key, one.value])))
const time = z.union([z.string(), z.number()]).transform((nanos) => Number(BigInt(nanos) / 1_000_000n))
const id = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))
const resource = z.object({ attributes })

const traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource,
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              kind: z.number(),
              traceId: id(32),
              spanId: id(16),
              parentSpanId: id(16).default('0'.repeat(16)),
              startTimeUnixNano: time,
              endTimeUnixNano: time,
              attributes,
              status: z.object({ code: z.number(), message: z.string().default('') }),
            }),
          ),
        }),
      ),
    }),
  ),
})
const logs = z.object({
  resourceLogs: z.array(
    z.object({
      resource,
      scopeLogs: z.array(
        z.object({
          logRecords: z.array(
            z.object({
              eventName: z.string(),
              timeUnixNano: time,
              severityNumber: z.number(),
              traceId: z.string().default(''),
              spanId: z.string().default(''),
              attributes,
            }),
          ),
        }),
      ),
    }),
  ),
})
const points = z.object({
  dataPoints: z.array(
    z.object({
      attributes,
      asInt: z.coerce.number().optional(),
      asDouble: z.number().optional(),
      sum: z.number().optional(),
      count: z.coerce.number().optional(),
    }),
  ),
})
const metrics = z.object({
  resourceMetrics: z.array(
    z.object({
      resource,
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.object({
              name: z.string(),
              unit: z.string(),
              sum: points.optional(),
              gauge: points.optional(),
              histogram: points.optional(),
            }),
          ),
        }),
      ),
    }),
  ),
})

/** A collector on loopback, which reads what comes by OTLP/HTTP in JSON. What is no OTLP is answered 400. */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  let status: number | 'hang' = 200
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.reports.push({ path: request.url ?? '', headers: request.headers, bytes: body.length })
      if (status === 'hang') return
      if (status !== 200) return void response.writeHead(status).end()
      const isOtlp = take(received, request.url ?? '', JSON.parse(body))
      response.writeHead(isOtlp ? 200 : 400, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const { url, end } = await listenOnLoopback(server)
  const received: OtlpReceiver = {
    url,
    spans: [],
    events: [],
    metrics: [],
    reports: [],
    answer(next) {
      status = next
    },
    end,
  }
  return received
}

function take(received: OtlpReceiver, path: string, body: unknown): boolean {
  switch (path) {
    case '/v1/traces': {
      const { data } = traces.safeParse(body)
      for (const { resource: of, scopeSpans } of data?.resourceSpans ?? [])
        for (const { spans } of scopeSpans)
          received.spans.push(
            ...spans.map(({ startTimeUnixNano: start, endTimeUnixNano: endsAt, ...span }) => ({
              ...span,
              start,
              end: endsAt,
              resource: of.attributes,
            })),
          )
      return data !== undefined
    }
    case '/v1/logs': {
      const { data } = logs.safeParse(body)
      for (const { scopeLogs } of data?.resourceLogs ?? [])
        for (const { logRecords } of scopeLogs)
          received.events.push(
            ...logRecords.map(({ eventName: name, timeUnixNano: at, severityNumber: severity, ...event }) => ({
              ...event,
              name,
              at,
              severity,
            })),
          )
      return data !== undefined
    }
    case '/v1/metrics': {
      const { data } = metrics.safeParse(body)
      for (const { scopeMetrics } of data?.resourceMetrics ?? [])
        for (const scope of scopeMetrics)
          received.metrics.push(
            ...scope.metrics.map(({ name, unit, sum, gauge, histogram }) => ({
              name,
              unit,
              points: ((sum ?? gauge ?? histogram)?.dataPoints ?? []).map((point) => ({
                attributes: point.attributes,
                value: point.asInt ?? point.asDouble ?? point.sum ?? 0,
                count: point.count ?? 1,
              })),
            })),
          )
      return data !== undefined
    }
    default:
      return false
  }
}
