import type { Mutable } from '../../../base/mutable.ts'

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
