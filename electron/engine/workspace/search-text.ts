import type { Found } from './types.ts'
import { locate, type Confines } from './confine.ts'
import type { Entries } from './entries.ts'
import { counted, linesThatFit, inspected, notInspected } from './found.ts'
import { readToShow } from './open-inside.ts'
import { isBinary } from './read-file.ts'
import { refused, shownPath } from './relative-path.ts'

const mostMatches = 60
const mostOfOneFile = 15
const mostFiles = 10_000
const mostBytes = 256 * 1024 * 1024
/** A larger file is data. */
const largestFile = 2 * 1024 * 1024
const longestQuery = 400
const atOnce = 16

/**
 * A plain text in every file below a path. Links are not followed: what they lead to inside is met at its own place.
 */
export async function searchText(
  confines: Confines,
  input: { text: string; path?: string },
  entriesOf: Entries,
  signal: AbortSignal,
): Promise<Found> {
  const place = await locate(confines, input.path ?? '')
  if (!place.ok) return notInspected(shownPath(input.path ?? ''), place)
  const what = place.path === '' ? shownPath(input.text) : `${shownPath(input.text)} in ${shownPath(place.path)}`
  if (input.text === '' || input.text.length > longestQuery || /[\r\n]/.test(input.text))
    return notInspected(
      what,
      refused(`Search for a text of one line, with 1 to ${longestQuery} characters.`, 'not a query'),
    )
  const query = Buffer.from(input.text, 'utf8')
  const tally = { files: 0, bytes: 0, unread: 0, matches: 0, hits: 0 }
  const lines: string[] = []
  const full = () => tally.matches > mostMatches || tally.files >= mostFiles || tally.bytes >= mostBytes

  const searchFile = async (path: string): Promise<readonly string[]> => {
    const file = await readToShow(confines, path, largestFile)
    tally.files += 1
    if (!file.ok || file.size > largestFile || isBinary(file.bytes)) {
      tally.unread += 1
      return []
    }
    tally.bytes += file.size
    const found = linesWith(file.bytes, query)
    if (found.length === 0) return []
    tally.hits += 1
    tally.matches += found.length
    const shown = found.slice(0, mostOfOneFile).map(({ line, text }) => `${shownPath(file.path)}:${line}: ${text}`)
    return found.length > shown.length
      ? [...shown, `… ${found.length - shown.length} more lines of ${shownPath(file.path)}`]
      : shown
  }

  for await (const batch of batches(place.kind === 'file' ? [place.path] : filesBelow(place.path, entriesOf))) {
    if (signal.aborted) return notInspected(what, refused('The search was stopped.', 'stopped'))
    for (const found of await Promise.all(batch.map(searchFile))) lines.push(...found)
    if (full()) break
  }
  const shown = linesThatFit(lines.slice(0, mostMatches))
  const notes = [
    ...(shown.length < lines.length || tally.matches > mostMatches
      ? ['… there is more: search for a longer text, or below a path.']
      : []),
    ...(tally.files >= mostFiles || tally.bytes >= mostBytes
      ? [`… only the first ${tally.files} files were searched.`]
      : []),
    ...(tally.unread > 0
      ? [
          `(${counted(tally.unread, 'file')} not searched: binary, larger ` +
            `than ${largestFile / 1024 / 1024} MB, or holding secrets)`,
        ]
      : []),
  ]
  if (tally.matches === 0)
    return inspected(
      what,
      [
        `No line of ${counted(tally.files - tally.unread, 'file')} has this text; upper and lower case count.`,
        ...notes,
      ].join('\n'),
      'nothing found',
    )
  return inspected(
    what,
    [...shown, ...notes].join('\n'),
    `${full() ? 'at least ' : ''}${counted(tally.matches, 'line')} in ${counted(tally.hits, 'file')}`,
  )
}

async function* filesBelow(start: string, entriesOf: Entries): AsyncGenerator<string> {
  const folders = [start]
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const { name, kind } of await entriesOf(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (kind === 'folder') folders.push(path)
      else if (kind === 'file') yield path
    }
  }
}

async function* batches(paths: Iterable<string> | AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  for await (const path of paths) {
    batch.push(path)
    if (batch.length < atOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Bytes shown of a line before and after the text that was found in it. */
const before = 120
const after = 240

/** The lines of a file that hold a text, counted from 1, cut around it. */
export function linesWith(bytes: Buffer, query: Buffer): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = []
  let line = 1
  let counted = 0
  for (let hit = bytes.indexOf(query); hit >= 0;) {
    for (let next = bytes.indexOf(10, counted); next >= 0 && next < hit; next = bytes.indexOf(10, counted)) {
      line += 1
      counted = next + 1
    }
    const newline = bytes.indexOf(10, hit)
    const end = newline < 0 ? bytes.length : newline
    found.push({ line, text: around(bytes, counted, hit, Math.min(end, hit + query.length + after), end) })
    hit = newline < 0 ? -1 : bytes.indexOf(query, newline)
  }
  return found
}

function around(bytes: Buffer, start: number, hit: number, until: number, end: number): string {
  const from = Math.max(start, hit - before)
  const text = bytes.toString('utf8', from, until).replace(/\r$/, '')
  // A cut may fall into a character.
  return `${from > start ? `…${text.replace(/^\uFFFD+/, '')}` : text.trimStart()}${until < end ? '…' : ''}`
}
