/**
 * The input side of a full-screen agent: raw keys and bracketed pastes in, a composer drawn as Codex draws its own
 * (bold `›`, dim placeholder, cursor inside), OSC 7501 reports out.
 */
import { StringDecoder } from 'node:string_decoder'

/**
 * @param {{ placeholder: string, submit(text: string): void, changed?(text: string): void, quit(): void }} events
 */
export function createComposer(events) {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let told = ''
  let pasting = false
  let pending = ''

  const tell = () => {
    if (told !== text) events.changed?.(text)
    told = text
  }
  const key = (char) => {
    if (pasting) text += char === '\r' ? '\n' : char
    else if (char === '\r') {
      const line = text
      text = ''
      tell()
      if (line.trim() !== '') events.submit(line)
    } else if (char === '\x15') text = ''
    else if (char === '\x03') events.quit()
    else if (char === '\x7f' || char === '\b') text = text.slice(0, -1)
    else if (char >= ' ') text += char
  }
  /** Length of the sequence at the start of `pending`; 0 while it is not complete. */
  const sequence = () => {
    const match = /^\x1b(?:\[[0-9;?<>=]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|O.)/.exec(pending)
    if (!match) return pending.length > 64 ? 1 : 0
    if (match[0] === '\x1b[200~') pasting = true
    if (match[0] === '\x1b[201~') pasting = false
    return match[0].length
  }

  return {
    /** what came from the terminal; a sequence may come in pieces */
    take(data) {
      pending += decoder.write(data)
      while (pending !== '') {
        if (pending[0] === '\x1b') {
          const used = sequence()
          if (used === 0) return tell()
          pending = pending.slice(used)
          continue
        }
        const char = String.fromCodePoint(pending.codePointAt(0))
        pending = pending.slice(char.length)
        key(char)
      }
      tell()
    },
    /** the bytes that draw it at the bottom of the screen, `above` over it */
    draw(cols, rows, above) {
      const lines = text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${cols - 3}}`, 'gu')) ?? [''])
      const top = rows - lines.length - 2
      const shown = above.slice(-Math.max(0, top - 2)).map((line) => line.slice(0, cols - 1))
      const last = text === '' ? '' : lines[lines.length - 1]
      return `\x1b[?25l\x1b[H\x1b[2J${shown.join('\r\n')}\x1b[${top};1H\x1b[1m›\x1b[0m ${
        text === '' ? `\x1b[2m${events.placeholder}\x1b[0m` : lines.join('\r\n  ')
      }\x1b[${rows};1H  stand-in default · ~/project\x1b[${top + lines.length - 1};${3 + last.length}H\x1b[?25h`
    },
  }
}

/** @param {'idle' | 'working' | 'done' | 'clear'} state */
export const statusReport = (state) => `\x1b]7501;state=${state}:app=stand-in\x1b\\`
