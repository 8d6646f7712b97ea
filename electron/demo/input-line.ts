/** The keys of a terminal as messages: a line ends with Enter; a paste may hold several. */
export interface InputLine {
  /** what came from the terminal */
  take(data: string): void
  readonly text: string
}

export function createInputLine(on: {
  changed(text: string): void
  submit(text: string): void
  quit(): void
}): InputLine {
  let text = ''
  let pasting = false
  return {
    get text() {
      return text
    },
    take(data) {
      // Keys that move the cursor mean nothing here; the marks of a paste say where it begins and ends.
      for (const [part = ''] of data.matchAll(/\x1b\[[0-9;?]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bO?.|[^]/gu)) {
        if (part === '\x1b[200~') pasting = true
        else if (part === '\x1b[201~') pasting = false
        else if (part === '\x03' || part === '\x04') return on.quit()
        else if (part === '\r' && !pasting) {
          const line = text
          text = ''
          if (line.trim() !== '') on.submit(line)
        } else if (part === '\r' || part === '\n') text += '\n'
        else if (part === '\x7f' || part === '\b') text = [...text].slice(0, -1).join('')
        else if (part === '\x15') text = ''
        else if (part >= ' ' && !part.startsWith('\x1b')) text += part
      }
      on.changed(text)
    },
  }
}
