import type { FinishKind } from '../../../shared/events.ts'
import type { RouteAttempt } from '../../../shared/routing.ts'
import type { TurnRecord } from '../../../shared/state.ts'
import type { Attributes, Target } from './types.ts'

/** One call to a model; semantic conventions 1.41.1, `span.gen_ai.inference.client`. Times are epoch milliseconds. */
export interface SpanFacts {
  name: string
  start: number
  end: number
  attributes: Attributes
  /** `message`: only where texts are switched on */
  error: { type: string; message: string | null } | null
}

export interface TurnSpans {
  turn: SpanFacts
  /** upstreams that were asked before and gave no answer */
  attempts: readonly SpanFacts[]
}

export type TargetOf = (providerId: string) => Target | null

/** Onward itself, where no provider was asked. */
const nobody: Target = { name: 'onward', operation: 'chat', server: null }

/** Returns a turn as spans. Only what is named here goes out: a new member of a record does not. */
export function turnSpans(record: TurnRecord, targetOf: TargetOf, texts: boolean): TurnSpans {
  const { route, tried = [], at, durationMs } = record
  const turn = callOf(record, route?.provider ?? tried.at(-1)?.provider ?? null, targetOf)
  const model = route?.model ?? tried.at(-1)?.model ?? record.model
  const type = errorType(record)
  return {
    turn: {
      name: spanName(turn.operation, model),
      start: at - durationMs,
      end: at,
      attributes: turnAttributes(record, turn, model, type),
      error: type === null ? null : { type, message: texts ? (record.error?.message ?? null) : null },
    },
    attempts: tried.map((attempt) => attemptSpan(record, attempt, targetOf)),
  }
}

function attemptSpan(record: TurnRecord, attempt: RouteAttempt, targetOf: TargetOf): SpanFacts {
  const call = callOf(record, attempt.provider, targetOf)
  return {
    name: spanName(call.operation, attempt.model),
    start: attempt.at,
    end: attempt.at + attempt.durationMs,
    attributes: {
      'gen_ai.operation.name': call.operation,
      'gen_ai.provider.name': call.name,
      'gen_ai.request.model': attempt.model,
      'gen_ai.conversation.id': record.sessionId,
      'server.address': call.server?.address,
      'server.port': call.server?.port,
      'gen_ai.request.stream': record.streamed,
      'error.type': attempt.code,
      'http.response.status_code': attempt.status,
      'onward.request.id': record.requestId,
      'onward.provider': attempt.provider,
      'onward.route.key': attempt.keyAlias,
    },
    error: { type: attempt.code, message: null },
  }
}

type Call = Omit<Target, 'operation'> & { operation: string }

/** Counting tokens generates nothing, and the conventions have no word for it. */
function callOf({ kind }: TurnRecord, provider: string | null, targetOf: TargetOf): Call {
  const target = (provider === null ? null : targetOf(provider)) ?? nobody
  return kind === 'count' ? { ...target, operation: 'count_tokens' } : target
}

const spanName = (operation: string, model: string | null): string =>
  model === null ? operation : `${operation} ${model}`

/** Member by member: each turn is told so, and V8 takes ten times as long for objects put together of others. */
function turnAttributes(record: TurnRecord, call: Call, model: string | null, type: string | null): Attributes {
  const { kind, finish, streamed, ttfbMs, route, tried } = record
  // Counting says how many tokens a request would have, and uses none.
  const used = kind === 'count' ? null : record.usage
  return {
    'gen_ai.operation.name': call.operation,
    'gen_ai.provider.name': call.name,
    'gen_ai.request.model': model,
    'gen_ai.conversation.id': record.sessionId,
    'server.address': call.server?.address,
    'server.port': call.server?.port,
    'gen_ai.request.stream': streamed,
    'gen_ai.response.id': record.responseId,
    'gen_ai.response.time_to_first_chunk': streamed && ttfbMs !== null ? ttfbMs / 1000 : null,
    'gen_ai.response.finish_reasons': route === null || finish === 'error' ? null : [finishReasons[finish]],
    'gen_ai.usage.input_tokens': used?.input,
    'gen_ai.usage.output_tokens': used?.output,
    'gen_ai.usage.cache_read.input_tokens': used?.cachedInput,
    'gen_ai.usage.cache_creation.input_tokens': used?.cacheWrite,
    'gen_ai.usage.reasoning.output_tokens': used?.reasoning,
    'http.response.status_code': record.status,
    'onward.request.id': record.requestId,
    'onward.client': record.client,
    'onward.entry': record.entry,
    'onward.request.kind': kind,
    'onward.asked.model': record.model,
    'onward.turn': record.turn,
    'onward.by': record.by,
    'onward.finish': finish,
    'onward.cost.usd': record.costUsd,
    'onward.provider': route?.provider,
    'onward.route.key': route?.keyAlias,
    'onward.route.category': route?.category,
    'onward.route.why': route?.why.map(({ code }) => code),
    'onward.attempts': (tried?.length ?? 0) + (route === null ? 0 : 1),
    'onward.servertools': record.servertools?.map(({ tool }) => tool),
    'error.type': type,
  }
}

/** As in the conventions' schema of output messages where that has a word. */
const finishReasons: Readonly<Record<FinishKind, string>> = {
  stop: 'stop',
  'tool-calls': 'tool_call',
  length: 'length',
  'content-filter': 'content_filter',
  refusal: 'refusal',
  'pause-turn': 'pause_turn',
  incomplete: 'incomplete',
  error: 'error',
  'broken-off': 'broken_off',
}

/** null: the turn went well */
export function errorType({ error, status, finish }: Pick<TurnRecord, 'error' | 'status' | 'finish'>): string | null {
  // A provider's own code may be any text.
  if (error !== null) return /^[\w.:-]{1,64}$/.test(error.code) ? error.code : '_OTHER'
  if (status >= 400) return String(status)
  return finish === 'error' || finish === 'broken-off' ? finishReasons[finish] : null
}
