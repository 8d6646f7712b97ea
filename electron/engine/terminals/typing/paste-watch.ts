import { StringDecoder } from 'node:string_decoder'

const open = '\u001b[200~'
const close = '\u001b[201~'
/** Characters of one paste. A longer one is only reported, without its text. */
const longest = 262_144

/** Characters of a typed line that are kept. */
const longestLine = 4_096

/** Follows what a person's terminal sends: keys, and pastes, which it brackets when the program asked for that. */
export interface PasteWatch {
  /** bytes from the person's terminal, as they come */
  typed(bytes: Uint8Array): void
}

/**
 * Reports pastes and typed lines that may hold a marker; null: a paste that is too long to be read.
 *
 * A terminal takes escape signs out of what it pastes, so that pasted text can't end its own bracket.
 */
export function createPasteWatch(tell: (text: string | null) => void): PasteWatch {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  /** null: nothing is being pasted */
  let pasted: string | null = null
  let tooLong = false
  /** the content of the input line as far as plain keys show; a key that moves in it begins it anew */
  let line = ''

  const keyed = (text: string) => {
    for (const char of text) {
      if (char === '\u007f' || char === '\b') line = line.slice(0, -1)
      else line = char < ' ' ? '' : (line + char).slice(-longestLine)
      if (line.endsWith('**>')) tell(line)
    }
  }
  const add = (text: string) => {
    tooLong ||= (pasted?.length ?? 0) + text.length > longest
    pasted = tooLong ? '' : `${pasted ?? ''}${text}`
  }
  const over = () => {
    if (tooLong) tell(null)
    else if (pasted !== null && mayMatter(pasted)) tell(pasted)
    pasted = null
    tooLong = false
  }

  return {
    typed(bytes) {
      let text = rest + decoder.write(Buffer.from(bytes))
      rest = ''
      while (text !== '') {
        const bracket = pasted === null ? open : close
        const at = text.indexOf(bracket)
        const before = at < 0 ? text.length - beginningOf(bracket, text) : at
        if (pasted === null) keyed(text.slice(0, before))
        else add(text.slice(0, before))
        if (at < 0) {
          rest = text.slice(before)
          return
        }
        if (pasted === null) pasted = ''
        else over()
        text = text.slice(at + bracket.length)
      }
    },
  }
}

/** How many signs at a text's end may be the beginning of a bracket that is still to come. */
function beginningOf(bracket: string, text: string): number {
  for (let length = bracket.length - 1; length > 0; length--) if (text.endsWith(bracket.slice(0, length))) return length
  return 0
}

/** Signs that an agent drops may stand between those of a marker. */
const mayMatter = (text: string): boolean => text.includes('<') && text.includes('>') && text.split('*').length > 4
