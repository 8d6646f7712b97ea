/** The program of a thread: converts long requests and answers one after the other, while the engine serves others. */
import { parentPort } from 'node:worker_threads'
import { OnwardError } from '../../base/errors.ts'
import { systemRandom } from '../../base/ids.ts'
import { asBuffer } from '../../protocol/answer/frame.ts'
import { callIdsIn } from '../../protocol/canonical/kept/match-answers.ts'
import type { AnswerUsage } from '../../protocol/canonical/answer.ts'
import { codecOf } from '../../protocol/index.ts'
import type { Edit } from '../../protocol/json-bytes/index.ts'
import type { KeptAnswer } from '../../protocol/canonical/kept/match-answers.ts'
import {
  convertersOf,
  convertWhole,
  type AnswerJob,
  type ConvertedAnswer,
  readRequest,
  writeRequest,
  type ReadRequest,
  type RequestJob,
} from './convert.ts'
import { asJson, type KeptResponse } from '../request/stored-responses.ts'
import type { ThreadRequest, ThreadReply } from './conversion-thread.ts'

let reading: { job: RequestJob; read: ReadRequest } | null = null

function answerTo(ask: ThreadRequest): { result: unknown; moved: readonly Uint8Array[] } {
  switch (ask.kind) {
    case 'read': {
      const job = { ...ask.job, changes: ask.job.changes.map(withBuffer) }
      const read = readRequest(job, codecOf(job.from).read(asBuffer(job.body), job.path))
      reading = { job, read }
      return { result: callIdsIn(read.request.messages), moved: [] }
    }
    case 'write': {
      if (!reading) throw new RangeError('Nothing was read.')
      const { job, read } = reading
      reading = null
      const written = writeRequest(job, read, ask.kept)
      const body = Array.isArray(written.body) ? Buffer.concat(written.body) : written.body
      const input = written.input && asJson(written.input)
      return { result: { ...written, body, input }, moved: [body as Uint8Array] }
    }
    case 'answer':
      return convertedAnswer(ask.job)
  }
}

function convertedAnswer({ back, body, streaming }: AnswerJob): { result: ConvertedAnswer; moved: Uint8Array[] } {
  const dropped = new Set<string>()
  const thinking: KeptAnswer[] = []
  let usage: AnswerUsage | null = null
  let response: KeptResponse | null = null
  const converters = convertersOf(back, systemRandom(), {
    dropped: (name) => void dropped.add(name),
    usage: (counted) => {
      usage = counted
    },
    keepThinking: (answer) => void thinking.push(answer),
    keepResponse({ id, output }) {
      response = { id, output: asJson(output) }
    },
  })
  const whole = convertWhole(converters, asBuffer(body), streaming)
  const bytes = whole.kind === 'stream' ? whole.bytes : whole.kind === 'body' ? whole.body : null
  return { result: { whole, dropped: [...dropped], usage, thinking, response }, moved: bytes ? [bytes] : [] }
}

/** A buffer arrives as plain bytes. */
const withBuffer = (edit: Edit): Edit =>
  typeof edit.replacement === 'string' ? edit : { ...edit, replacement: asBuffer(edit.replacement) }

/** Memory that is not part of anything else is transferred instead of copied. */
const alone = (bytes: Uint8Array): ArrayBuffer[] =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []

function tell(told: ThreadReply, moved: readonly Uint8Array[] = []): void {
  parentPort?.postMessage(told, [...new Set(moved.flatMap(alone))])
}

// Only conversion-thread.ts starts it.
parentPort?.on('message', (ask: ThreadRequest) => {
  try {
    const { result, moved } = answerTo(ask)
    tell({ kind: 'done', result }, moved)
  } catch (error) {
    if (!OnwardError.isInstance(error)) throw error
    const { code, message, status, retryable, details } = error
    tell({ kind: 'refused', code, message, status, retryable, details })
  }
})
