import type { AnswerEvent } from '../../../canonical/answer.ts'
import type { ReadContext, WriteContext } from '../../../canonical/codec.ts'
import type { CanonicalRequest } from '../../../canonical/request.ts'
import { sseFrames } from '../../../answer/sse-frames.ts'
import { messagesConversion } from '../index.ts'
import { plainRequest } from '../../../testing/plain-request.ts'

/** A canonical request with nothing in it. */
export const emptyRequest: CanonicalRequest = { ...plainRequest, stream: false }

export const request = (members: Partial<CanonicalRequest>): CanonicalRequest => ({ ...emptyRequest, ...members })
export const said = (text: string): CanonicalRequest['messages'][number] => ({
  role: 'user',
  parts: [{ type: 'text', text }],
})

/** Returns what a reader emits for an answer, and what it leaves out. */
export function read(answer: string | object): { events: AnswerEvent[]; dropped: string[] } {
  const events: AnswerEvent[] = []
  const dropped: string[] = []
  let ids = 0
  const context: ReadContext = {
    emit: (event) => events.push(event),
    dropped: (name) => dropped.push(name),
    unshown: (name) => dropped.push(name),
    newId: (prefix) => `${prefix}${++ids}`,
  }
  if (typeof answer === 'string') {
    const reader = messagesConversion.readStream(context)
    sseFrames((frame) => frame.says && reader.event(frame)).push(Buffer.from(answer))
    reader.end()
  } else messagesConversion.readBody({ ...answer }, context)
  return { events, dropped }
}

export const writing = (members: Partial<CanonicalRequest> = {}): WriteContext => ({
  model: 'asked-model',
  request: request(members),
  nowMs: 0,
  newId: (prefix) => `${prefix}new`,
  dropped: () => undefined,
})

export function stream(events: readonly AnswerEvent[], context = writing()): string {
  const writer = messagesConversion.writeStream(context)
  return events.map((event) => writer.write(event)).join('')
}

export function body(events: readonly AnswerEvent[], context = writing()) {
  const writer = messagesConversion.writeBody(context)
  for (const event of events) writer.add(event)
  return writer.body()
}

/** Deltas of a block put together, so that answers cut differently can be compared; blocks numbered as they come. */
export function folded(events: readonly AnswerEvent[]): unknown[] {
  const blocks = new Map<number, { part: object; text: string; seal: object | null }>()
  const out: unknown[] = []
  for (const event of events) {
    const block = 'block' in event ? blocks.get(event.block) : undefined
    if (event.type === 'begin') {
      const begun = { part: event.part, text: '', seal: null }
      blocks.set(event.block, begun)
      out.push(begun)
    } else if (event.type === 'delta' && block) block.text += event.text
    else if (event.type === 'seal' && block) block.seal = event.seal
    else if (event.type !== 'end') out.push(event)
  }
  return out
}
