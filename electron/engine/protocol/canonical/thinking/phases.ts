import { createHash } from 'node:crypto'
import { asList, asObjects, type JsonObject } from '../../values.ts'
import type { AnswerEvent, Emit } from '../answer.ts'
import type { CanonicalRequest, Message, PhaseSeal, Seal, TextPart, ThinkingPart } from '../request.ts'

/**
 * Seals the phase of a message of the model's: what it is for, `commentary` on the way or the `final_answer`. Newer
 * models of OpenAI say it on output items and want it back on input items: "preserve and resend phase on all assistant
 * messages — dropping it can degrade performance" (openai SDK 6.49, `ResponseOutputMessage.phase`,
 * `EasyInputMessage.phase`). Clients of other protocols have no member for it: it goes to them sealed, in a thinking
 * block without words in front of the text. Anthropic's own answers have such blocks (`display: "omitted"`), and after
 * the text one would take the place of the last words, which some clients print as the result.
 */
export function sealPhases(emit: Emit, newId: (prefix: string) => string): Emit {
  const texts = new Set<number>()
  const said = createHash('sha256')
  let at = 0
  return (event: AnswerEvent) => {
    if (event.type === 'begin' && event.part.kind === 'text') {
      texts.add(event.block)
      const { phase } = event.part
      if (phase !== undefined) {
        const seal: Seal = { of: 'responses', data: phase, phase: { at, before: short(said.copy()), mark: newId('') } }
        // Between two whole numbers, so that it is no other block's.
        const block = event.block + 0.5
        emit({ type: 'begin', block, part: { kind: 'thinking' } })
        emit({ type: 'seal', block, seal })
        emit({ type: 'end', block })
      }
    }
    if (event.type === 'delta' && texts.has(event.block)) {
      at += event.text.length
      said.update(event.text)
    }
    emit(event)
  }
}

const short = (hash: ReturnType<typeof createHash>): string => hash.digest('base64url').slice(0, 12)
const digest = (text: string): string => short(createHash('sha256').update(text))

type Part = Extract<Message, { role: 'assistant' }>['parts'][number]
type Carrier = ThinkingPart & { seal: Seal & { phase: PhaseSeal } }

const isCarrier = (part: Part): part is Carrier => part.type === 'thinking' && part.seal?.phase !== undefined

/** The request with the phases that a client handed back on their texts again; `unread` names what found none. */
export function withPhases(request: CanonicalRequest): CanonicalRequest {
  let lost = false
  let found = false
  const messages = request.messages.map((message) => {
    if (message.role !== 'assistant' || !message.parts.some(isCarrier)) return message
    found = true
    const read = laidBack(message.parts)
    lost ||= read.lost
    return { ...message, parts: read.parts }
  })
  if (!found) return request
  return { ...request, messages, unread: lost ? [...request.unread, 'phase'] : request.unread }
}

/** For providers whose protocol has no phases. */
export function withoutPhases(request: CanonicalRequest): { request: CanonicalRequest; dropped: readonly string[] } {
  const isPhased = (part: Part): boolean => part.type === 'text' && part.phase !== undefined
  if (!request.messages.some((message) => message.role === 'assistant' && message.parts.some(isPhased)))
    return { request, dropped: [] }
  const messages = request.messages.map((message): Message =>
    message.role === 'assistant' ? { ...message, parts: message.parts.map(withoutPhase) } : message,
  )
  return { request: { ...request, messages }, dropped: ['phase'] }
}

function withoutPhase(part: Part): Part {
  if (part.type !== 'text') return part
  const { phase: _, ...rest } = part
  return rest
}

/**
 * Texts right after a carrier are one text of the model's, which some clients keep in pieces. Where a client keeps all
 * texts as one (Chat), the carriers stand in front of it together, and each says where its own began.
 */
function laidBack(parts: readonly Part[]): { parts: Part[]; lost: boolean } {
  const whole = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const out: Part[] = []
  let waiting: Carrier[] = []
  let run: TextPart[] = []
  let before = 0
  let lost = false

  function endRun(): void {
    const [first] = run
    if (!first) return
    const text = run.map((part) => part.text).join('')
    const pieces = waiting.length === 0 ? null : piecesOf(waiting, text, before, whole)
    if (waiting.length > 0 && !pieces) lost = true
    const cache = run.findLast((part) => part.cache)?.cache
    if (!pieces) out.push(...run)
    else
      for (const [i, piece] of pieces.entries())
        out.push({ type: 'text', ...piece, ...(cache && i === pieces.length - 1 ? { cache } : {}) })
    before += text.length
    waiting = []
    run = []
  }

  for (const part of parts) {
    if (part.type === 'text') {
      run.push(part)
      continue
    }
    endRun()
    if (isCarrier(part)) {
      waiting.push(part)
      continue
    }
    if (part.type === 'tool-call') waiting = []
    out.push(part)
  }
  endRun()
  return { parts: out, lost }
}

