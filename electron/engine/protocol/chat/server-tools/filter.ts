import type { Mutable } from '../../../base/mutable.ts'
import type { Frame } from '../../answer/frame.ts'
import { meaningOf } from '../../finish-names.ts'
import { eventFrame } from '../../join/types.ts'
import { decode, elements, member, splice, type Edit } from '../../json-bytes/index.ts'
import { rootOf } from '../../json-bytes/walk.ts'
import {
  frameScan,
  type HiddenNames,
  type RoundFilter,
  tokenScan,
  blankText,
  mostEmptyBytes,
  solidText,
} from '../../server-tools/types.ts'
import { asObject, type JsonObject, withoutElements, parseObject, asNumber } from '../../values.ts'
import { withoutMember } from '../../without-member.ts'
import { readCallEntry, callFinder } from '../call-finder.ts'
import { isSaid } from '../convert/members.ts'
import * as facts from '../facts.ts'
import { rawUsage, finish as finishOf, thinkingLists, wordMembers } from '../facts.ts'

/** Takes hidden calls out of a Chat stream. */
export function chatFilter(names: HiddenNames): RoundFilter {
  const mayName = frameScan(names)
  const sieve = callSieve(names)
  /** a call of the client's went by before anything was parsed */
  let keptBefore = false

  /** The event as the client gets it; null: nothing of it is for the client. */
  function withoutHidden(event: Frame): Frame | null {
    const value = event.value()
    if (!value) return event
    let changed = false
    let empty = true
    const choices = facts.choices(value).map((choice) => {
      if (!facts.isFirst(choice)) {
        empty = false
        return choice
      }
      const left = withoutCalls(choice)
      if (left !== choice) changed = true
      if (says(facts.message(left)) || facts.finish(left) !== null) empty = false
      return left
    })
    if (!changed) return event
    if (empty && rawUsage(value) === null) return null
    return eventFrame(event, Buffer.from(JSON.stringify({ ...value, choices })))
  }

  function withoutCalls(choice: JsonObject): JsonObject {
    const delta = asObject(choice['delta'])
    const calls = facts.calls(delta ?? {})
    const entries = sieve.entries(calls)
    round.began = sieve.hid
    const moved = entries !== calls
    const reason = facts.finish(choice)
    const finish = reason !== null && meaningOf(reason) === 'tool-calls' && sieve.hid && !sieve.kept && !keptBefore
    if (!moved && !finish) return choice
    const left = moved ? { ...delta, tool_calls: entries.length > 0 ? entries : undefined } : delta
    return { ...choice, delta: left, ...(finish ? { finish_reason: 'stop' } : {}) }
  }

  const round: Mutable<RoundFilter> = {
    began: false,
    frame(event) {
      if (sieve.hid) return withoutHidden(event)
      // Nearly all events are text, and end here.
      if (event.onlyWords || !mayCall(event)) return event
      if (mayName(event)) return withoutHidden(event)
      keptBefore ||= facts.mayHaveCalls(event)
      return event
    },
  }
  return round
}

const mayCall = frameScan(['tool_calls'])

const says = (delta: JsonObject): boolean => Object.values(delta).some(isSaid)

const callsMember = Buffer.from('"tool_calls"')

/** A whole JSON answer without hidden calls. */
export function filterChatBody(body: Buffer, names: HiddenNames): Buffer {
  // Most answers call nothing, which one search shows; the names take one search each.
  if (!body.includes(callsMember) || !tokenScan(names)(body) || !parseObject(body)) return body
  const choices = member(body, rootOf(body), 'choices')
  const edits: Edit[] = []
  for (const at of choices ? elements(body, choices) : []) {
    const choice = body.subarray(at.start, at.end)
    const left = choiceWithout(choice, names)
    if (left !== choice) edits.push({ ...at, replacement: left })
  }
  return splice(body, edits)
}

function choiceWithout(choice: Buffer, names: HiddenNames): Buffer {
  const at = member(choice, rootOf(choice), 'message')
  const message = at && choice.subarray(at.start, at.end)
  const list = message && member(message, rootOf(message), 'tool_calls')
  if (!at || !message || !list) return choice
  const entries = elements(message, list)
  const isHidden = entries.map((entry) => names.has(readCallEntry(asObject(decode(message, entry)) ?? {}).name ?? ''))
  if (!isHidden.includes(true)) return choice
  if (isHidden.includes(false))
    return splice(choice, [
      {
        ...at,
        replacement: splice(
          message,
          withoutElements(entries, (i) => isHidden[i] === true),
        ),
      },
    ])
  const finish = member(choice, rootOf(choice), 'finish_reason')
  const reason = finishOf(parseObject(choice) ?? {})
  const isCalls = finish !== null && reason !== null && meaningOf(reason) === 'tool-calls'
  return splice(choice, [
    { ...at, replacement: withoutMember(message, 'tool_calls') },
    ...(isCalls ? [{ ...finish, replacement: '"stop"' }] : []),
  ])
}

