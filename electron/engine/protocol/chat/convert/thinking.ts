import type { Seal, ThinkingPart, Message } from '../../canonical/request.ts'
import { sealForClient, sealFromClient } from '../../canonical/thinking/seal.ts'
import { asList, asName, asObject, asObjects, asText, parseObject, type JsonObject } from '../../values.ts'
import { thinkingTexts } from '../facts.ts'

/**
 * Chat has no thinking of its own. Providers put it in `reasoning_content` (DeepSeek, Kimi, GLM, vLLM), `reasoning` or
 * `reasoning_details` (OpenRouter), in `reasoning_text` with `reasoning_opaque` (GitHub Copilot) or in a part of
 * `content` (Mistral), and want it back there: a seal of Chat says where, by the member's name, by the opaque member or
 * by the details themselves. Their texts are left out of the seal, the thinking has them: a text is written as its
 * place there, `[from, to]`.
 */
type PlainMember = (typeof thinkingTexts)[number] | 'content'

const sealOfMember = (member: PlainMember): Seal => ({ of: 'chat', data: member })

/** Collects what a thinking block's seal must hold, piece by piece. */
interface SealCollector {
  /**
   * @param whole details are whole, not pieces that go on
   * @returns the text that this delta or message adds to the thinking, null when it says nothing of it
   */
  take(message: JsonObject, whole: boolean): string | null
  /** text that came another way */
  add(text: string, member: PlainMember): void
  /** the seal of what was taken since the last one */
  seal(): Seal | null
}

export function sealCollector(): SealCollector {
  let details: Record<string, unknown>[] = []
  let member: PlainMember | null = null
  let opaque: string | null = null
  let length = 0
  /** its words come in a member of their own, and `thinking_blocks` only repeats them */
  let namesPlain = false

  function takeDetail(detail: JsonObject, whole: boolean): string {
    const name = asText(detail['text']) !== null ? 'text' : asText(detail['summary']) !== null ? 'summary' : null
    const text = name === null ? '' : (asText(detail[name]) ?? '')
    const last = details.at(-1)
    // Texts come in pieces, then their signature; encrypted thinking comes whole.
    const goesOn =
      !whole &&
      last !== undefined &&
      last['type'] === detail['type'] &&
      last['index'] === detail['index'] &&
      detail['data'] === undefined
    const entry: Record<string, unknown> = goesOn ? last : {}
    for (const key in detail) if (key !== name && (detail[key] !== null || !(key in entry))) entry[key] = detail[key]
    if (name !== null) {
      const before = entry[name]
      entry[name] = [Array.isArray(before) && before[1] === length ? before[0] : length, length + text.length]
    }
    if (!goesOn) details.push(entry)
    length += text.length
    return text
  }

  function add(text: string, from: PlainMember): void {
    member ??= from
    length += text.length
  }

  return {
    add,
    take(message, whole) {
      let text = ''
      const list = asObjects(message['reasoning_details'])
      for (const detail of list) text += takeDetail(detail, whole)
      const sealed = asName(message['reasoning_opaque'])
      opaque = sealed ?? opaque
      if (text !== '') return text
      const name = thinkingTexts.find((one) => asName(message[one]) !== null)
      const plain = name === undefined ? null : asName(message[name])
      const blocks = plain === null && !namesPlain ? textOfBlocks(message['thinking_blocks']) : ''
      if (blocks !== '') {
        add(blocks, 'reasoning_content')
        return blocks
      }
      if (name === undefined || plain === null) return list.length > 0 || sealed !== null ? '' : null
      namesPlain = true
      add(plain, name)
      return plain
    },
    seal() {
      const whole = details.length > 0 ? details : opaque !== null && { reasoning_opaque: opaque }
      const seal: Seal | null = whole
        ? { of: 'chat', data: JSON.stringify(whole), ...(length === 0 ? { redacted: true } : {}) }
        : member && sealOfMember(member)
      details = []
      member = null
      opaque = null
      length = 0
      return seal
    },
  }
}

