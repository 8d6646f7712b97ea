import type { RecordEvent } from '../../../../shared/events.ts'
import type { ServertoolRun } from '../../../../shared/state.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError, problemOf } from '../../base/errors.ts'
import type { CallResult, HiddenCall } from '../../protocol/server-tools/types.ts'
import type { Registry } from '../registry.ts'
import type { CalledTool, ToolCall, ToolPlan, TurnView } from '../types.ts'

export interface RunDeps {
  registry: Pick<Registry, 'called' | 'isOn'>
  clock: Clock
  record: RecordEvent
}

export interface RanCall {
  result: CallResult
  /** the call wants the agent to go on with this as its next message */
  continueWith: { text: string } | null
  run: ServertoolRun
}

/** A result beyond this would fill a context window; tools cut their own long before it. */
const mostResultChars = 200_000

/**
 * Runs the calls of one round, together where the tools allow it. Never rejects: a failure is a result the model reads.
 */
export async function runCalls(
  calls: readonly HiddenCall[],
  turn: TurnView,
  depth: number,
  signal: AbortSignal,
  deps: RunDeps,
): Promise<readonly RanCall[]> {
  const lines = new Map<string, Promise<unknown>>()
  return Promise.all(
    calls.map((call) => {
      const tool = deps.registry.called(call.name)
      const run = () => runCall(call, tool, turn, depth, signal, deps)
      if (!tool?.inOrder) return run()
      const mine = (lines.get(tool.name) ?? Promise.resolve()).then(run)
      lines.set(tool.name, mine)
      return mine
    }),
  )
}

async function runCall(
  call: HiddenCall,
  tool: CalledTool | null,
  turn: TurnView,
  depth: number,
  signal: AbortSignal,
  { registry, clock, record }: RunDeps,
): Promise<RanCall> {
  const name = tool?.name ?? call.name
  const round = depth + 1
  const where = { sessionId: turn.sessionId, scope: turn.scope, requestId: turn.requestId }
  record(where, { type: 'servertool-called', tool: name, round })
  const since = clock.monotonic()
  const took = () => Math.max(0, Math.round(clock.monotonic() - since))
  const failed = (code: string, message: string, text = failureText(code, message)): RanCall => {
    const ms = took()
    record(where, { type: 'servertool-failed', tool: name, round, ms, code, message })
    return {
      result: { call, text, isError: true },
      continueWith: null,
      run: { tool: name, round, ms, bytes: Buffer.byteLength(text), failure: message },
    }
  }
  try {
    // Declared when the session began, and no longer available: the list itself stays, for the sake of the prompt
    // cache.
    if (!tool || !registry.isOn(tool))
      throw new OnwardError('switched-off', `The tool ${name} is switched off. Go on without it.`)
    const problem = tool.problem()
    if (problem !== null) throw new OnwardError('not-available', `The tool ${name} is not available: ${problem}`)
    const plan = await within(tool.timeoutMs(), signal, clock, (inner) =>
      tool.run(asCall(call), { turn, depth, signal: inner }),
    )
    const text = textOf(plan)
    if (plan.kind === 'result' && plan.isError)
      return failed(
        plan.failure?.code ?? 'tool-error',
        plan.failure?.message ?? plan.note ?? 'it says so in its result',
        text,
      )
    const ms = took()
    const note = plan.kind === 'result' ? plan.note : plan.said
    const bytes = Buffer.byteLength(text)
    record(where, { type: 'servertool-ran', tool: name, round, ms, bytes, ...(note ? { note } : {}) })
    return {
      result: { call, text, isError: false },
      continueWith: plan.kind === 'continue' ? { text: plan.text } : null,
      run: { tool: name, round, ms, bytes, failure: null },
    }
  } catch (error) {
    const { code, message } = problemOf(error, 'failed')
    return failed(code, message)
  }
}

function textOf(plan: ToolPlan): string {
  const text = plan.kind === 'result' ? plan.text : plan.result
  return text.length <= mostResultChars
    ? text
    : `${text.slice(0, mostResultChars)}\n[cut here: the result was ${text.length} characters long]`
}

function asCall(call: HiddenCall): ToolCall {
  const written = call.arguments.trim()
  if (written === '') return { ...call, input: {} }
  try {
    const value: unknown = JSON.parse(written)
    return {
      ...call,
      input:
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value))
          : null,
    }
  } catch (error) {
    if (error instanceof SyntaxError) return { ...call, input: null }
    throw error
  }
}

/** Runs with a time limit; a tool that does not heed its signal is not waited for. */
async function within<T>(
  ms: number,
  outer: AbortSignal,
  clock: Clock,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const stop = () => own.abort()
  if (outer.aborted) stop()
  outer.addEventListener('abort', stop, { once: true })
  let late = false
  const timer = clock.after(ms, () => {
    late = true
    stop()
  })
  try {
    return await Promise.race([
      run(own.signal),
      new Promise<never>((_, reject) => {
        const give = () =>
          reject(
            late
              ? new OnwardError('timed-out', `It did not answer within ${Math.round(ms / 1000)} s.`)
              : new OnwardError('aborted', 'The answer was broken off meanwhile.'),
          )
        if (own.signal.aborted) give()
        else own.signal.addEventListener('abort', give, { once: true })
      }),
    ])
  } finally {
    timer.dispose()
    outer.removeEventListener('abort', stop)
  }
}

/** The result that a model reads for a call that could not be run. */
export const failureText = (code: string, message: string, retryable = true): string =>
  JSON.stringify({ ok: false, retryable, error: { code, message } })
