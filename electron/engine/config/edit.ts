import { OnwardError } from '../base/errors.ts'
import { storeFailed } from '../store/store-failed.ts'
import type { Config } from '../../../shared/config/schema.ts'
import { editText } from './edit-text.ts'
import { sentenceOfFault } from './problem-of.ts'
import { readText } from './read-text.ts'
import type { BrokenRule } from './rules.ts'
import type { ConfigEdit, ConfigFiles, ConfigHandle, ConfigPath, ConfigProblem, ConfigText } from './types.ts'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'

export interface ConfigEditorDeps {
  path: string
  files: ConfigFiles
  check(text: string): { config: Config | null; problems: readonly ConfigProblem[] }
  /** what of a change a policy refuses. @param set members that are set on purpose */
  held(before: Config | null, next: Config, set?: readonly ConfigPath[]): readonly BrokenRule[]
  /** what the file held when it was last read for running; null: there was none */
  seen(): string | null | undefined
  /** the last text that was right while the file is wrong; undefined: the file is right, or none is known */
  good(): string | null | undefined
  /** takes over what stands in the file now */
  load(): Promise<void>
  now(): number
  /** a text that no undo brings back any more */
  forgotten(text: string): void
}

type EditorMembers = 'edit' | 'undo' | 'read' | 'save' | 'putBack' | 'savedAt' | 'canUndo'

/** The part of the handle that writes. `edit` throws what `edits` throws, too. */
interface ConfigEditor extends Pick<ConfigHandle, EditorMembers> {
  /** what can be taken back, and what it would bring back */
  undoTexts(): readonly string[]
}

const mostUndone = 20

/**
 * Changes the config file for the person. Calls must come one after another, and not while the file is being loaded.
 */
export function createConfigEditor({
  path,
  files,
  check,
  held,
  seen,
  good,
  load,
  now,
  forgotten,
}: ConfigEditorDeps): ConfigEditor {
  /** what can be taken back, newest last */
  const done: { before: string | null; wrote: string }[] = []
  /** not yet reported as forgotten */
  const gone: string[] = []
  let savedAt: number | null = null

  const read = () => readUtf8(path, files)
  const textOf = (text: string | null): ConfigText => ({ text, revision: revisionOf(text) })
  const remember = (before: string | null, wrote: string) => {
    done.push({ before, wrote })
    if (done.length > mostUndone) gone.push(done.shift()?.before ?? '')
  }
  const replace = async (before: string | null, next: string | null, note: () => void) => {
    if ((await read()) !== before) throw changed()
    await put(next, note)
  }
  const put = async (next: string | null, note: () => void) => {
    try {
      await (next === null ? files.remove(path) : files.write(path, next))
    } catch (cause) {
      throw storeFailed('save', path, cause)
    }
    savedAt = now()
    // Noted first: a listener to the new config sees at once whether it can be taken back.
    note()
    await load()
    for (const text of gone.splice(0)) forgotten(text)
  }

  return {
    async edit(edits) {
      const before = await read()
      const base = before ?? newConfig
      const { config, problems } = check(base)
      const [wrong] = problems
      if (wrong || !config)
        throw new OnwardError(
          'config-invalid',
          'The config file has a mistake, so it is not changed from ' +
            `here. Mend it first: ${wrong ? place(wrong) : path}`,
          { status: 409, details: wrong && factsOf(wrong) },
        )
      const wanted = typeof edits === 'function' ? edits(config) : edits
      const next = editText(base, wanted)
      const { config: changedTo, problems: left } = check(next)
      const [problem] = left
      if (problem)
        throw new OnwardError(
          'config-invalid',
          `The config would not be right, so it was not changed: ${place(problem)}`,
          { status: 400, details: { ...factsOf(problem), field: problem.path } },
        )
      const [refused] = changedTo ? held(config, changedTo, setIn(wanted)) : []
      if (refused) throw heldByPolicy(refused)
      if (next === before) return
      await replace(before, next, () => remember(before, next))
    },
    read: async () => textOf(await read()),
    async save(text, revision) {
      const before = await read()
      if (revisionOf(before) !== revision) return { kind: 'changed', ...textOf(before) }
      const { config, problems } = check(text)
      if (problems.length > 0) return { kind: 'refused', problems }
      const refused = config ? held(before === null ? null : check(before).config, config) : []
      if (refused.length > 0) return { kind: 'refused', problems: placed(text, refused) }
      if (text === before) await load()
      else await replace(before, text, () => remember(before, text))
      return { kind: 'saved', ...textOf(text) }
    },
    async putBack() {
      const text = good()
      if (text === undefined) throw nothingToPutBack()
      // Bytes that are not UTF-8 are read as other characters, but a comparison still shows whether it is the text that
      // was looked at.
      const asSeen = async () => {
        const bytes = await files.read(path).catch((cause: unknown) => {
          throw storeFailed('read', path, cause)
        })
        if ((bytes?.toString('utf8') ?? null) !== seen()) throw changed()
      }
      await asSeen()
      const kept = await keepBeside(path, files, now())
      await asSeen()
      await put(text, () => undefined)
      return kept
    },
    async undo() {
      const last = done.at(-1)
      if (!last)
        throw new OnwardError('nothing-to-undo', 'Nothing was changed from here that could be taken back.', {
          status: 409,
        })
      if ((await read()) !== last.wrote) throw changed()
      await replace(last.wrote, last.before, () => gone.push(done.pop()?.wrote ?? ''))
    },
    savedAt: () => savedAt,
    canUndo: () => done.length > 0 && seen() === done.at(-1)?.wrote,
    undoTexts: () => done.flatMap(({ before, wrote }) => (before === null ? [wrote] : [before, wrote])),
  }
}

