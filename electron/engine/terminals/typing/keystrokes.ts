import { StringDecoder } from 'node:string_decoder'
import type { Clock } from '../../base/clock.ts'
import type { Composer } from '../agents/types.ts'
import { sameInComposer } from './composer-text.ts'

/** Follows what a person types into an own PTY: are they in the middle of a line? */
export interface Keystrokes {
  /** bytes from the person's terminal, as they come */
  typed(bytes: Uint8Array | string): void
  /**
   * A composer with nothing in it, or nothing but the text that Onward typed last, proves that a line was given up or
   * went elsewhere; without one only Enter, Ctrl C and Ctrl U end it.
   */
  midLine(composer: Composer, typedLast?: string): boolean
  /** goes up with every key a person pressed */
  readonly keys: number
  /** the last of them was Enter, and sent the line */
  readonly sent: boolean
}

/** After a key, a person gets this long for the next one (milliseconds). */
export const quietMs = 1_500

/** A whole escape sequence: CSI, SS3, or a string (OSC, DCS, APC, PM) with its end. */
// oxlint-disable-next-line no-control-regex -- escape sequences are the subject here
const sequence = /^\u001b(?:\[[0-9:;?<>=!$ "']*[@-~]|O[\s\S]|[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\))/
/** Its beginning, when more must come. */
// oxlint-disable-next-line no-control-regex -- escape sequences are the subject here
const unfinished = /^\u001b(?:\[[0-9:;?<>=!$ "']*|O|[\]P_^X][^\u0007\u001b]*\u001b?)$/
const longestSequence = 65_536

export function createKeystrokes(clock: Clock): Keystrokes {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let pasting = false
  let inLine = 0
  let lastKey = -Infinity
  let keys = 0
  let sent = false

  const key = (change: (count: number) => number, sends = false) => {
    keys++
    sent = sends
    inLine = Math.max(0, change(inLine))
    lastKey = clock.monotonic()
  }
  const escape = (text: string) => {
    if (text === '\u001b[200~') {
      pasting = true
      return
    }
    if (text === '\u001b[201~') {
      pasting = false
      return
    }
    const pressed = keyOf(text.slice(1))
    if (pressed === 'enter') key(() => 0, true)
    else if (pressed === 'backspace') key((count) => count - 1)
    else if (pressed === 'char') key((count) => count + 1)
    else if (pressed === 'move') key((count) => count)
  }
  const char = (code: number) => {
    if (pasting) return key((count) => count + 1)
    if (code === 0x0d || code === 0x03 || code === 0x15) return key(() => 0, code === 0x0d)
    if (code === 0x7f || code === 0x08) return key((count) => count - 1)
    // LF is Ctrl J: a line break within a composer
    key((count) => (code >= 0x20 || code === 0x0a ? count + 1 : count))
  }

  return {
    typed(bytes) {
      rest += typeof bytes === 'string' ? bytes : decoder.write(Buffer.from(bytes))
      while (rest !== '') {
        const match = sequence.exec(rest)?.[0]
        if (match !== undefined) {
          rest = rest.slice(match.length)
          escape(match)
          continue
        }
        if (rest.length > 1 && rest.length < longestSequence && unfinished.test(rest)) return
        char(rest.charCodeAt(0))
        rest = rest.slice(1)
      }
    },
    get keys() {
      return keys
    },
    get sent() {
      return sent
    },
    midLine(composer, typedLast = '') {
      if (clock.monotonic() - lastKey < quietMs) return true
      if (composer.kind === 'empty' || (composer.kind === 'text' && sameInComposer(composer.text, typedLast)))
        inLine = 0
      return inLine > 0
    },
  }
}

type Key = 'enter' | 'backspace' | 'char' | 'move'

/**
 * Returns the meaning of a sequence (without its ESC): a key of the kitty keyboard protocol or of xterm's
 * modifyOtherKeys, another key (arrows and the like), or null if no person pressed it: replies to queries, mouse and
 * focus reports, a key let go.
 */
function keyOf(text: string): Key | null {
  // CSI code:shifted:base ; modifiers:event ; text u
  const kitty = /^\[(\d+)[:\d]*(?:;(\d*)(?::(\d))?(?:;[\d:]*)?)?u$/.exec(text)
  if (kitty) return kitty[3] === '3' ? null : codedKey(Number(kitty[1]), Number(kitty[2] || 1))
  const xterm = /^\[27;(\d+);(\d+)~$/.exec(text)
  if (xterm) return codedKey(Number(xterm[2]), Number(xterm[1]))
  return /^(?:O[A-DFHP-S]|\[(?:\d+(?:;\d+)?)?[~A-DFHPQS]|\[\d+;\d+[A-DFHPQS])$/.test(text) ? 'move' : null
}

/** `modifiers` is 1 for none, 2 for Shift alone. */
function codedKey(code: number, modifiers: number): Key {
  // with a modifier Enter is a line break
  if (code === 13) return modifiers === 1 ? 'enter' : 'char'
  if (code === 127) return 'backspace'
  return code >= 32 && modifiers <= 2 ? 'char' : 'move'
}
