import type { Language } from '../../../../shared/words.ts'
import { defaultStopMessageText } from '../goals/default-text.ts'
import { refuseGoalPath } from '../goals/goal-file.ts'
import { invalid, shorten } from './invalid.ts'
import type { Command, InvalidCommand, StopMessageText } from '../types.ts'
import { isOpeningQuote, readQuoted } from '../context/quoted.ts'

export type Family = 'stopmessage' | 'sm'

/** Defaults of each family. */
const defaults: Record<Family, { max: number | null; review: boolean }> = {
  stopmessage: { max: 10, review: false },
  sm: { max: null, review: true },
}

interface Options {
  max?: number
  review?: boolean
}

/** Reads what follows the name in `stopMessage:…` and `sm:…`. */
export function parseStopMessage(family: Family, rest: string, language: Language): Command {
  const items = splitItems(rest)
  if (!items)
    return invalid(
      'bad-text',
      'A quote is not closed, or something follows one directly: close it, put a comma after it.',
    )
  const [first, ...tail] = items
  if (!first || (first.kind === 'word' && first.word === ''))
    return invalid('no-value', 'The marker says neither a text, nor a number of rounds, nor on or off.')
  const word = first.kind === 'word' ? first.word.toLowerCase() : null
  if (word === 'off' || word === 'clear') {
    return tail.length === 0 ? { kind: 'stop-message-clear' } : invalid('bad-option', `Nothing may follow “${word}”.`)
  }
  const head = readHead(first, language)
  if ('kind' in head) return head
  const options = readTail(tail, head.rounds)
  if ('kind' in options) return options
  return {
    kind: 'stop-message-set',
    text: head.text,
    max: options.max ?? defaults[family].max,
    review: options.review ?? defaults[family].review,
  }
}

/** Text, `on`, `on/N` or `N`. */
function readHead(first: Item, language: Language): { text: StopMessageText; rounds?: string } | InvalidCommand {
  const byDefault: StopMessageText = { kind: 'default', text: defaultStopMessageText(language) }
  if (first.kind === 'quoted')
    return { text: first.text.trim() === '' ? byDefault : { kind: 'text', text: first.text } }
  if (first.kind === 'file') {
    const refused = refuseGoalPath(first.path)
    return refused === null ? { text: { kind: 'file', path: first.path } } : invalid('bad-path', refused)
  }
  const on = /^on(?:\s*\/\s*(.*))?$/is.exec(first.word)
  if (on) return on[1] === undefined ? { text: byDefault } : { text: byDefault, rounds: on[1] }
  if (/^[0-9+-]/.test(first.word)) return { text: byDefault, rounds: first.word }
  return invalid(
    'unknown-option',
    `“${shorten(first.word)}” is not understood here: write a text in quotes, a number of rounds, on or off.`,
  )
}

/** Rounds and `ai:on` / `ai:off`, in any order, each at most once. */
function readTail(tail: readonly Item[], rounds: string | undefined): Options | InvalidCommand {
  const options: Options = {}
  const words = tail.map((item) => (item.kind === 'word' ? item.word : ''))
  for (const word of rounds === undefined ? words : [rounds, ...words]) {
    const ai = /^ai\s*[:：]\s*(on|off)$/i.exec(word)
    if (ai) {
      if (options.review !== undefined) return invalid('bad-option', 'Write ai:on or ai:off once, not twice.')
      options.review = ai[1]?.toLowerCase() === 'on'
    } else if (/^[0-9+-]/.test(word) || word === rounds) {
      const max = /^[0-9]+$/.test(word) ? Number(word) : 0
      if (max < 1 || !Number.isSafeInteger(max))
        return invalid('bad-rounds', `“${shorten(word)}” is not a number of rounds: write a whole number, 1 or more.`)
      if (options.max !== undefined) return invalid('bad-rounds', 'The number of rounds is given twice.')
      options.max = max
    } else
      return invalid(
        'bad-option',
        `“${shorten(word)}” is not an option: known are a number of rounds, ai:on and ai:off.`,
      )
  }
  return options
}

/** One part of a marker between separators. */
type Item = { kind: 'quoted'; text: string } | { kind: 'file'; path: string } | { kind: 'word'; word: string }

const scheme = 'file://'
const isSeparator = (char: string | undefined): boolean => char === ',' || char === '，'

/** Splits at `,` and `，` outside quotes and `<file://…>`; null when something follows a closing quote or bracket. */
function splitItems(body: string): Item[] | null {
  const items: Item[] = []
  for (let i = 0; ;) {
    const part = readItem(body, i)
    if (!part) return null
    items.push(part.item)
    if (part.end >= body.length) return items
    i = part.end + 1
  }
}

function readItem(body: string, from: number): { item: Item; end: number } | null {
  const start = skipSpace(body, from)
  if (isOpeningQuote(body[start])) {
    const quoted = readQuoted(body, start)
    return quoted && atSeparator(body, quoted.end, { kind: 'quoted', text: quoted.text })
  }
  if (body.slice(start, start + scheme.length + 1).toLowerCase() === `<${scheme}`) {
    const close = body.indexOf('>', start)
    return close < 0
      ? null
      : atSeparator(body, close + 1, { kind: 'file', path: body.slice(start + scheme.length + 1, close).trim() })
  }
  let end = start
  while (end < body.length && !isSeparator(body[end])) end++
  const word = body.slice(start, end).trim()
  const isFile = word.slice(0, scheme.length).toLowerCase() === scheme
  return { item: isFile ? { kind: 'file', path: word.slice(scheme.length).trim() } : { kind: 'word', word }, end }
}

function atSeparator(body: string, from: number, item: Item): { item: Item; end: number } | null {
  const end = skipSpace(body, from)
  return end >= body.length || isSeparator(body[end]) ? { item, end } : null
}

function skipSpace(body: string, from: number): number {
  let i = from
  while (i < body.length && body.charAt(i).trim() === '') i++
  return i
}
