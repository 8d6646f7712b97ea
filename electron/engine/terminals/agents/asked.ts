import type { AskedChoice, AskedView } from '../../../../shared/state.ts'
import { linesOf, type ScreenView } from '../screen/view.ts'
import type { ScreenFacts } from './types.ts'

/** rows above the choices that may belong to the dialog */
const mostRows = 24
const mostAbout = 600

/**
 * Reads an open dialog: choices that are numbered, marked by a pointer or stand beside each other in one row, and what
 * stands above them up to the dialog's edge. null where there are no choices: then nothing is sure.
 */
export function askedOn(view: ScreenView, facts: Pick<ScreenFacts, 'fresh'> | null): AskedView | null {
  const lines = linesOf(view)
  const rows = lines.map(withoutFrame)
  const found = numbered(rows, view.rows[0]?.length ?? 80) ?? beside(rows) ?? pointed(rows)
  if (!found) return null
  const said = facts?.fresh.said
  const above = linesAbove(lines, rows, found.first, said)
  const at = above.findLastIndex((line) => /[?？]$/.test(line))
  const question = above[at] ?? above[0] ?? null
  const about = above.filter((line) => line !== question).join('\n')
  return {
    question: question?.replace(/^(?:[?▶△⏵]\s+)/u, '') ?? null,
    about: about === '' ? null : about.slice(0, mostAbout),
    choices: found.choices,
  }
}

interface Found {
  first: number
  choices: readonly AskedChoice[]
}

const side = /^\s*[│┃|](?=\s|$)|\s*[│┃]$/gu
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
    if (n === labels.length + 1) labels.push(number.exec(row)?.[3] ?? '')
    else if (n !== null || (row.trim() === '' && rows[y + 1]?.trim() === '')) break
    else if (wraps && row.trim() !== '' && !rule.test(row)) labels.push(`${labels.pop() ?? ''} ${row.trim()}`)
    wraps = row.trim() !== '' && row.length + (rows[y + 1]?.trim().split(' ')[0]?.length ?? 0) + 1 >= cols - 6
  }
  if (labels.length < 2) return null
  return { first, choices: labels.map((label, i) => ({ label: label.trim(), key: String(i + 1) })) }
}

function numberOf(row: string): number | null {
  const found = number.exec(row)
  return found ? Number(found[1] ?? found[2]) : null
}

/** `Allow once   Allow always   Reject`, as OpenCode and Kilo have it. */
function beside(rows: readonly string[]): Found | null {
  const first = rows.findLastIndex((row) => /^\s*\S+(?: \S+)*(?: {3}\S+(?: \S+)*)+ {4,}.*\benter confirm\b/.test(row))
  const labels = first < 0 ? [] : ((rows[first] ?? '').trim().split(/ {4,}/)[0]?.split(/ {3}/) ?? [])
  return labels.length < 2 ? null : { first, choices: labels.map((label) => ({ label: label.trim(), key: null })) }
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
  return labels.length < 2 ? null : { first, choices: labels.map((label) => ({ label, key: null })) }
}

/** Up to a full rule, the top of a box, two empty rows, or what somebody said before. */
function linesAbove(
  lines: readonly string[],
  rows: readonly string[],
  first: number,
  said: RegExp | undefined,
): string[] {
  const above: string[] = []
  for (let y = first - 1; y >= Math.max(0, first - mostRows); y--) {
    const line = lines[y] ?? ''
    const row = (rows[y] ?? '').trim()
    if (/^\s*[╭┌─━]{8,}/u.test(line) || (said?.test(line) === true && !/^\s*[│┃]/u.test(line))) break
    if (line.trim() === '' && (lines[y - 1] ?? '').trim() === '' && above.length > 0) break
    if (row !== '' && !rule.test(row)) above.unshift(row)
  }
  return above
}
