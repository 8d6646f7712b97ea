import type { OptionKind, ResumeFacts } from './types.ts'

/**
 * Returns the command line that continues a conversation: the program and the person's own options, without a first
 * prompt and without an earlier resume. @param id of the conversation, as the wire proved it; null: the client names
 * none, and it is the one that the command line itself names. @returns null: it is not known what these words would do
 */
export function resumeArgv(resume: ResumeFacts | null, argv: readonly string[], id: string | null): string[] | null {
  const [program, ...args] = argv
  if (!resume || program === undefined) return null
  const options = ownOptions(resume, args)
  const named = resume.known === 'wire' ? id : (options?.id ?? null)
  return options && named !== null ? [program, ...options.kept, ...resume.words(named)] : null
}

/** Returns the arguments with a name for the new conversation, for a client that names none on the wire. */
export function named(resume: ResumeFacts | null, args: readonly string[], id: string | undefined): readonly string[] {
  const options = id === undefined || !resume ? null : ownOptions(resume, args)
  return id === undefined || !options || options.opens ? args : ['--session-id', id, ...args]
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const kinds: readonly OptionKind[] = [
  'flag',
  'value',
  'values',
  'drop',
  'drop-value',
  'drop-values',
  'drop-maybe',
  'never',
]

/** null: a word could be the value of an option as well as a prompt, or it is a command that has no conversation. */
function ownOptions(
  { options, commands, first, opens: openers }: ResumeFacts,
  args: readonly string[],
): { kept: string[]; id: string | null; opens: boolean } | null {
  const kept: string[] = []
  let id: string | null = null
  let opens = false
  let words = 0
  const command = typeof first === 'object' ? first.command : null
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    // what follows is a prompt, whatever it looks like
    if (word === '--') return first && (words === 0 || !command) ? null : { kept, id, opens }
    if (!word.startsWith('-')) {
      words += 1
      if (words === 1 && (first === 'never' || (command && !command.includes(word)))) return null
      if (words === (command ? 2 : 1) && commands.includes(word)) return null
      if (words === 1 && first !== undefined) kept.push(word)
      continue
    }
    if (/^-[^-]./.test(word)) return null
    const cut = word.startsWith('--') ? word.indexOf('=') : -1
    const name = cut < 0 ? word : word.slice(0, cut)
    const kind = kinds.find((one) => options[one]?.includes(name))
    let end = at + 1
    const isValue = (one: string | undefined) => one !== undefined && !one.startsWith('-')
    if (kind === undefined && cut < 0 && isValue(args[end])) return null
    if (kind === 'never') return null
    if (cut < 0) {
      if (kind === 'value' || kind === 'drop-value') end += 1
      else if (kind === 'drop-maybe') end += isValue(args[end]) ? 1 : 0
      else if (kind === 'values' || kind === 'drop-values') while (isValue(args[end])) end += 1
    }
    if (openers.includes(name)) {
      opens = true
      const value = cut < 0 ? args[at + 1] : word.slice(cut + 1)
      if (value !== undefined && uuid.test(value)) id = value
    }
    if (!kind?.startsWith('drop')) kept.push(...args.slice(at, end))
    at = end - 1
  }
  return command && words === 0 ? null : { kept, id, opens }
}