/** LiteLLM says a thought in blocks as well, and some of its versions only there. */
const textOfBlocks = (value: unknown): string =>
  asList(value)
    .map((block) => asText(asObject(block)?.['thinking']) ?? '')
    .join('')

const ours = /^onward-(\d+)-(\d+)(?:-(\d+)-(\d+)-(\w+))?$/

/** The place of a thought: in `reasoning_content`, and after how much text and how many calls. */
interface ThoughtPlace {
  from: number
  to: number
  text: TextBefore
  calls: number
}

/** The detail in which a client keeps a seal for us: where its thinking stands, and the seal. */
export function clientDetail(seal: Seal, { from, to, text, calls }: ThoughtPlace, index: number): JsonObject | null {
  const first = text.length === 0 && calls === 0
  if (first && seal.of === 'chat' && seal.data === 'reasoning_content') return null
  return {
    type: 'reasoning.encrypted',
    id: `onward-${from}-${to}${first ? '' : `-${text.length}-${calls}-${text.digest ?? ''}`}`,
    format: 'unknown',
    index,
    data: sealForClient(seal, 'chat'),
  }
}

/** The thinking that a client hands back in an assistant message. */
export function readThinking(message: JsonObject): PlacedThinking[] {
  const details = asObjects(message['reasoning_details'])
  const kept = details.filter((detail) => ours.test(asText(detail['id']) ?? ''))
  if (kept.length > 0) return readKept(kept, asText(message['reasoning_content']) ?? asText(message['reasoning']) ?? '')
  const collector = sealCollector()
  const text = collector.take(message, true)
  return text === null ? [] : [inFront({ type: 'thinking', text, seal: collector.seal() })]
}

const inFront = (part: ThinkingPart): PlacedThinking => ({ part, text: noText, calls: 0 })

function readKept(details: readonly JsonObject[], text: string): PlacedThinking[] {
  const parts: PlacedThinking[] = []
  let at = 0
  for (const detail of details) {
    const [, from, to, length = '0', calls = '0', digest = null] = ours.exec(asText(detail['id']) ?? '') ?? []
    const [start, end] = [Number(from), Number(to)]
    const data = asName(detail['data'])
    if (data === null || start < at || end < start || end > text.length) continue
    addUnsealed(parts, text.slice(at, start))
    const part: ThinkingPart = { type: 'thinking', text: text.slice(start, end), seal: sealFromClient(data, 'chat') }
    parts.push({ part, text: { length: Number(length), digest }, calls: Number(calls) })
    at = end
  }
  addUnsealed(parts, text.slice(at))
  return parts
}

function addUnsealed(parts: PlacedThinking[], text: string): void {
  if (text.trim() !== '') parts.push(inFront({ type: 'thinking', text, seal: sealOfMember('reasoning_content') }))
}

/**
 * Puts thinking into a provider's assistant message as the provider made it. @returns false where no Chat provider made
 * it
 */
export function giveBack(part: ThinkingPart, message: Record<string, unknown>): boolean {
  const { seal } = part
  if (seal?.of !== 'chat') return false
  const text = seal.text ?? part.text
  const opaque = seal.data.startsWith('{') ? asName(parseObject(Buffer.from(seal.data))?.['reasoning_opaque']) : null
  const member = opaque === null ? thinkingTexts.find((one) => one === seal.data) : 'reasoning_text'
  if (member !== undefined) {
    const said = (asText(message[member]) ?? '') + text
    if (opaque === null || said !== '') message[member] = said
    if (opaque !== null) message['reasoning_opaque'] = opaque
    return true
  }
  const details = unpacked(seal.data, text)
  if (details) message['reasoning_details'] = [...asList(message['reasoning_details']), ...details]
  return details !== null
}

function unpacked(data: string, text: string): JsonObject[] | null {
  if (!data.startsWith('[')) return null
  const list = parseObject(Buffer.from(`{"list":${data}}`))?.['list']
  const details: JsonObject[] = []
  for (const entry of asList(list)) {
    const detail = asObject(entry)
    if (!detail) return null
    const whole: Record<string, unknown> = { ...detail }
    for (const name of ['text', 'summary']) {
      const place = detail[name]
      if (!Array.isArray(place)) continue
      if (!(place[1] <= text.length)) return null
      whole[name] = text.slice(Number(place[0]), Number(place[1]))
    }
    details.push(whole)
  }
  return details
}

