import type { ReadContext } from '../../canonical/codec.ts'
import type { Seal } from '../../canonical/request.ts'
import { asName, asObject, asText, type JsonObject } from '../../values.ts'
import { isEmpty, type Draft } from './members.ts'
import { addPartialArgs } from './partial-args.ts'
import { sealOfText } from './seals.ts'

export interface PartReader {
  part(part: JsonObject): void
  /** ends the block that is open */
  close(): void
  readonly hasCalls: boolean
  /** a call whose streamed arguments have not ended */
  readonly halfCall: boolean
}

const read = new Set(['text', 'thought', 'thoughtSignature', 'functionCall'])

export function partReader({ emit, dropped, newId }: ReadContext): PartReader {
  let block = -1
  let open: 'text' | 'thinking' | null = null
  let hasCalls = false
  let half: { id: string | null; name: string; signature: string | null; args: Draft } | null = null

  function close(): void {
    if (open !== null) emit({ type: 'end', block })
    open = null
  }

  function begin(kind: 'text' | 'thinking'): void {
    if (open === kind) return
    close()
    open = kind
    emit({ type: 'begin', block: ++block, part: { kind } })
  }

  function say(kind: 'text' | 'thinking', text: string): void {
    begin(kind)
    emit({ type: 'delta', block, text })
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
    hasCalls = true
    emit({ type: 'begin', block: ++block, part: { kind: 'tool-call', id: id ?? newId('call_'), name, custom: false } })
    if (signature !== null) emit({ type: 'seal', block, seal: { of: 'gemini', data: signature } })
    emit({ type: 'delta', block, text: json })
    emit({ type: 'end', block })
  }

  return {
    close,
    get hasCalls() {
      return hasCalls
    },
    get halfCall() {
      return half !== null
    },
    part(part) {
      for (const name in part)
        if (!read.has(name) && part[name] !== null) dropped(`candidates[].content.parts[].${name}`)
      const signature = asName(part['thoughtSignature'])
      const asked = asObject(part['functionCall'])
      if (asked) return isEmpty(asked) && half === null ? undefined : call(asked, signature)
      const text = asText(part['text'])
      if (part['thought'] === true) {
        if (text) say('thinking', text)
        if (signature !== null) seal({ of: 'gemini', data: signature })
        return
      }
      if (text) say('text', text)
      if (signature === null) return
      close()
      seal(sealOfText(signature))
    },
  }
}
