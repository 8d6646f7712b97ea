import type { AnswerEvent, AnswerUsage } from '../../../canonical/answer.ts'
import type { ReadContext, WriteContext } from '../../../canonical/codec.ts'
import type { CanonicalRequest } from '../../../canonical/request.ts'
import { sseFrames } from '../../../answer/sse-frames.ts'
import type { JsonObject } from '../../../values.ts'
import { geminiConversion } from '../index.ts'
import { plainRequest } from '../../../testing/plain-request.ts'

export const request: CanonicalRequest = { ...plainRequest, model: 'gemini-3-pro' }

export function writing(): WriteContext & { names: string[] } {
  const names: string[] = []
  return {
    model: 'asked-model',
    request,
    nowMs: 0,
    newId: (prefix) => `${prefix}new`,
    dropped: (name) => names.push(name),
    names,
  }
}

export function reading(): ReadContext & { events: AnswerEvent[]; names: string[] } {
  const events: AnswerEvent[] = []
  const names: string[] = []
  let ids = 0
  return {
    emit: (event) => events.push(event),
    dropped: (name) => names.push(name),
    unshown: (name) => names.push(name),
    newId: (prefix) => `${prefix}${++ids}`,
    events,
    names,
  }
}

export function readSse(text: string): { events: AnswerEvent[]; names: string[] } {
  const context = reading()
  const reader = geminiConversion.readStream(context)
  sseFrames((frame) => frame.says && reader.event(frame)).push(Buffer.from(text))
  reader.end()
  return context
}

export function readChunks(...chunks: unknown[]): { events: AnswerEvent[]; names: string[] } {
  return readSse(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(''))
}

export function readWhole(body: JsonObject): { events: AnswerEvent[]; names: string[] } {
  const context = reading()
  geminiConversion.readBody(body, context)
  return context
}

export function writeSse(events: readonly AnswerEvent[], context = writing()): string {
  const writer = geminiConversion.writeStream(context)
  return events.map((event) => writer.write(event)).join('')
}

export function writeWhole(events: readonly AnswerEvent[], context = writing()): JsonObject {
  const writer = geminiConversion.writeBody(context)
  for (const event of events) writer.add(event)
  return writer.body()
}

/** The content of an answer, whatever pieces it came in. */
export interface Said {
  blocks: { kind: string; text: string; call?: { id: string; name: string }; seal?: string }[]
  finish: string | null
  error: string | null
  usage: AnswerUsage | null
}

export function fold(events: readonly AnswerEvent[]): Said {
  const said: Said = { blocks: [], finish: null, error: null, usage: null }
  for (const event of events) {
    const block = said.blocks.at(-1)
    if (event.type === 'begin') {
      const { part } = event
      said.blocks.push({
        kind: part.kind,
        text: '',
        ...(part.kind === 'tool-call' && { call: { id: part.id, name: part.name } }),
      })
    } else if (event.type === 'delta' && block) block.text += event.text
    else if (event.type === 'seal' && block) block.seal = event.seal.data
    else if (event.type === 'finish') {
      said.finish = event.reason
      said.usage = event.usage
    } else if (event.type === 'error') said.error = event.code
  }
  return said
}
