import type { ReadContext } from '../../canonical/codec.ts'
import { asName, asNumber, asObject, asText, type JsonObject } from '../../values.ts'
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

/** Puts tool calls together. Servers leave out the index, the id, or repeat an index for every call. */
export function callReader({ emit, newId, dropped }: ReadContext, nextBlock: () => number): CallReader {
  const calls: Call[] = []
  let last: Call | null = null

  function callOf(index: number | null, id: string | null, name: string | null): Call | null {
    if (index === null) {
      if (id !== null) return calls.findLast((call) => call.id === id) ?? null
      return name === null ? last : null
    }
    const same = last?.index === index ? last : (calls.findLast((call) => call.index === index) ?? null)
    const isOther = same !== null && id !== null && same.id !== null && same.id !== id && name !== null
    return isOther ? null : same
  }

  function begun(call: Call, name: string): number {
    const block = nextBlock()
    call.block = block
    emit({ type: 'begin', block, part: { kind: 'tool-call', id: call.id ?? newId('call_'), name, custom: call.custom } })
    return block
  }

  return {
    get any() { return calls.length > 0 },
    entry(value, whole) {
      const custom = asObject(value['custom'])
      const named = custom ?? asObject(value['function']) ?? value
      const index = asNumber(value['index'])
      const id = asName(value['id'])
      const name = asName(named['name'])
      const args = textOf(custom ? custom['input'] : named['arguments'])
      let call = whole ? null : callOf(index, id, name)
      if (!call) {
        call = { block: null, index, id, custom: custom !== null || value['type'] === 'custom', held: '' }
        calls.push(call)
      }
      last = call
      call.id ??= id
      if (call.block === null && name === null) {
        call.held += args
        return
      }
      const held = call.held
      const block = call.block ?? begun(call, name ?? '')
      call.held = ''
      const seal = value['extra_content'] === undefined ? null : readCallSeal(value)
      if (seal) emit({ type: 'seal', block, seal })
      if (held + args !== '') emit({ type: 'delta', block, text: held + args })
    },
    end() {
      for (const call of calls) {
        if (call.block === null) dropped('tool_calls[] without a name')
        else emit({ type: 'end', block: call.block })
      }
    },
  }
}

/** Some servers send the arguments as an object. */
const textOf = (args: unknown): string => asText(args) ?? (args === undefined || args === null ? '' : JSON.stringify(args))