/** null: the text is no longer the one that the carriers were made for. */
function piecesOf(
  carriers: readonly Carrier[],
  text: string,
  before: number,
  whole: string,
): { text: string; phase?: string }[] | null {
  const fits = ({ at, before: said }: PhaseSeal): boolean =>
    at - before < text.length && digest(whole.slice(0, at)) === said
  const starts = carriers.map(({ seal }) => seal.phase.at - before)
  const rises = starts.every((start, i) => start > (starts[i - 1] ?? -1))
  const [only] = carriers
  if (rises && carriers.every(({ seal }) => fits(seal.phase))) {
    const pieces = carriers.map(({ seal }, i) => ({ text: text.slice(starts[i], starts[i + 1]), phase: seal.data }))
    const [first = 0] = starts
    return first > 0 ? [{ text: text.slice(0, first) }, ...pieces] : pieces
  }
  return only && carriers.every(({ seal }) => seal.data === only.seal.data) ? [{ text, phase: only.seal.data }] : null
}

/**
 * Models that refuse a history with calls when any answer of it lacks its thinking, whichever model gave that answer:
 * "The `reasoning_content` in the thinking mode must be passed back to the API" (DeepSeek,
 * https://api-docs.deepseek.com/guides/thinking_mode; MiMo,
 * https://platform.xiaomimimo.com/docs/en-US/usage-guide/passing-back-reasoning_content), "thinking is enabled but
 * reasoning_content is missing in assistant tool call message" (Kimi). Older models of the same names don't think, and
 * some servers that run them refuse the member.
 */
const wanting = new RegExp(
  '(?:^|[/:])(?:' +
    [
      'deepseek-(?:v(?:3\\.[12]|[4-9])|chat|reasoner|flash|pro)',
      'kimi-(?:k2[.p][5-9]|k2-thinking|k[3-9]|for-coding|latest)',
      'k2p[5-9]',
      'mimo-v[2-9]',
    ].join('|') +
    ')',
  'i',
)

export const wantsThinkingBack = (model: string): boolean => wanting.test(model)

/**
 * Gemini 3 answers 400 when the first function call of a step of the current turn has no signature. For calls that
 * another model made Google names this value, which its check lets pass
 * (https://ai.google.dev/gemini-api/docs/thought-signatures, questions at the end). It is base64 as it stands.
 */
export const noSignature = 'skip_thought_signature_validator'

/**
 * Stands where a model's own thinking is not known. Not empty: DeepSeek V4 Pro takes that for none
 * (https://github.com/NousResearch/hermes-agent/pull/18263).
 */
const placeholder = ' '
const placeholderBlock = { type: 'thinking', thinking: placeholder, signature: '' }

/** Where Chat's vendors have the thinking of an answer. */
const thinkingMembers = ['reasoning_content', 'reasoning', 'reasoning_text', 'reasoning_details']

/**
 * Chat's messages with a placeholder in every answer that lacks what its model wants back, also before the first call:
 * what was sent once reads the same in later requests. `refused`: the model said so itself, whatever it is called.
 * @returns the same list where nothing is missing
 */
export function placedInChat(messages: readonly JsonObject[], model: string, refused: boolean): readonly JsonObject[] {
  if (!refused && !wantsThinkingBack(model)) return messages
  const isGoogle = /gemini/i.test(model)
  return mapped(messages, (message) => {
    if (message['role'] !== 'assistant') return message
    if (isGoogle) return withSignature(message)
    return thinkingMembers.some((name) => message[name]) ? message : { ...message, reasoning_content: placeholder }
  })
}

/** Google's Chat API has a call's signature beside the function; the first call of a step needs one. */
function withSignature(message: JsonObject): JsonObject {
  const [first, ...more] = asObjects(message['tool_calls'])
  if (!first || first['extra_content']) return message
  const extra = { google: { thought_signature: noSignature } }
  return { ...message, tool_calls: [{ ...first, extra_content: extra }, ...more] }
}

/** The same for Messages. */
export function placedInMessages(messages: readonly JsonObject[], model: string): readonly JsonObject[] {
  if (!wantsThinkingBack(model)) return messages
  return mapped(messages, (message) => {
    if (message['role'] !== 'assistant' || has(message, 'thinking')) return message
    const { content } = message
    const said = typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)
    return { ...message, content: [placeholderBlock, ...said] }
  })
}

const has = ({ content }: JsonObject, type: string): boolean =>
  asObjects(content).some((block) => block['type'] === type)

function mapped<T>(list: readonly T[], change: (one: T) => T): readonly T[] {
  const after = list.map(change)
  return after.every((one, i) => one === list[i]) ? list : after
}
