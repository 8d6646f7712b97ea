import { isOpeningQuote, readQuoted } from '../context/quoted.ts'

/** One part of a marker between separators. */
export type Item = { kind: 'quoted'; text: string } | { kind: 'file'; path: string } | { kind: 'word'; word: string }

const scheme = 'file://'
const isSeparator = (char: string | undefined): boolean => char === ',' || char === '，'

/** Splits at `,` and `，` outside quotes and `<file://…>`; null when something follows a closing quote or bracket. */
export function splitItems(body: string): Item[] | null {
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
