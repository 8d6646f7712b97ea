import type { AnswerEvent, AnswerUsage, BlockKind } from '../../../canonical/answer.ts'
import type { ReadContext, WriteContext } from '../../../canonical/codec.ts'
import type { CanonicalRequest, Seal } from '../../../canonical/request.ts'
import { sseFrames } from '../../../answer/sse-frames.ts'
import type { JsonObject } from '../../../values.ts'
import { chatConversion } from '../index.ts'
import { plainRequest } from '../../../testing/plain-request.ts'

/** A request with nothing in it but what is given. */
export const asked = (given: Partial<CanonicalRequest> = {}): CanonicalRequest => ({
  ...plainRequest,
  model: 'gpt-5',
  stream: false,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  includeUsage: false,
  ...given,
})

export const read = (body: JsonObject): CanonicalRequest =>
  chatConversion.readRequest(body, { path: '/v1/chat/completions' })
export const written = (request: CanonicalRequest, model = request.model) =>
  chatConversion.writeRequest(request, { model, maxOutput: null })

interface Heard {
  events: AnswerEvent[]
  dropped: string[]
}

function listener(): Heard & { context: ReadContext } {
  const events: AnswerEvent[] = []
  const dropped: string[] = []
  let ids = 0
  return {
    events,
    dropped,
    context: {
      emit: (event) => {
        events.push(event)
      },
      dropped: (name) => {
        dropped.push(name)
      },
      unshown: (name) => {
        dropped.push(name)
      },
      newId: (prefix) => `${prefix}new${ids++}`,
    },
  }
}

/** Reads a provider's stream, and ends it. */
export function heard(stream: string): Heard {
  const { context, ...seen } = listener()
  const reader = chatConversion.readStream(context)
  const splitter = sseFrames((frame) => frame.says && reader.event(frame))
  splitter.push(Buffer.from(stream))
  reader.end()
  return seen
}

export function heardBody(body: JsonObject): Heard {
  const { context, ...seen } = listener()
  chatConversion.readBody(body, context)
  return seen
}

/** Events of a stream, one a line, as a provider writes them. */
export const sse = (...chunks: readonly (JsonObject | string)[]): string =>
  chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('')

export const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-7',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'glm-5',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
})

function context(request: CanonicalRequest, dropped: string[]): WriteContext {
  let ids = 0
  return {
    model: request.model,
    request,
    nowMs: 1_764_000_000_500,
    newId: (prefix) => `${prefix}own${ids++}`,
    dropped: (name) => {
      dropped.push(name)
    },
  }
}

export function said(
  events: readonly AnswerEvent[],
  request = asked({ includeUsage: true }),
): { stream: string; dropped: string[] } {
  const dropped: string[] = []
  const writer = chatConversion.writeStream(context(request, dropped))
  return { stream: events.map((event) => writer.write(event)).join(''), dropped }
}

export function saidBody(events: readonly AnswerEvent[], request = asked()): { body: JsonObject; dropped: string[] } {
  const dropped: string[] = []
  const writer = chatConversion.writeBody(context(request, dropped))
  for (const event of events) writer.add(event)
  return { body: writer.body(), dropped }
}

/** The contents of an answer, however its events were cut. */
export interface Folded {
  text: string
  thinking: string
  refusal: string
  seals: Seal[]
  calls: { id: string; name: string; custom: boolean; text: string; seal: Seal | null }[]
  end: { reason: string; usage: AnswerUsage | null } | { code: string } | null
  /** what is wrong with the order of the events */
  problems: string[]
}

/** Folds an answer, and checks the order that the canonical contract demands. */
export function folded(events: readonly AnswerEvent[]): Folded {
  const out: Folded = { text: '', thinking: '', refusal: '', seals: [], calls: [], end: null, problems: [] }
  const open = new Map<number, { part: BlockKind; call: Folded['calls'][number] | null }>()
  let started = false
  let highest = -1
  for (const event of events) {
    if (out.end) out.problems.push(`${event.type} after the end`)
    if (event.type !== 'start' && event.type !== 'error' && !started)
      out.problems.push(`${event.type} before the start`)
    switch (event.type) {
      case 'start':
        if (started) out.problems.push('two starts')
        started = true
        break
      case 'begin': {
        if (event.block <= highest) out.problems.push(`block ${event.block} does not rise`)
        highest = event.block
        const { part } = event
        const call =
          part.kind === 'tool-call' ? { id: part.id, name: part.name, custom: part.custom, text: '', seal: null } : null
        if (call) out.calls.push(call)
        open.set(event.block, { part, call })
        break
      }
      case 'delta':
      case 'seal': {
        const block = open.get(event.block)
        if (!block) out.problems.push(`${event.type} in block ${event.block}, which is not open`)
        else if (event.type === 'seal') {
          if (block.call) block.call.seal = event.seal
          else out.seals.push(event.seal)
        } else if (block.call) block.call.text += event.text
        else if (block.part.kind !== 'tool-call' && block.part.kind !== 'search') out[block.part.kind] += event.text
        break
      }
      case 'end':
        if (!open.delete(event.block)) out.problems.push(`end of block ${event.block}, which is not open`)
        break
      case 'finish':
        if (open.size > 0) out.problems.push('finish with open blocks')
        out.end = { reason: event.reason, usage: event.usage }
        break
      case 'error':
        out.end = { code: event.code }
    }
  }
  return out
}
