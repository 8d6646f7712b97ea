import { isAbsolute, posix, relative, sep } from 'node:path'
import type { CheckRun, Evidence } from '../../../../shared/review.ts'
import type { InspectionRecord } from './types.ts'

/** The source that a claim names. */
export type Source =
  | { kind: 'file'; path: string }
  | { kind: 'check'; name: string }
  | { kind: 'git'; what: string }
  | { kind: 'search'; text: string }
  /** words of its own: a claim that can't be verified */
  | { kind: 'words' }

export interface Weighed {
  /** Onward saw it, or can see it */
  held: readonly Evidence[]
  /** it names a file that isn't there */
  untrue: readonly Evidence[]
}

export interface EvidenceContext {
  folder: string
  exists(path: string): Promise<boolean>
  /** texts shown in this review; null: the reviewer inspected by itself, and it is enough if the source exists */
  records: readonly InspectionRecord[] | null
  /** names of declared checks */
  declared: readonly string[]
  /** that ran in this review */
  checks: readonly CheckRun[]
}

/** Checks each piece of evidence against what Onward itself saw. */
export async function weigh(evidence: readonly Evidence[], context: EvidenceContext): Promise<Weighed> {
  const held: Evidence[] = []
  const untrue: Evidence[] = []
  for (const one of evidence) {
    let holds = false
    let lies = false
    for (const source of sourcesOf(one.source, context.folder)) {
      if (source.kind === 'file' && !(await context.exists(source.path))) lies = true
      else holds ||= isHeld(source, context)
    }
    if (lies) untrue.push(one)
    else if (holds) held.push(one)
  }
  return { held, untrue }
}

/** One claim may name several: `file:a.ts, check:tests`. */
export function sourcesOf(text: string, folder: string): readonly Source[] {
  return text
    .trim()
    .split(/[,;]\s*(?=(?:file|check|git|search):)/i)
    .map((one) => sourceOf(one.trim(), folder))
}

function sourceOf(text: string, folder: string): Source {
  const [, word = '', rest = ''] = /^(file|check|git|search):\s*(.*)$/is.exec(text) ?? []
  const said = rest.trim().replace(/^[`“"']+|[`”"']+$/gu, '')
  if (said === '') return { kind: 'words' }
  switch (word.toLowerCase()) {
    case 'file': {
      const path = pathOf(said, folder)
      // The folder itself shows nothing.
      return path === '.' || path === './' ? { kind: 'words' } : { kind: 'file', path }
    }
    case 'check':
      return { kind: 'check', name: said }
    case 'git':
      return { kind: 'git', what: (/^[a-z]+/i.exec(said)?.[0] ?? '').toLowerCase() }
    case 'search':
      return { kind: 'search', text: said }
    default:
      return { kind: 'words' }
  }
}

/** `src/a.ts` of `./src/a.ts:40-88`, `src/a.ts#L40` or, of a program that knows the folder, its absolute path. */
function pathOf(said: string, folder: string): string {
  const path = said.replace(/(?::\d+(?:\s*[-–]\s*\d+)?(?:,\s*\d+(?:-\d+)?)*|#L\d+(?:-L?\d+)?)+$/u, '')
  if (isAbsolute(path)) {
    const below = relative(folder, path).split(sep).join('/')
    return below === '' ? '.' : below.startsWith('../') || below === '..' ? path : below
  }
  return posix.normalize(path.replaceAll('\\', '/'))
}

function isHeld(source: Source, { records, declared, checks }: EvidenceContext): boolean {
  if (source.kind === 'words') return false
  if (source.kind === 'check')
    return (
      declared.includes(source.name) &&
      (records === null || checks.some(({ name, outcome }) => name === source.name && outcome === 'passed'))
    )
  // Onward can't know what a program of the user's saw: the file exists, but for git and searches there is only its
  // word.
  if (records === null) return source.kind === 'file'
  return records.some((record) => record.inspection.ok && shows(record, source))
}

function shows(
  { inspection: { tool, what }, asked, text }: InspectionRecord,
  source: Extract<Source, { kind: 'file' | 'git' | 'search' }>,
): boolean {
  switch (source.kind) {
    case 'git':
      return tool === `git_${source.what}`
    case 'search':
      return (
        tool === 'search_text' && (same(asked).includes(same(source.text)) || same(source.text).includes(same(asked)))
      )
    case 'file':
      return (
        (tool === 'read_file' || tool === 'list_files' || tool === 'search_text' || tool.startsWith('git_')) &&
        (names(what, source.path) || (tool !== 'read_file' && names(text, source.path)))
      )
  }
}

const same = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** The path stands in the text as a whole, not as a piece of another one. */
function names(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    // git writes `a/src/a.ts` and `b/src/a.ts`
    const before = text.slice(Math.max(0, at - 3), at)
    const after = text.slice(at + path.length, at + path.length + 2)
    if (/(^|[^\w./-]|(^|[^\w./-])[ab.]\/)$/u.test(before) && !/^(?:[\w/-]|\.\w)/u.test(after)) return true
  }
  return false
}

/** The piece of evidence in a sentence. */
export function evidenceLine({ claim, source, result }: Evidence): string {
  const said = [claim, result]
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part, i, all) => part !== '' && all.indexOf(part) === i)
  return said.length === 0 ? source : said.join(': ')
}
