import type { EntryProtocol } from '../../../shared/words.ts'
import { chatCodec } from './chat/codec.ts'
import { chatServerTools } from './chat/server-tools/index.ts'
import { geminiCodec } from './gemini/codec.ts'
import { geminiServerTools } from './gemini/server-tools/index.ts'
import { isString, type Edit } from './json-bytes/index.ts'
import { memberEdits, rootOf } from './json-bytes/walk.ts'
import { messagesCodec } from './messages/codec.ts'
import { messagesServerTools } from './messages/server-tools/index.ts'
import { responsesCodec } from './responses/codec.ts'
import { responsesServerTools } from './responses/server-tools/index.ts'
import type { ServerToolCodec } from './server-tools/types.ts'
import type { EntryCodec, RequestLens } from './types.ts'

export { markEnd, withMark } from './append/cache-mark.ts'

const codecs: Record<EntryProtocol, EntryCodec> = {
  chat: chatCodec,
  responses: responsesCodec,
  messages: messagesCodec,
  gemini: geminiCodec,
}

export const codecOf = (entry: EntryProtocol): EntryCodec => codecs[entry]

/** The edit that gives a request another model; none when it names that model already. */
export function modelEdits(lens: RequestLens, model: string): Edit[] {
  const { body } = lens
  if (lens.model === model) return []
  if (lens.protocol !== 'gemini') {
    const at = lens.place('model')
    const replacement = JSON.stringify(model)
    // Nearly every request has one: its members need no further walk.
    return at
      ? [{ start: at.start, end: at.end, replacement }]
      : memberEdits(body, rootOf(body), { model: replacement })
  }
  // The path names the model. Only a whole request inside a countTokens names it again, and both must say the same.
  const at = lens.place('generateContentRequest', 'model')
  return at && isString(body, at)
    ? [{ ...at, replacement: JSON.stringify(`models/${model.replace(/^models\//, '')}`) }]
    : []
}

/**
 * Edits that replace the user texts for which `change` returns another text; nothing but their string tokens.
 * `mayChange` is asked of a whole message, then of each of its tokens.
 * @example userTextEdits(lens, stripUserText, mayHoldMarker)
 */
export function userTextEdits(
  lens: RequestLens,
  change: (text: string) => string,
  mayChange: (bytes: Buffer) => boolean = () => true,
): Edit[] {
  const edits: Edit[] = []
  for (const at of lens.userTexts(mayChange)) {
    if (!mayChange(lens.body.subarray(at.start, at.end))) continue
    const text = at.text()
    const changed = change(text)
    // JSON.stringify writes lone surrogates as escapes, so they stay what they were.
    if (changed !== text) edits.push({ start: at.start, end: at.end, replacement: JSON.stringify(changed) })
  }
  return edits
}

/**
 * True if the bytes of a JSON document can hold `<**` in one of its texts, written plainly or with escapes. A few
 * native searches, so that a request without markers is never walked; `true` only means that it is worth a look.
 */
export function mayHoldMarker(json: Buffer): boolean {
  return json.includes('<**') || holdsEscape(json, '002', isStar) || holdsEscape(json, '003', isSmallerThan)
}

/** Searches for the digits: a search for the backslash would stop at every line end and quote in a text. */
function holdsEscape(json: Buffer, digits: string, isIt: (json: Buffer, at: number) => boolean): boolean {
  for (let at = json.indexOf(digits); at >= 0; at = json.indexOf(digits, at + 3))
    if (json[at - 1] === letterU && json[at - 2] === backslash && isIt(json, at + 3)) return true
  return false
}

/** Programs that escape `<` in every JSON they write are common, ones that escape `*` are not. */
const isStar = (json: Buffer, at: number): boolean => json[at] === 0x61 || json[at] === 0x41
const isSmallerThan = (json: Buffer, at: number): boolean =>
  (json[at] === 0x63 || json[at] === 0x43) && json[at + 1] === star && json[at + 2] === star

const backslash = 0x5c
const letterU = 0x75
const star = 0x2a

const serverToolCodecs: Readonly<Record<EntryProtocol, ServerToolCodec>> = {
  chat: chatServerTools,
  responses: responsesServerTools,
  messages: messagesServerTools,
  gemini: geminiServerTools,
}

export const serverToolCodecOf = (entry: EntryProtocol): ServerToolCodec => serverToolCodecs[entry]