interface Call {
  index: number | null
  id: string | null
  hidden: boolean
  shown: number | null
}

/** Separates hidden calls in a stream from the client's own. */
interface CallSieve {
  /**
   * the client's entries, with the indices that they have without the hidden ones; the same list when none is hidden or
   * moved
   */
  entries(list: readonly JsonObject[]): readonly JsonObject[]
  /** a hidden call has begun */
  readonly hid: boolean
  /** a call of the client's own has begun */
  readonly kept: boolean
}

export function callSieve(names: HiddenNames): CallSieve {
  const found = callFinder<Call>()
  /** indices at which the provider put hidden calls, in their order */
  const taken: number[] = []
  /** how many of them are below `index` */
  const below = (index: number): number => {
    let [from, to] = [0, taken.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((taken[middle] ?? Infinity) < index) from = middle + 1
      else to = middle
    }
    return from
  }

  function callOf(value: JsonObject): Call {
    const entry = readCallEntry(value)
    const { index, id, name } = entry
    const known = found.find(entry)
    // Some servers begin a call before they name it.
    if (known && (name === null || known.hidden || !names.has(name))) return known
    const hidden = name !== null && names.has(name)
    // An entry without a name goes on with a call that began before anything was hidden, under the index it has.
    const shown = index === null || name === null ? index : index - below(index)
    const call = known ?? { index, id, hidden, shown }
    call.hidden = hidden
    if (hidden && index !== null && taken[below(index)] !== index) taken.splice(below(index), 0, index)
    if (!known) found.add(call, entry)
    return call
  }

  const sieve: Mutable<CallSieve> = {
    hid: false,
    kept: false,
    entries(list) {
      let changed = false
      const left = list.flatMap((entry) => {
        const call = callOf(entry)
        if (call.hidden) sieve.hid = true
        else sieve.kept = true
        if (call.hidden || call.shown !== asNumber(entry['index'])) changed = true
        else return [entry]
        return call.hidden ? [] : [{ ...entry, index: call.shown }]
      })
      return changed ? left : list
    },
  }
  return sieve
}

/** A value that is not zero: a call with no other value is none. */
const value = '(?:"[^"]|[\\d[]|true)'
/** Members that alone say nothing of a call. */
const plain = 'index"|type"\\s*:\\s*"(?:function|custom)?"'
/**
 * Members that hold output of the model, where they are not empty. A key in its quotes and with its colon can't stand
 * in a text without a backslash. `images`: OpenRouter. `reasoning_opaque`: GitHub Copilot. `citations`,
 * `search_results`: Perplexity and xAI. `web_search`: GLM. `executed_tools`: Groq. `annotations`, `audio`:
 * `ChatCompletionMessage` of the `openai` package.
 */
const said = new RegExp(
  [
    `"(?:${[...wordMembers, 'reasoning_opaque'].join('|')})"\\s*:\\s*${solidText}`,
    `"content"\\s*:\\s*\\[\\s*\\{(?!\\s*"type"\\s*:\\s*"text"\\s*,\\s*"text"\\s*:\\s*${blankText}\\s*\\}\\s*\\])`,
    `"(?:images|annotations|${thinkingLists.join('|')})"\\s*:\\s*\\[\\s*[{"]`,
    '"(?:citations|search_results|web_search|executed_tools)"\\s*:\\s*\\[\\s*[{"]',
    `"tool_calls"\\s*:\\s*(?:\\[\\s*"|(?:\\[\\s*)?\\{[^\\]]*?"(?!${plain})\\w+"\\s*:\\s*${value})`,
    `"function_call"\\s*:\\s*\\{[^}]*?:\\s*${value}`,
    `"audio"\\s*:\\s*\\{[^}]*?:\\s*${value}`,
  ].join('|'),
)

export const chatSays = (chunk: Buffer): boolean => chunk.length > mostEmptyBytes || said.test(chunk.toString('latin1'))
