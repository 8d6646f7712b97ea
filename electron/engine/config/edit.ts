import { OnwardError } from '../base/errors.ts'
import { storeFailed } from '../store/store-failed.ts'
import { editText, type ConfigEdit } from './edit-text.ts'
import { newConfig } from './new-config.ts'
import type { ConfigFiles, ConfigProblem } from './types.ts'

export interface ConfigEditorDeps {
  path: string
  files: ConfigFiles
  check(text: string): readonly ConfigProblem[]
  /** what the file held when it was last read for running; null: there was none */
  seen(): string | null | undefined
  /** takes over what stands in the file now */
  load(): Promise<void>
  now(): number
}

export interface ConfigEditor {
  /** @throws OnwardError `config-invalid` | `config-changed` | `store-failed`; then nothing was written */
  edit(edits: readonly ConfigEdit[]): Promise<void>
  undo(): Promise<void>
  savedAt(): number | null
  canUndo(): boolean
}

const mostUndone = 20

/**
 * Changes the config file for the person. Calls must come one after another, and not while the file is being loaded.
 */
export function createConfigEditor({ path, files, check, seen, load, now }: ConfigEditorDeps): ConfigEditor {
  /** what can be taken back, newest last */
  const done: { before: string | null; wrote: string }[] = []
  let savedAt: number | null = null

  async function read(): Promise<string | null> {
    const bytes = await files.read(path).catch((cause: unknown) => {
      throw storeFailed('read', path, cause)
    })
    if (bytes === null) return null
    const text = bytes.toString('utf8')
    if (!Buffer.from(text).equals(bytes))
      throw new OnwardError('config-invalid', 'The config file is not in UTF-8. Save it as UTF-8 first.', {
        status: 409,
      })
    return text
  }
  const replace = async (before: string | null, next: string | null, note: () => void) => {
    if ((await read()) !== before) throw changed()
    try {
      await (next === null ? files.remove(path) : files.write(path, next))
    } catch (cause) {
      throw storeFailed('save', path, cause)
    }
    savedAt = now()
    // Noted first: whoever is told of the new config sees at once whether it can be taken back.
    note()
    await load()
  }

  return {
    async edit(edits) {
      const before = await read()
      const base = before ?? newConfig
      const [wrong] = before === null ? [] : check(before)
      if (wrong)
        throw new OnwardError(
          'config-invalid',
          `The config file has a mistake, so it is not changed from here. Mend it first: ${place(wrong)}`,
          { status: 409 },
        )
      const next = editText(base, edits)
      const [problem] = check(next)
      if (problem)
        throw new OnwardError(
          'config-invalid',
          `The config would not be right, so it was not changed: ${place(problem)}`,
          { status: 400 },
        )
      if (next === before) return
      await replace(before, next, () => {
        done.push({ before, wrote: next })
        if (done.length > mostUndone) done.shift()
      })
    },
    async undo() {
      const last = done.at(-1)
      if (!last)
        throw new OnwardError('nothing-to-undo', 'Nothing was changed from here that could be taken back.', {
          status: 409,
        })
      if ((await read()) !== last.wrote) throw changed()
      await replace(last.wrote, last.before, () => done.pop())
    },
    savedAt: () => savedAt,
    canUndo: () => done.length > 0 && seen() === done.at(-1)?.wrote,
  }
}

const changed = () =>
  new OnwardError(
    'config-changed',
    'The config file was changed by another program meanwhile, so nothing was written. Look at it, and try again.',
    { status: 409 },
  )
const place = ({ line, column, path, message }: ConfigProblem) =>
  `config.json, line ${line}, column ${column}${path === '' ? '' : ` (${path})`}: ${message}`
