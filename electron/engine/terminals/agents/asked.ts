import type { AskedView } from '../../../../shared/state.ts'
import { linesOf, textOf, type Cell, type ScreenView } from '../screen/view.ts'
import type { AskRule, ScreenFacts } from './types.ts'

/** rows above the choices that may belong to the dialog */
const mostRows = 24
const mostAbout = 600

/**
 * Reads an open dialog: choices that are numbered, marked by a pointer or beside each other in one row, and the text
 * above them up to the dialog's edge. Returns null if there are no choices: then nothing is sure.
 */
export function askedOn(view: ScreenView, facts: Pick<ScreenFacts, 'fresh' | 'asks'> | null): AskedView | null {
  const lines = linesOf(view)
  const rows = lines.map(withoutFrame)
  const found = numbered(rows, view.rows[0]?.length ?? 80) ?? beside(rows, view) ?? pointed(rows)
  if (!found) return null
  const said = facts?.fresh.said
  const { first, right } = found
  const within = right === undefined ? lines : view.rows.map((row) => textOf(row, 0, right))
  const above = linesAbove(within, first, said)
  const at = above.findLastIndex((line) => /[?？]$/.test(line))
  const question = above[at] ?? above[0] ?? null
  const others = above.filter((line) => line !== question)
  const about = others.join('\n')
  const wants = wantedBy(others, question, betweenDashes(within, first), facts?.asks ?? [])
  return {
    question: question?.replace(/^(?:[?▶△⏵]\s+)/u, '') ?? null,
    about: about === '' ? null : about.slice(0, mostAbout),
    choices: found.choices,
    ...(wants && { wants }),
    ...(found.pointer && { pointer: found.pointer }),
  }
}

/**
 * The topmost line that identifies one of the agent's dialogs decides, because the text below it may quote anything.
 */
function wantedBy(
  about: readonly string[],
  question: string | null,
  dashed: string | null,
  rules: readonly AskRule[],
): AskedView['wants'] | null {
  const lines = question === null ? about : [...about, question]
  for (const [at, line] of lines.entries()) {
    for (const { act, line: known, stands } of rules) {
      const found = known.exec(line)
      if (!found) continue
      const what =
        stands === 'next'
          ? about[at + 1]
          : stands === 'between-dashes'
            ? (dashed ?? about.at(-1))
            : stands === 'last'
              ? about.at(-1)
              : found[1]
      if (what !== undefined) return { act, what }
    }
  }
  return null
}

/** The first line between the last two dashed rules above the choices; an ellipsis stands for those after it. */
function betweenDashes(lines: readonly string[], first: number): string | null {
  const bottom = lines.slice(0, first).findLastIndex((line) => dashes.test(line))
  const top = lines.slice(0, Math.max(0, bottom)).findLastIndex((line) => dashes.test(line))
  if (top < 0) return null
  const [line, ...more] = lines
    .slice(top + 1, bottom)
    .map((row) => withoutFrame(row).trim())
    .filter((row) => row !== '')
  return line === undefined ? null : more.length > 0 ? `${line} …` : line
}

interface Found extends Pick<AskedView, 'choices' | 'pointer'> {
  first: number
  /** where it ends: the text beside it is no part of it */
  right?: number
}

const side = /^\s*[│┃|](?=\s|$)|\s*[│┃]$/gu
const dashes = /^\s*╌{8,}\s*$/u
const rule = /^[\s─━╌╭╮╰╯┌┐└┘═▔▁]+$/u

/** A row without the sides of the boxes around it. */
function withoutFrame(line: string): string {
  let row = line
  for (let before = ''; row !== before;) {
    before = row
    row = row.replaceAll(side, ' ').trimEnd()
  }
  return row
}

const pointer = /^(\s*)(?:[❯›▶→●>]\s+)/u
const number = /^\s*(?:[❯›▶→●>]\s+)?(?:\[(\d)\]|(\d)[.)])\s+(\S.*)$/u

