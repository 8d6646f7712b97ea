import type { Mutable } from '../../../base/mutable.ts'
import type { SearchBlock } from '../../canonical/answer.ts'
import { type ReadContext, inWords, noteMembers, noteMembersOf, saysSomething } from '../../canonical/codec.ts'
import type { Seal } from '../../canonical/request.ts'
import { asList, asName, asObject, asText, hasValue, type JsonObject } from '../../values.ts'
import * as facts from '../facts.ts'
import type { Draft } from './members.ts'
import { addPartialArgs } from './partial-args.ts'
import { sealOfText } from './seals.ts'

interface PartReader {
  part(part: JsonObject): void
  /** emits the reason why the answer was blocked, as text */
  refusal(text: string): void
  search(search: SearchBlock): void
  /** ends the open block */
  close(): void
  readonly hasCalls: boolean
  /** true while the streamed arguments of a call have not ended */
  halfCall(): boolean
}

const path = 'candidates[].content.parts[].'
const known = {
  part: new Set(['text', 'thought', 'thoughtSignature', 'functionCall', 'function_call']),
  call: new Set(['id', 'name', 'args', 'partialArgs', 'willContinue']),
  piece: new Set(['jsonPath', 'stringValue', 'numberValue', 'boolValue', 'nullValue', 'willContinue']),
}

/** Members that only describe a part. */
const aboutPart: ReadonlySet<string> = new Set(['partMetadata', 'videoMetadata', 'mediaResolution'])

/** Names media by their type: `image/png` is an image. */
function mediaLabel(value: unknown): string {
  const kind = asName(asObject(value)?.['mimeType'])?.split('/')[0]
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
}

/** `onText` gets each piece of the answer's text. */
export function partReader(
  { emit, dropped, unshown, newId }: ReadContext,
  onText: (block: number, text: string) => void,
): PartReader {
  let block = -1
  let open: 'text' | 'thinking' | 'refusal' | null = null
  /** of the open text: emitted when something follows, since sources come in one chunk with it */
  let textSeal: Seal | null = null
  let half: { id: string | null; name: string; signature: string | null; args: Draft } | null = null

  function close(): void {
    if (open !== null) emit({ type: 'end', block })
    open = null
    const held = textSeal
    textSeal = null
    if (held) seal(held)
  }

  function begin(kind: NonNullable<typeof open>): void {
    if (open === kind) return
    close()
    open = kind
    emit({ type: 'begin', block: ++block, part: { kind } })
  }

  function say(kind: NonNullable<typeof open>, text: string): void {
    if (textSeal) close()
    begin(kind)
    if (kind === 'text') onText(block, text)
    emit({ type: 'delta', block, text })
  }

  function other(name: string, value: unknown): void {
    const beside = facts.otherParts[name]
    if (name === 'inlineData' || name === 'fileData') unshown(path + name, mediaLabel(value))
    else if (beside) unshown(path + name, ...beside)
    else if (aboutPart.has(name)) dropped(path + name)
    else unshown(path + name, inWords(name, 'part'), 'aside')
  }

  function seal(value: Seal): void {
    begin('thinking')
    emit({ type: 'seal', block, seal: value })
    close()
  }

  function call(value: JsonObject, signature: string | null): void {
    if (half === null && value['partialArgs'] === undefined && value['willContinue'] !== true) {
      return whole(asName(value['id']), asText(value['name']) ?? '', signature, JSON.stringify(value['args'] ?? {}))
    }
    half ??= {
      id: asName(value['id']),
      name: asText(value['name']) ?? '',
      signature,
      args: { ...asObject(value['args']) },
    }
    half.signature ??= signature
    addPartialArgs(half.args, value['partialArgs'])
    if (value['willContinue'] === true) return
    const { id, name, signature: seen, args } = half
    half = null
    whole(id, name, seen, JSON.stringify(args))
  }

  function whole(id: string | null, name: string, signature: string | null, json: string): void {
    close()
    reader.hasCalls = true
    emit({ type: 'begin', block: ++block, part: { kind: 'tool-call', id: id ?? newId('call_'), name, custom: false } })
    if (signature !== null) emit({ type: 'seal', block, seal: { of: 'gemini', data: signature } })
    emit({ type: 'delta', block, text: json })
    emit({ type: 'end', block })
  }

  function noteCall(value: JsonObject): void {
    noteMembers(value, known.call, `${path}functionCall.`, dropped)
    for (const piece of asList(value['partialArgs']))
      noteMembersOf(piece, known.piece, `${path}functionCall.partialArgs[].`, dropped)
  }

  const reader: Mutable<PartReader> = {
    hasCalls: false,
    search(part) {
      emit({ type: 'begin', block: ++block, part })
      emit({ type: 'end', block })
    },
    refusal: (text) => say('refusal', text),
    close() {
      // Google signs empty answers too: a signature without content is dropped.
      if (textSeal && block < 0) {
        textSeal = null
        dropped(`${path}thoughtSignature`)
      }
      close()
    },
    halfCall: () => half !== null,
    part(part) {
      for (const name in part) if (!known.part.has(name) && saysSomething(part[name])) other(name, part[name])
      const signature = asName(part['thoughtSignature'])
      // Taken as it came, so that its unknown members are recorded under their own names.
      const asked = asObject(part['functionCall']) ?? facts.call(part)
      if (asked) noteCall(asked)
      if (asked && (hasValue(asked) || half !== null)) return call(asked, signature)
      const text = asText(part['text'])
      if (part['thought'] === true) {
        if (text) say('thinking', text)
        if (signature !== null) seal({ of: 'gemini', data: signature })
        return
      }
      if (text) say('text', text)
      if (signature === null) return
      if (textSeal && block >= 0) close()
      textSeal = sealOfText(signature)
      if (open !== 'text' && block >= 0) close()
    },
  }
  return reader
}