/** members that are given a value */
const setIn = (edits: readonly ConfigEdit[]): readonly ConfigPath[] =>
  edits.flatMap((one) => ('value' in one && one.value !== undefined ? [one.path] : []))
const placed = (text: string, rules: readonly BrokenRule[]): readonly ConfigProblem[] => {
  const { read } = readText(text, null)
  return read ? rules.map(({ path, fault }) => read.problemAt(path, fault)) : []
}
const heldByPolicy = ({ path, fault }: BrokenRule) =>
  new OnwardError('held-by-policy', `${sentenceOfFault(fault)} Nothing was changed.`, {
    status: 403,
    details: { ...fault.facts, fault: fault.code, field: path.map(String).join('.') },
  })
async function readUtf8(path: string, files: Pick<ConfigFiles, 'read'>): Promise<string | null> {
  const bytes = await files.read(path).catch((cause: unknown) => {
    throw storeFailed('read', path, cause)
  })
  if (bytes === null) return null
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes))
    throw new OnwardError('config-invalid', 'The config file is not in UTF-8. Save it as UTF-8 first.', {
      status: 409,
      details: { fault: 'not-utf8' },
    })
  return text
}

const changed = () =>
  new OnwardError(
    'config-changed',
    'The config file was changed by another program meanwhile, so nothing was written. Look at it, and try again.',
    { status: 409 },
  )
/** what its sentence is made of, in any language */
const factsOf = ({ code, facts, line, column, path }: ConfigProblem) => ({ ...facts, fault: code, line, column, path })
const place = ({ line, column, path, message }: ConfigProblem) =>
  `config.json, line ${line}, column ${column}${path === '' ? '' : ` (${path})`}: ${message}`

/** more than a person breaks in one second */
const MOST_OF_A_SECOND = 100

/** The file stays as it is until a copy of it stands beside it. @returns the copy's path */
async function keepBeside(path: string, files: Pick<ConfigFiles, 'keep'>, now: number): Promise<string> {
  const at = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')
  for (let n = 1; n <= MOST_OF_A_SECOND; n++) {
    const kept = join(dirname(path), `config.broken-${at}${n === 1 ? '' : `-${n}`}.json`)
    try {
      if (await files.keep(path, kept)) return kept
    } catch (cause) {
      throw storeFailed('save', kept, cause)
    }
  }
  throw new OnwardError('store-failed', 'No name is free beside the config file to keep its text under.', {
    status: 500,
  })
}

const nothingToPutBack = () =>
  new OnwardError(
    'nothing-to-put-back',
    'There is nothing to put back: the config file is right, or no text of it that was right is known.',
    { status: 409 },
  )

/** Names exactly one text, without revealing any of it. */
export const revisionOf = (text: string | null): string =>
  text === null ? 'none' : createHash('sha256').update(text).digest('hex').slice(0, 32)

/** The text of a new config: the schema stands beside it (write-schema.ts), so editors help from the first line on. */
export const newConfig = '{\n  "$schema": "./config.schema.json"\n}\n'
