/**
 * Undoes a change in a file that was written to since, as agents do with their own settings at every start: Onward's
 * changes go, later ones stay. Nothing is guessed: null where a place of Onward's is not as it was left.
 */
import { isDeepStrictEqual } from 'node:util'
import { parse, type ParseError } from 'jsonc-parser'
import { editText, type ConfigEdit, type ConfigPath } from '../../config/edit-text.ts'
import { shortest } from './diff.ts'

export interface ThreeTexts {
  before: string
  wrote: string
  now: string
}

export function takeBack(path: string, { before, wrote, now }: ThreeTexts): string | null {
  if (!/\.jsonc?$/.test(path)) return takeBackLines({ before, wrote, now })
  const values = [before.trim() === '' ? '{}' : before, wrote, now].map(valueIn)
  if (values.some((value) => !isObject(value))) return null
  const edits = editsBack(values[0], values[1], values[2], [])
  return edits && editText(now, edits)
}

/** By members, so that a comma more or less, or another layout, is no change. */
function editsBack(before: unknown, wrote: unknown, now: unknown, path: ConfigPath): readonly ConfigEdit[] | null {
  if (isDeepStrictEqual(before, wrote) || isDeepStrictEqual(before, now)) return []
  if (isDeepStrictEqual(wrote, now))
    // `${` would be written as something else
    return JSON.stringify(before)?.includes('${') ? null : [{ path, value: before }]
  if (!isObject(wrote) || !isObject(now) || (before !== undefined && !isObject(before))) return null
  const edits: ConfigEdit[] = []
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(wrote)])) {
    const inner = editsBack(before?.[name], wrote[name], now[name], [...path, name])
    if (!inner) return null
    edits.push(...inner)
  }
  return edits
}

function takeBackLines({ before, wrote, now }: ThreeTexts): string | null {
  // The end of a line is no part of it here: the last line may have got one since.
  const [old, ours, current] = [before, wrote, now].map((text) => text.split('\n')) as [string[], string[], string[]]
  const place = placesOf(ours, current)
  const gone = new Set<number>()
  const put = new Map<number, string[]>()
  let at = 0
  // before the first line, or after the last one that was seen
  let behind: number | null = -1
  for (const { kind, text } of shortest(ours, old)) {
    if (kind === 'added') {
      if (behind === null) return null
      put.set(behind, [...(put.get(behind) ?? []), text])
      continue
    }
    const there = place[at++] ?? null
    if (kind === 'removed') {
      if (there === null) return null
      gone.add(there)
    }
    behind = there
  }
  return [
    ...(put.get(-1) ?? []),
    ...current.flatMap((line, i) => [...(gone.has(i) ? [] : [line]), ...(put.get(i) ?? [])]),
  ].join('\n')
}

/** Where each line of `from` stands in `to`; null: nowhere. */
function placesOf(from: readonly string[], to: readonly string[]): readonly (number | null)[] {
  let at = 0
  return shortest(from, to).flatMap(({ kind }): (number | null)[] => {
    if (kind === 'removed') return [null]
    return kind === 'same' ? [at++] : (at++, [])
  })
}

function valueIn(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
  return errors.length > 0 ? undefined : value
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
