import { createHash } from 'node:crypto'
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
