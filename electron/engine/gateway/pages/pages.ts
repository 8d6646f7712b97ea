import { sentencesOf } from '../../../../shared/sentences/index.ts'
import type { TurnRecord } from '../../../../shared/state.ts'
import { targetText } from '../../../../shared/target-text.ts'
import type { EntryProtocol } from '../../../../shared/words.ts'
import { isLocalKey } from '../../base/network/local-keys.ts'
import { bearer } from '../access/authenticate.ts'
import { answerJson, answerText } from '../answer.ts'
import { refuse, type HttpCall } from '../http-call.ts'
import { findModel } from '../model-list.ts'
import type { Endpoint, AskingClient } from '../paths.ts'
import type { GatewayDeps, MetricsPage, TurnReport } from '../types.ts'

/** Small answers for clients that check whether the engine is up. They hold nothing that needs a key. */
export function answerPage(
  deps: GatewayDeps,
  { req, res, headers }: HttpCall,
  page: Extract<Endpoint, { kind: 'page' }>['page'],
): void {
  switch (page) {
    case 'root':
      if (headers['accept']?.includes('text/html')) {
        res.writeHead(302, { location: '/dashboard/', 'content-length': '0' })
        return void res.end()
      }
      return answerJson(req, res, 200, { name: 'onward', dashboard: '/dashboard/' })
    case 'ready': {
      const ready = deps.ready()
      return answerJson(req, res, ready ? 200 : 503, { name: 'onward', ready })
    }
    // Claude Code sends HEAD /api/hello when it starts and only wants to be answered.
    case 'hello':
    case 'health':
      return answerJson(req, res, 200, { name: 'onward', status: 'ok' })
  }
}

export function answerModels(deps: GatewayDeps, call: HttpCall, id: string | null): void {
  const { req, res, headers } = call
  const list = deps.listModels(askingClient(call.shape, headers))
  if (id === null) return answerJson(req, res, 200, list)
  const model = findModel(list, id)
  if (model !== undefined) return answerJson(req, res, 200, model)
  refuse(deps, call, {
    status: 404,
    code: 'unknown-model',
    message: `No model "${id.slice(0, 200)}" is configured.`,
  })
}

/** The content type of Prometheus' text format. */
const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

/** For whoever sends a key of this page: no key of a client opens it, and these keys open nothing else. */
export async function answerMetrics(deps: GatewayDeps, call: HttpCall, page: MetricsPage): Promise<void> {
  const { req, res, headers } = call
  if (!isLocalKey(bearer(headers['authorization']) ?? '', page.keys)) {
    const refusal = {
      status: 401,
      code: 'metrics-key-needed',
      message: 'Metrics are for callers that send one of telemetry.metricsKeys, as “Authorization: Bearer …”.',
    }
    return refuse(deps, call, refusal, { 'www-authenticate': 'Bearer' })
  }
  const text = await page.text()
  if (!res.destroyed) answerText(req, res, text, textFormat)
}

/** The outcome of one request, for the client that sent it: the id came with its answer. */
export async function answerTurn(deps: GatewayDeps, call: HttpCall, requestId: string): Promise<void> {
  const report = await deps.turnReport(requestId)
  if (call.res.destroyed) return
  if (report) return answerJson(call.req, call.res, 200, report)
  refuse(deps, call, {
    status: 404,
    code: 'turn-unknown',
    message:
      `No turn "${requestId.slice(0, 200)}" is recorded. Its id is in the answer's ` +
      'x-onward-request-id or x-request-id, and it is recorded when the answer has ended.',
  })
}

/**
 * Google's SDK asks below `/v1beta` and sends `x-goog-api-key`; Anthropic's sends `anthropic-version` and `x-api-key`
 * with every call, OpenAI's neither.
 */
function askingClient(shape: EntryProtocol, headers: Readonly<Record<string, string>>): AskingClient {
  if (shape === 'gemini') return 'google'
  return headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined ? 'anthropic' : 'openai'
}

/** The record of a turn with the reasons of its route as English sentences, for programs and their authors. */
export function turnReport(record: TurnRecord): TurnReport {
  const { routeReason, passedOver } = sentencesOf('en')
  // rests as they were when the route was chosen
  const began = record.at - record.durationMs
  const { why = [], skipped = [] } = record.route ?? {}
  return {
    ...record,
    why: [
      ...why.map(routeReason),
      ...skipped.map(
        ({ candidate, why: reason }) => `${targetText(candidate)} passed over: ${passedOver(reason, began)}`,
      ),
    ],
  }
}
