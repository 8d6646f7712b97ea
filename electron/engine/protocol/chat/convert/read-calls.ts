import type { ReadContext } from '../../canonical/codec.ts'
import type { JsonObject } from '../../values.ts'
import { callFinder, readCallEntry } from '../call-finder.ts'
import { readCallSeal } from './thinking.ts'

interface Call {
  /** null until its name is known: a call begins with it */
  block: number | null
  index: number | null
  id: string | null
  custom: boolean
  /** arguments that came before the name */
  held: string
}

export interface CallReader {
  readonly any: boolean
  /** an entry of `tool_calls`; in a whole message each one is a call of its own */
  entry(value: JsonObject, whole: boolean): void
  end(): void
}

/** Puts tool calls together. */
export function callReader({ emit, newId, dropped }: ReadContext, nextBlock: () => number): CallReader {
  const found = callFinder<Call>()

  function begun(call: Call, name: string): number {
    const block = nextBlock()
    call.block = block
    emit({
      type: 'begin',
      block,
      part: { kind: 'tool-call', id: call.id ?? newId('call_'), name, custom: call.custom },
    })
    return block
  }

  return {
    get any() {
      return found.calls.length > 0
    },
    entry(value, whole) {
      const entry = readCallEntry(value)
      const { name, text } = entry
      let call = whole ? null : found.find(entry)
      if (!call) {
        call = { block: null, index: entry.index, id: entry.id, custom: entry.custom, held: '' }
        found.add(call)
      }
      if (call.block === null && name === null) {
        call.held += text
        return
      }
      const held = call.held
      const block = call.block ?? begun(call, name ?? '')
      call.held = ''
      const seal = value['extra_content'] === undefined ? null : readCallSeal(value)
      if (seal) emit({ type: 'seal', block, seal })
      if (held + text !== '') emit({ type: 'delta', block, text: held + text })
    },
    end() {
      for (const call of found.calls) {
        if (call.block === null) dropped('tool_calls[] without a name')
        else emit({ type: 'end', block: call.block })
      }
    },
  }
}
