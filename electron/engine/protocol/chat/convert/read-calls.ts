import type { ReadContext } from '../../canonical/codec.ts'
import { noteMembers, noteMembersOf } from '../../canonical/note-members.ts'
import type { JsonObject } from '../../values.ts'
import { callFinder, isBlank, readCallEntry } from '../call-finder.ts'
import { calledMembers, callMembers } from './answer-members.ts'
import { readCallSeal } from './thinking.ts'

interface Call {
  /** null until its name is known: a call begins with it */
  block: number | null
  index: number | null
  id: string | null
  custom: boolean
  /** arguments that came before the name */
  held: string
  /** any arguments came */
  begun: boolean
}

interface CallReader {
  any(): boolean
  /** a function's arguments are not whole so far */
  half(): boolean
  /** a call never got its name */
  nameless(): boolean
  /** an entry of `tool_calls`; in a whole message each one is a call of its own */
  entry(value: JsonObject, whole: boolean): void
  end(): void
}

const path = 'choices[].message.tool_calls[].'

/** Puts tool calls together from their pieces. */
export function callReader({ emit, newId, dropped }: ReadContext, nextBlock: () => number): CallReader {
  const found = callFinder<Call>()
  let ended = false
  const isNone = ({ block, id, held }: Call): boolean => block === null && isBlank({ id, name: null, text: held })

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
    any: () => found.calls.some((call) => !isNone(call)),
    half: () =>
      found.calls.some(
        (call) => (call.block === null && !isNone(call)) || (call.begun && !call.custom && !found.isWhole(call)),
      ),
    nameless: () => found.calls.some((call) => call.block === null && !isNone(call)),
    entry(value, whole) {
      noteMembers(value, callMembers, path, dropped)
      noteMembersOf(value['function'], calledMembers, `${path}function.`, dropped)
      noteMembersOf(value['custom'], calledMembers, `${path}custom.`, dropped)
      const entry = readCallEntry(value)
      const { name, text } = entry
      let call = whole ? null : found.find(entry)
      if (!call) {
        call = {
          block: null,
          index: entry.index,
          id: entry.id,
          custom: entry.custom,
          held: '',
          begun: false,
        }
        found.add(call, entry)
      }
      call.begun ||= text !== ''
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
      if (ended) return
      ended = true
      for (const call of found.calls) {
        if (call.block === null) {
          if (!isNone(call)) dropped('tool_calls[] without a name')
        } else emit({ type: 'end', block: call.block })
      }
    },
  }
}
