/** As much of ACP (version 1) as the bridge has to understand; all else goes by as it is. */
import { z } from 'zod'
import { parseJson } from '../../../shared/parse-json.ts'

export type Id = string | number | null

/** One message of either side. */
export type Message =
  | { kind: 'request'; id: Id; method: string; params: unknown }
  | { kind: 'notification'; method: string; params: unknown }
  | { kind: 'answer'; id: Id; result: unknown; failed: boolean }
  /** an empty line */
  | { kind: 'blank' }
  /** a list of messages, or something else that nobody here can tell */
  | { kind: 'unread' }

const id = z.union([z.string(), z.number(), z.null()])
const rpc = z.union([
  z.object({ method: z.string(), id: id.optional(), params: z.unknown().optional() }),
  z.object({ id, result: z.unknown().optional(), error: z.unknown().optional() }),
])

export function readMessage(line: Buffer): Message {
  const text = line.toString('utf8').trim()
  if (text === '') return { kind: 'blank' }
  const parsed = rpc.safeParse(parseJson(text))
  if (!parsed.success) return { kind: 'unread' }
  const message = parsed.data
  if (!('method' in message))
    return { kind: 'answer', id: message.id, result: message.result, failed: message.error !== undefined }
  const { method, params } = message
  return message.id === undefined
    ? { kind: 'notification', method, params }
    : { kind: 'request', id: message.id, method, params }
}

const read =
  <T>(schema: z.ZodType<T>) =>
  (value: unknown): T | null =>
    schema.safeParse(value).data ?? null

const ofSession = read(z.object({ sessionId: z.string() }))
export const sessionOf = (value: unknown): string | null => ofSession(value)?.sessionId ?? null

const text = z.object({ text: z.string() })
const promptText = read(z.object({ prompt: z.array(z.union([text, z.unknown().transform(() => ({ text: '' }))])) }))
export const textOfPrompt = (params: unknown): string =>
  promptText(params)
    ?.prompt.map((block) => block.text)
    .join('') ?? ''

const chunk = read(
  z.object({
    update: z.object({ sessionUpdate: z.enum(['user_message_chunk', 'agent_message_chunk']), content: text }),
  }),
)
/** Returns what either side said in an update; null: it is about something else. */
export const textOfUpdate = (params: unknown): string | null => chunk(params)?.update.content.text ?? null

export const permissionAsked = read(
  z.object({
    toolCall: z.object({ title: z.string().nullish() }),
    options: z.array(z.object({ name: z.string() })),
  }),
)

const cancelled = read(z.object({ requestId: id }))
export const cancelledRequest = (params: unknown): Id | undefined => cancelled(params)?.requestId

export const writeMessage = (message: Readonly<Record<string, unknown>>): Buffer =>
  Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
