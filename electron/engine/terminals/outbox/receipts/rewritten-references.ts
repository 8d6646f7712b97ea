import { sameFolded } from './folding.ts'

/** The name after an `@`, as Gemini CLI 0.61.0 and Qwen Code 0.24.4 read it (their atCommandProcessor). */
const nameAtStart = /^(?:"[^"]*"|\\[^]|[^\s,;!?()[\]{}.]|\.(?!\s|$))+/

/**
 * True if a message is a typed text in which the agent wrote the references its own way: Gemini CLI and Qwen Code put a
 * space before every `@` of a message once it names something they read, and take backslashes out of names; Gemini CLI
 * also names the path it found (`@src` becomes `@src/**`, `@deep.md` becomes `@below/deep.md`).
 */
export function sameButReferences(typed: string, sent: string): boolean {
  const at = typed.indexOf('@')
  // most messages end here, however long they are
  if (at < 0 || !sameFolded(typed.slice(0, at), headOf(sent))) return false
  const [, ...typedParts] = typed.split('@')
  const [, ...sentParts] = sent.split('@')
  return (
    typedParts.length === sentParts.length && typedParts.every((part, i) => sameReference(part, sentParts[i] ?? ''))
  )
}

/** Returns the text before the first `@`. */
function headOf(sent: string): string {
  const at = sent.indexOf('@')
  return at < 0 ? sent : sent.slice(0, at)
}

/** Compares the text after an `@`, up to the next one. */
function sameReference(typed: string, sent: string): boolean {
  if (sameFolded(typed, sent)) return true
  const [written = ''] = nameAtStart.exec(typed) ?? []
  const name = written.replace(/\\([^])/g, '$1')
  const rest = folded(typed.slice(written.length))
  const whole = folded(sent)
  if (name === '' || !whole.endsWith(rest)) return false
  const found = whole.slice(0, whole.length - rest.length)
  return found === folded(name) || leadsTo(name, found)
}

/** True for a path that ends as the name does, or whose last part contains it. */
function leadsTo(name: string, path: string): boolean {
  const last = (of: string) =>
    of
      .replace(/\/\*\*$/, '')
      .split('/')
      .findLast((part) => part !== '')
  const [wanted, there] = [last(name), last(path)]
  return wanted !== undefined && there !== undefined && there.includes(wanted)
}

const folded = (text: string): string => text.replace(/\s+/g, ' ').trimEnd()