/** A call's seal stands where Google's Chat API has it: in `extra_content` beside the function. */
export function readCallSeal(call: JsonObject): Seal | null {
  const extra = asObject(call['extra_content'])
  if (!extra) return null
  const signature = asName(asObject(extra['google'])?.['thought_signature'])
  const seal = signature === null ? null : sealFromClient(signature, 'chat')
  return seal && seal.data !== signature ? seal : { of: 'chat', data: JSON.stringify(extra) }
}

/** `extra_content` for the provider that made it; null for a seal of another protocol. */
export const extraOfSeal = (seal: Seal): JsonObject | null =>
  seal.of === 'chat' ? parseObject(Buffer.from(seal.data)) : null

export const extraForClient = (seal: Seal): JsonObject =>
  extraOfSeal(seal) ?? { google: { thought_signature: sealForClient(seal, 'chat') } }

type AssistantPart = Extract<Message, { role: 'assistant' }>['parts'][number]

/** Visible text in front of something, and how to check that it is still the same. */
interface TextBefore {
  /** UTF-16 units */
  length: number
  /** null: unknown */
  digest: string | null
}

export const noText: TextBefore = { length: 0, digest: null }

/** FNV-1a, 32 bits: it shows that a client has changed a text, and is no protection. */
export function textSoFar(text = ''): { add(text: string): void; readonly length: number; now(): TextBefore } {
  let hash = 0x811c9dc5
  const soFar = {
    length: 0,
    add(more: string) {
      soFar.length += more.length
      for (let i = 0; i < more.length; i++) hash = Math.imul(hash ^ more.charCodeAt(i), 0x01000193)
    },
    now: () => ({ length: soFar.length, digest: (hash >>> 0).toString(36) }),
  }
  soFar.add(text)
  return soFar
}

/** A thought of the model's, and what the model had said when it came. */
interface PlacedThinking {
  part: ThinkingPart
  /** visible text in front of it */
  text: TextBefore
  /** calls in front of it */
  calls: number
}

/**
 * Chat keeps an answer's thoughts, words and calls apart. Puts them together in the order in which the model said them:
 * a provider that signs its thinking compares the order too. Words that the client changed are not taken apart.
 */
export function placeThinking(placed: readonly PlacedThinking[], said: readonly AssistantPart[]): AssistantPart[] {
  const words = said.filter((part) => part.type !== 'tool-call')
  const calls = said.filter((part) => part.type === 'tool-call')
  const whole = words.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const speech = speechOf(words)
  const parts: AssistantPart[] = []
  let called = 0
  for (const thought of placed) {
    const to = isSame(thought.text, whole) ? thought.text.length : thought.calls > 0 ? whole.length : 0
    parts.push(...speech.upTo(to), ...calls.slice(called, thought.calls), thought.part)
    called = Math.max(called, thought.calls)
  }
  return [...parts, ...speech.rest(), ...calls.slice(called)]
}

/** Words in their order, taken from the front; a text comes apart where something stood in it. */
function speechOf(words: readonly AssistantPart[]): { upTo(units: number): AssistantPart[]; rest(): AssistantPart[] } {
  const left = [...words]
  let said = 0
  return {
    upTo(units) {
      const taken: AssistantPart[] = []
      for (let next = left[0]; next && said < units; next = left[0]) {
        left.shift()
        const text = next.type === 'text' ? next.text : ''
        const length = Math.min(text.length, units - said)
        said += length
        if (next.type !== 'text' || length === text.length) taken.push(next)
        else {
          taken.push({ ...next, text: text.slice(0, length) })
          left.unshift({ ...next, text: text.slice(length) })
        }
      }
      return taken
    },
    rest: () => left.splice(0),
  }
}

const isSame = ({ length, digest }: TextBefore, whole: string): boolean =>
  length === 0 || (length <= whole.length && digest === textSoFar(whole.slice(0, length)).now().digest)
