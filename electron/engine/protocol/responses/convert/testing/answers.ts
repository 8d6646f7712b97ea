import type { AnswerEvent, AnswerFinish, AnswerUsage, BlockKind } from '../../../canonical/answer.ts'
import type { ReadContext, WriteContext } from '../../../canonical/codec.ts'
import type { CanonicalRequest, Seal } from '../../../canonical/request.ts'
import { sseFrames } from '../../../answer/sse-frames.ts'
import type { JsonObject } from '../../../values.ts'
import { responsesConversion } from '../index.ts'
import { plainRequest } from '../../../testing/plain-request.ts'

export interface FoldedBlock {
  part: BlockKind
  text: string
  seal: Seal | null
}
export interface Folded {
  blocks: FoldedBlock[]
  reason: AnswerFinish | null
  usage: AnswerUsage | null
  error: string | null
  dropped: string[]
}

/** Folds an answer's events into their content, blocks in the order they began; fails on events out of order. */
export function fold(events: readonly AnswerEvent[], dropped: readonly string[] = []): Folded {
  const folded: Folded = {
    blocks: [],
    reason: null,
    usage: null,
    error: null,
    dropped: [...new Set(dropped)],
  }
  const open = new Map<number, FoldedBlock>()
  let ended = false
  let last = -1
  const block = (n: number): FoldedBlock => {
    const found = open.get(n)
    if (!found) throw new Error(`block ${n} is not open`)
    return found
  }
  for (const [i, event] of events.entries()) {
    if (ended) throw new Error(`${event.type} comes behind the end`)
    if ((i === 0) !== (event.type === 'start')) throw new Error(`${event.type} as event ${i}`)
    switch (event.type) {
      case 'start':
        break
      case 'begin': {
        if (event.block <= last) throw new Error(`block ${event.block} does not rise`)
        last = event.block
        const begun = { part: event.part, text: '', seal: null }
        open.set(event.block, begun)
        folded.blocks.push(begun)
        break
      }
      case 'delta':
        block(event.block).text += event.text
        break
      case 'seal':
        block(event.block).seal = event.seal
        break
      case 'end':
        block(event.block)
        open.delete(event.block)
        break
      case 'finish':
        if (open.size > 0) throw new Error('finish with open blocks')
        folded.reason = event.reason
        folded.usage = event.usage
        ended = true
        break
      case 'error':
        folded.error = event.code
        ended = true
    }
  }
  if (!ended) throw new Error('no end')
  return folded
}

const ids = (): ((prefix: string) => string) => {
  let n = 0
  return (prefix) => `${prefix}${++n}`
}

interface Read {
  events: AnswerEvent[]
  dropped: string[]
  context: ReadContext
}
function reading(): Read {
  const events: AnswerEvent[] = []
  const dropped: string[] = []
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
      newId: ids(),
    },
  }
}

/** Reads a stream as a provider sends it. */
export function readWire(wire: string): { events: AnswerEvent[]; folded: Folded } {
  const { events, dropped, context } = reading()
  const reader = responsesConversion.readStream(context)
  sseFrames((frame) => frame.says && reader.event(frame)).push(Buffer.from(wire))
  reader.end()
  return { events, folded: fold(events, dropped) }
}

export function readWhole(body: JsonObject): Folded {
  const { events, dropped, context } = reading()
  responsesConversion.readBody(body, context)
  return fold(events, dropped)
}

export function writing(request: Partial<CanonicalRequest> = {}): WriteContext & { names: string[] } {
  const names: string[] = []
  return {
    model: 'asked-for',
    request: { ...plainRequest, ...request },
    nowMs: 1_700_000_000_000,
    newId: ids(),
    dropped: (name) => {
      names.push(name)
    },
    names,
  }
}

export function writeWire(events: readonly AnswerEvent[], context: WriteContext = writing()): string {
  const writer = responsesConversion.writeStream(context)
  return events.map((event) => writer.write(event)).join('')
}

export function writeWhole(events: readonly AnswerEvent[], context: WriteContext = writing()): JsonObject {
  const writer = responsesConversion.writeBody(context)
  for (const event of events) writer.add(event)
  return writer.body()
}

/** Writes SSE as a provider does: events by type and members, numbered. */
export const wireOf = (events: readonly JsonObject[]): string =>
  events
    .map((event, i) => `event: ${String(event['type'])}\ndata: ${JSON.stringify({ ...event, sequence_number: i })}\n\n`)
    .join('')
