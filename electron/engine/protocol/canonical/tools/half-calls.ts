import type { Mutable } from '../../../base/mutable.ts'
import type { AnswerEvent, Emit } from '../answer.ts'
import { jsonEnd } from '../json-end.ts'

/** A call whose arguments are read as they come. */
interface OpenCall {
  /**
   * text so far that is nothing, or may become `null`, which models say where a tool takes nothing; null: it is neither
   */
  held: string | null
  push(text: string): void
  cut(): boolean
  bad(): boolean
}

export const namelessCall = { code: 'upstream-half-call', message: 'The provider called a tool without naming it.' }

const nothing = /^\s*(?:n(?:u(?:l(?:l\s*)?)?)?)?$/
const isNothing = (text: string): boolean => /^\s*(?:null\s*)?$/.test(text)

/**
 * A call whose arguments end in the middle is never over for the client while its answer goes on, and the answer ends
 * in an error: a client runs what looks whole. Where a limit cut the answer off, half a call is to be expected and goes
 * out as the vendors send it, with the finish that says so
 * (platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming: what to do at `max_tokens` is the
 * client's to decide). No client can run a call without a name. `asObjects`: the client's protocol has arguments as
 * objects and streams them; any other value is an error before the client's reader fails on it.
 */
export function refuseHalfCalls(emit: Emit, { asObjects }: { asObjects: boolean }): Emit {
  const open = new Map<number, OpenCall>()
  /** ends of calls that were cut off */
  const waiting: AnswerEvent[] = []

  function say(block: number, call: OpenCall, text: string): void {
    call.held = null
    call.push(text)
    if (call.bad()) fail('upstream-bad-call', 'The provider called a tool with arguments that are no JSON object.')
    else emit({ type: 'delta', block, text })
  }

  function delta(event: Extract<AnswerEvent, { type: 'delta' }>): void {
    const call = open.get(event.block)
    if (!call) return emit(event)
    if (call.held === null) return say(event.block, call, event.text)
    call.held += event.text
    if (!nothing.test(call.held)) say(event.block, call, call.held)
  }

  function fail(code: string, message: string): void {
    emit({ type: 'error', code, message })
  }

  /** It was more than nothing after all. */
  function flush(block: number, call: OpenCall): void {
    if (call.held !== null && !isNothing(call.held)) say(block, call, call.held)
  }

  return (event) => {
    switch (event.type) {
      case 'begin':
        if (event.part.kind === 'tool-call' && event.part.name === '')
          return fail(namelessCall.code, namelessCall.message)
        if (event.part.kind === 'tool-call' && !event.part.custom)
          open.set(event.block, asObjects ? objectCall() : textCall())
        return emit(event)
      case 'delta':
        return delta(event)
      case 'end': {
        const call = open.get(event.block)
        if (call) flush(event.block, call)
        if (call?.cut()) return void waiting.push(event)
        open.delete(event.block)
        return emit(event)
      }
      case 'finish': {
        for (const [block, call] of open) flush(block, call)
        if (event.reason !== 'length' && [...open.values()].some((call) => call.cut()))
          return fail('upstream-half-call', 'The provider ended its answer in the middle of a tool call.')
        for (const end of waiting) emit(end)
        return emit(event)
      }
      default:
        return emit(event)
    }
  }
}

function textCall(): OpenCall {
  const end = jsonEnd()
  return {
    held: '',
    push: end.push,
    bad: () => false,
    cut: end.cut,
  }
}

function objectCall(): OpenCall {
  const object = callObject()
  return {
    held: '',
    push: object.push,
    bad: () => object.state === 'bad',
    cut: () => object.state === 'open',
  }
}

/** How far a text that comes in pieces is a JSON object. */
export type ObjectState = 'empty' | 'open' | 'whole' | 'bad'

const plain = /[^"\\\u0000-\u001f]*/y
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

/** Reads the arguments of a call as they come. */
interface CallObject {
  push(piece: string): void
  readonly state: ObjectState
}

/**
 * Tells whether the arguments of a call are one JSON object, strictly and as they come, without keeping them: where an
 * object is wanted, its reader fails on anything else.
 */
export function callObject(): CallObject {
  /** of each level that is open, how it closes */
  const closers: string[] = []
  let next: 'value' | 'first item' | 'first key' | 'key' | 'colon' | 'comma' | 'nothing' = 'value'
  let inString = false
  let isKey = false
  let escaped = false
  /** digits of an escape that are still to come */
  let digits = 0
  /** a number or a word so far */
  let word = ''

  function afterValue(): void {
    next = closers.length === 0 ? 'nothing' : 'comma'
    if (closers.length === 0) object.state = 'whole'
  }

  /** @returns true if the character may stand here */
  function sign(char: string): boolean {
    switch (char) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        return true
      case '{':
      case '[':
        if ((next !== 'value' && next !== 'first item') || (closers.length === 0 && char === '[')) return false
        closers.push(char === '{' ? '}' : ']')
        next = char === '{' ? 'first key' : 'first item'
        object.state = 'open'
        return true
      case '}':
      case ']':
        if (next !== 'comma' && next !== (char === '}' ? 'first key' : 'first item')) return false
        if (closers.pop() !== char) return false
        afterValue()
        return true
      case ',':
        if (next !== 'comma') return false
        next = closers.at(-1) === '}' ? 'key' : 'value'
        return true
      case ':':
        if (next !== 'colon') return false
        next = 'value'
        return true
      case '"':
        isKey = next === 'first key' || next === 'key'
        inString = isKey || (closers.length > 0 && (next === 'value' || next === 'first item'))
        return inString
      default:
        word = char
        return closers.length > 0 && (next === 'value' || next === 'first item')
    }
  }

  /** @returns true if the character may stand in a string */
  function inText(char: string): boolean {
    if (digits > 0) {
      digits--
      return /[\da-fA-F]/.test(char)
    }
    if (escaped) {
      escaped = false
      if (char === 'u') digits = 4
      return '"\\/bfnrtu'.includes(char)
    }
    if (char === '"') {
      inString = false
      if (isKey) next = 'colon'
      else afterValue()
      return true
    }
    escaped = char === '\\'
    return escaped
  }

  function push(piece: string): void {
    for (let i = 0; i < piece.length && object.state !== 'bad'; i++) {
      if (inString && !escaped && digits === 0) {
        plain.lastIndex = i
        plain.test(piece)
        i = plain.lastIndex
        if (i >= piece.length) return
      }
      const char = piece.charAt(i)
      if (word !== '') {
        if (/[\w.+-]/.test(char)) {
          word += char
          continue
        }
        if (!scalar.test(word)) {
          object.state = 'bad'
          return
        }
        word = ''
        afterValue()
      }
      if (!(inString ? inText(char) : sign(char))) object.state = 'bad'
    }
  }

  const object: Mutable<CallObject> = { push, state: 'empty' }
  return object
}
