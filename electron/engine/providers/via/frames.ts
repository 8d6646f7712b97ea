/**
 * The words of a line between an engine that borrows a provider and the one that lends it. Many calls share a line, so
 * each frame names its call; bodies go as the bytes they are, in pieces for which the reader has said it has room.
 */
import { z } from 'zod'
import { parseJson } from '../../../../shared/parse-json.ts'
import { providerTypes } from '../../../../shared/config/names.ts'

/** Bytes that may be on their way without a word of their reader. */
export const windowBytes = 256 * 1024
/** A reader says that it has room again when it has taken this much. */
export const roomBytes = windowBytes / 4
/** kind and call */
export const frameHead = 5

const patience = z.number().int().min(0)
const ask = z.object({
  provider: z.string().min(1),
  /** the protocol that the body speaks */
  type: z.enum(providerTypes),
  method: z.enum(['GET', 'POST']),
  path: z.string().startsWith('/'),
  headers: z.record(z.string(), z.string()),
  timeouts: z.object({ connectMs: patience, firstByteMs: patience, idleMs: patience }),
  /** what the engine that asks is called */
  from: z.string().max(200),
  /** of the body */
  bytes: patience,
})
const head = z.object({
  status: z.number().int(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
})
const error = z.object({
  code: z.string(),
  message: z.string(),
  status: z.number().int(),
  retryable: z.boolean(),
  details: z.record(z.string(), z.unknown()),
})

export type Ask = z.infer<typeof ask>
export type Head = z.infer<typeof head>
export type Failure = z.infer<typeof error>

export type Frame =
  | { kind: 'ask'; call: number; is: Ask }
  /** of the request or the answer, as whose end sends it */
  | { kind: 'data'; call: number; bytes: Buffer }
  | { kind: 'room'; call: number; bytes: number }
  | { kind: 'head'; call: number; is: Head }
  /** the whole body was said */
  | { kind: 'end'; call: number }
  | { kind: 'error'; call: number; is: Failure }
  /** `whole`: it has all of the answer, and the connection may serve again */
  | { kind: 'leave'; call: number; whole: boolean }

const kinds = ['ask', 'data', 'room', 'head', 'end', 'error', 'leave'] as const
const shapes = { ask, head, error }

export function encode(frame: Frame): Buffer {
  const rest = restOf(frame)
  const message = Buffer.allocUnsafe(frameHead + rest.length)
  message.writeUInt8(kinds.indexOf(frame.kind), 0)
  message.writeUInt32BE(frame.call, 1)
  message.set(rest, frameHead)
  return message
}

function restOf(frame: Frame): Buffer {
  switch (frame.kind) {
    case 'data':
      return frame.bytes
    case 'room': {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(frame.bytes)
      return bytes
    }
    case 'leave':
      return Buffer.from([frame.whole ? 1 : 0])
    case 'end':
      return Buffer.alloc(0)
    default:
      return Buffer.from(JSON.stringify(frame.is))
  }
}

/** Returns null for anything that this version does not know: a newer engine may say more. */
export function decode(message: Buffer): Frame | null {
  const kind = message.length < frameHead ? undefined : kinds[message.readUInt8(0)]
  if (kind === undefined) return null
  const call = message.readUInt32BE(1)
  const rest = message.subarray(frameHead)
  switch (kind) {
    case 'data':
      return { kind, call, bytes: rest }
    case 'room':
      return rest.length === 4 ? { kind, call, bytes: rest.readUInt32BE() } : null
    case 'leave':
      return { kind, call, whole: rest[0] === 1 }
    case 'end':
      return { kind, call }
    default: {
      const is = shapes[kind].safeParse(parseJson(rest.toString('utf8'))).data
      return is ? ({ kind, call, is } as Frame) : null
    }
  }
}

/**
 * Sends one body in pieces of at most `most` bytes, no further ahead of its reader than the window.
 * @returns what the reader's words of room go to, and whether all of it is gone
 */
export function pieces(give: (piece: Buffer) => void, most: number) {
  let waiting: Buffer[] = []
  let under = 0
  const flow = () => {
    for (let first = waiting[0]; first && under < windowBytes; first = waiting[0]) {
      const piece = first.subarray(0, Math.min(first.length, most, windowBytes - under))
      if (piece.length < first.length) waiting[0] = first.subarray(piece.length)
      else waiting.shift()
      under += piece.length
      give(piece)
    }
  }
  return {
    add(chunk: Buffer) {
      if (chunk.length > 0) waiting.push(chunk)
      flow()
    },
    room(bytes: number) {
      under = Math.max(0, under - bytes)
      flow()
    },
    /** nothing waits here */
    isGone: () => waiting.length === 0,
    drop() {
      waiting = []
    },
  }
}