/** `1. Yes`, `2. No`: the last such list on the screen. A label that does not fit goes on in the next row. */
function numbered(rows: readonly string[], cols: number): Found | null {
  const first = rows.findLastIndex((row) => numberOf(row) === 1)
  if (first < 0) return null
  const labels: string[] = []
  let wraps = false
  for (let y = first; y < rows.length; y++) {
    const row = rows[y] ?? ''
    const n = numberOf(row)
    const goesOn: boolean = wraps && n === null && row.trim() !== '' && !rule.test(row)
    if (n === labels.length + 1) labels.push(number.exec(row)?.[3] ?? '')
    else if (n !== null || (row.trim() === '' && rows[y + 1]?.trim() === '')) break
    else if (goesOn) labels.push(`${labels.pop() ?? ''} ${row.trim()}`)
    wraps = (n !== null || goesOn) && row.length + (rows[y + 1]?.trim().split(' ')[0]?.length ?? 0) + 1 >= cols - 6
  }
  if (labels.length < 2) return null
  return { first, choices: labels.map((label, i) => ({ label: label.trim(), key: String(i + 1) })) }
}

function numberOf(row: string): number | null {
  const found = number.exec(row)
  return found ? Number(found[1] ?? found[2]) : null
}

/** `Allow once   Allow always   Reject`, as OpenCode and Kilo have it. The chosen one stands out by its background. */
function beside(rows: readonly string[], view: ScreenView): Found | null {
  const first = rows.findLastIndex((row) => /\S {3}\S.* ⇆ s/.test(row))
  const offered = /^\s*(\S.*?)\s{2,}(?:ctrl\+f |⇆ s)/.exec(rows[first] ?? '')?.[1] ?? ''
  const labels = offered.split(/ {3}/).map((label) => label.trim())
  if (labels.length < 2) return null
  const cells = view.rows[first] ?? []
  const drawn = textOf(cells)
  let end = 0
  const styles = labels.map((label) => {
    const at = drawn.indexOf(label, end)
    end = at + label.length
    return styleOf(cells[at])
  })
  // Hints come after the choices, on the ground of the dialog; where they don't fit they are cut off.
  const hints = drawn.indexOf('⇆')
  const ground = styleOf(cells[hints])
  const edge = cells.findIndex((cell, x) => x > hints && styleOf(cell) !== ground)
  const at = oddOne(styles, ground)
  return {
    first,
    ...(edge >= 0 && { right: edge }),
    choices: labels.map((label) => ({ label, key: null })),
    ...(at !== null && { pointer: { at, moves: 'across' } }),
  }
}

const styleOf = (cell: Cell | undefined): string => JSON.stringify([cell?.inverse, cell?.background])

/**
 * Finds the one that differs from all others, where those look the same; of two, the one that differs from the ground.
 */
function oddOne(styles: readonly string[], ground: string): number | null {
  const plain = styles.length === 2 ? ground : styles.find((style, at) => styles.indexOf(style) !== at)
  const odd = styles.flatMap((style, at) => (style === plain ? [] : [at]))
  return plain !== undefined && odd.length === 1 ? (odd[0] ?? null) : null
}

/** Lines around one with a pointer that begin where it begins. */
function pointed(rows: readonly string[]): Found | null {
  const at = rows.findLastIndex((row) => pointer.test(row))
  const indent = pointer.exec(rows[at] ?? '')?.[0].length ?? 0
  if (at < 0) return null
  const stands = (row: string | undefined): boolean =>
    row !== undefined && row.length > indent && row.slice(0, indent).trim() === '' && row[indent] !== ' '
  let first = at
  while (stands(rows[first - 1])) first--
  let last = at
  while (stands(rows[last + 1])) last++
  const labels = rows.slice(first, last + 1).map((row) => row.slice(indent).trim())
  if (labels.length < 2) return null
  // With two pointers it is unknown which one counts.
  const pointers = rows.slice(first, last + 1).filter((row) => pointer.test(row)).length
  return {
    first,
    choices: labels.map((label) => ({ label, key: null })),
    ...(pointers === 1 && { pointer: { at: at - first, moves: 'down' } }),
  }
}

/** Collects up to a full rule, the top of a box, two empty rows, or an earlier message of either side. */
function linesAbove(lines: readonly string[], first: number, said: RegExp | undefined): string[] {
  const above: string[] = []
  for (let y = first - 1; y >= Math.max(0, first - mostRows); y--) {
    const line = lines[y] ?? ''
    const row = withoutFrame(line).trim()
    if (/^\s*[╭┌─━]{8,}/u.test(line) || (said?.test(line) === true && !/^\s*[│┃]/u.test(line))) break
    if (line.trim() === '' && (lines[y - 1] ?? '').trim() === '' && above.length > 0) break
    if (row !== '' && !rule.test(row)) above.unshift(row)
  }
  return above
}
