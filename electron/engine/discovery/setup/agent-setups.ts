/**
 * Points agents at Onward in their own settings: shown first, with a copy kept, and taken back to the last byte.
 * Changes made there since stay, where they can be distinguished.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import {
  type AgentSetup,
  type SetupObstacle,
  setUpClients,
  type SetUpClient,
} from '../../../../shared/setup/first-run.ts'
import type { Input } from '../../../../shared/operations/index.ts'
import { OnwardError } from '../../base/errors.ts'
import { serial } from '../../base/work.ts'
import type { ConfigFiles } from '../../config/types.ts'
import { storeFailed } from '../../store/store-failed.ts'
import { homeRelative } from '../find-access.ts'
import { changesOf, SetupRefused, type Change, type SetupFacts } from './changes.ts'
import { diffLines, shortest } from './diff.ts'
import { isDeepStrictEqual } from 'node:util'
import { parse, type ParseError } from 'jsonc-parser'
import { editText, type ConfigEdit, type ConfigPath } from '../../config/edit-text.ts'

export interface AgentSetupDeps {
  files: Pick<ConfigFiles, 'read' | 'write' | 'remove'>
  /** below the Onward home, for copies and what was done */
  folder: string
  facts(): SetupFacts
  /** every caller has to send a key: an agent's file gets none */
  needsKey(): boolean
}

export interface AgentSetups {
  list(): Promise<readonly AgentSetup[]>
  /** @throws OnwardError `setup-refused`, `setup-changed` when a file is not as it was shown, `store-failed` */
  apply(input: Input<'setUpAgent'>): Promise<void>
  /** @throws OnwardError `setup-unknown`, `setup-changed` when a value that Onward set was changed, `store-failed` */
  undo(client: SetUpClient): Promise<void>
}

interface Planned {
  path: string
  /** null: there is no such file */
  before: string | null
  after: string
}

const record = z.object({
  version: z.literal(1),
  files: z.array(
    z.object({
      path: z.string(),
      backup: z.string().nullable(),
      wrote: z.string(),
      /** a copy of what was written */
      written: z.string().optional(),
    }),
  ),
})
type Record = z.infer<typeof record>

export function createAgentSetups(deps: AgentSetupDeps): AgentSetups {
  // Two windows may ask for the same at once.
  const inTurn = serial()
  return {
    list: () => Promise.all(setUpClients.map((client) => view(deps, client))),
    apply: (input) => inTurn(() => apply(deps, input)),
    undo: (client) => inTurn(() => undo(deps, client)),
  }
}

const recordPath = ({ folder }: AgentSetupDeps, client: SetUpClient) => join(folder, `${client}.json`)

async function read({ files }: AgentSetupDeps, path: string): Promise<string | null> {
  const bytes = await files.read(path)
  if (bytes === null) return null
  const text = bytes.toString('utf8')
  // A file that is not text can't be given back to the last byte.
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new SetupRefused('unreadable-file')
  return text
}

const write = ({ files }: AgentSetupDeps, path: string, text: string | null) =>
  (text === null ? files.remove(path) : files.write(path, text)).catch((cause: unknown) => {
    throw storeFailed(text === null ? 'remove' : 'save', path, cause)
  })

async function done(deps: AgentSetupDeps, client: SetUpClient): Promise<Record | null> {
  const bytes = await deps.files.read(recordPath(deps, client))
  return bytes === null ? null : record.parse(JSON.parse(bytes.toString('utf8')))
}

const placeOf = async ({ files }: AgentSetupDeps, { path, instead }: Change): Promise<string> =>
  instead !== undefined && (await files.read(instead)) !== null ? instead : path

async function plan(deps: AgentSetupDeps, client: SetUpClient): Promise<readonly Planned[]> {
  if (deps.needsKey()) throw new SetupRefused('server-keys')
  const planned: Planned[] = []
  for (const change of changesOf[client](deps.facts())) {
    const path = await placeOf(deps, change)
    const before = await read(deps, path)
    planned.push({ path, before, after: change.edit(before ?? '') })
  }
  return planned
}

/** Returns the current state of each file of a set-up. */
const standing = async ({ files }: AgentSetupDeps, { files: kept }: Record) =>
  Promise.all(
    kept.map(async ({ path, backup, wrote, written }) => {
      const text = async (file: string) => (await files.read(file))?.toString('utf8') ?? null
      const now = await text(path)
      const before = backup === null ? null : await text(backup)
      const lost = backup !== null && before === null
      if (now === before && !lost) return { path, state: 'as-before' } as const
      if (hash(now) === wrote && !lost) return { path, state: 'to-undo', text: before } as const
      // Agents write into their settings at every start.
      const ours = written === undefined ? null : await text(written)
      const left =
        now === null || ours === null || lost ? null : takeBack(path, { before: before ?? '', wrote: ours, now })
      if (left === null) return { path, state: 'changed' } as const
      return { path, state: 'to-undo', text: before === null && isNothing(left) ? null : left } as const
    }),
  )

async function view(deps: AgentSetupDeps, client: SetUpClient): Promise<AgentSetup> {
  const kept = await done(deps, client)
  const { home } = deps.facts()
  if (kept) {
    const now = await standing(deps, kept)
    // The engine ended between its note and the first write, or a person put everything back.
    if (now.some(({ state }) => state !== 'as-before'))
      return {
        client,
        kind: 'set-up',
        files: now.map(({ path }) => homeRelative(path, home)),
        backups: kept.files.flatMap(({ backup }) => (backup === null ? [] : [homeRelative(backup, home)])),
        changed: now.filter(({ state }) => state === 'changed').map(({ path }) => homeRelative(path, home)),
      }
  }
  const [first] = changesOf[client](deps.facts())
  try {
    const planned = await plan(deps, client)
    return {
      client,
      kind: 'possible',
      fingerprint: fingerprint(planned),
      files: planned
        .filter(({ before, after }) => before !== after)
        .map(({ path, before, after }) => ({
          path: homeRelative(path, home),
          fresh: before === null,
          lines: diffLines(before ?? '', after),
        })),
    }
  } catch (error) {
    if (!(error instanceof SetupRefused)) throw error
    const path = first && error.code !== 'server-keys' ? homeRelative(await placeOf(deps, first), home) : null
    return { client, kind: 'impossible', code: error.code, path }
  }
}

async function apply(deps: AgentSetupDeps, { client, fingerprint: shown }: Input<'setUpAgent'>) {
  const current = await view(deps, client)
  if (current.kind === 'set-up') throw shownOtherwise(client)
  if (current.kind === 'impossible') throw refusedSetup(current)
  const planned = (await plan(deps, client)).filter(({ before, after }) => before !== after)
  if (fingerprint(await plan(deps, client)) !== shown) throw shownOtherwise(client)
  const kept: Record['files'] = []
  for (const [i, { path, before, after }] of planned.entries()) {
    const backup = before === null ? null : join(deps.folder, `${client}-${i + 1}.backup`)
    if (backup !== null) await write(deps, backup, before)
    const written = join(deps.folder, `${client}-${i + 1}.written`)
    await write(deps, written, after)
    kept.push({ path, backup, wrote: hash(after), written })
  }
  // Noted before the first change, so that whatever happens then can be taken back.
  const note = { version: 1, files: kept } satisfies Record
  await write(deps, recordPath(deps, client), `${JSON.stringify(note, null, 2)}\n`)
  const written: Planned[] = []
  try {
    for (const file of planned) {
      await write(deps, file.path, file.after)
      written.push(file)
    }
  } catch (error) {
    for (const { path, before } of written.reverse()) await write(deps, path, before)
    await forget(deps, client, kept)
    throw error
  }
}

async function undo(deps: AgentSetupDeps, client: SetUpClient) {
  const kept = await done(deps, client)
  if (!kept)
    throw new OnwardError('setup-unknown', `${client} was not set up by Onward, so there is nothing to undo.`, {
      status: 404,
    })
  const now = await standing(deps, kept)
  const changed = now.filter(({ state }) => state === 'changed').map(({ path }) => path)
  if (changed.length > 0) throw setupChanged(changed, deps.folder)
  for (const file of now) if (file.state === 'to-undo') await write(deps, file.path, file.text)
  await forget(deps, client, kept.files)
}

async function forget(deps: AgentSetupDeps, client: SetUpClient, kept: Record['files']) {
  await deps.files.remove(recordPath(deps, client))
  for (const { backup, written } of kept) {
    if (backup !== null) await deps.files.remove(backup)
    if (written !== undefined) await deps.files.remove(written)
  }
}

/** A file that Onward made, with nothing in it but what it made it with. */
const isNothing = (text: string): boolean => /^[\s{}]*$/.test(text)

const hash = (text: string | null): string =>
  createHash('sha256')
    .update(text ?? '\0none')
    .digest('hex')
const fingerprint = (planned: readonly Planned[]): string => hash(JSON.stringify(planned))

const shownOtherwise = (client: SetUpClient): OnwardError =>
  new OnwardError(
    'setup-changed',
    `The settings of ${client} are not as they were shown, so nothing was written. Look at them again.`,
    { status: 409 },
  )

const setupChanged = (paths: readonly string[], folder: string): OnwardError =>
  new OnwardError(
    'setup-changed',
    `${paths.join(' and ')} changed where Onward wrote, so nothing was undone. The old text lies in ${folder}.`,
    { details: { backup: folder }, status: 409 },
  )

function refusedSetup({ code, path }: { code: SetupObstacle; path: string | null }): OnwardError {
  const why = {
    'unreadable-file': `${path ?? 'Its settings file'} has a mistake or is no text. Mend it first.`,
    'server-keys':
      'Callers of this engine have to send a key, and Onward writes ' +
      'none into an agent’s file. Start it with `onward` instead.',
    'taken-name': `${path ?? 'Its settings file'} names a provider “onward” already. Take that out first.`,
  }[code]
  return new OnwardError('setup-refused', `Nothing was written. ${why}`, { details: { obstacle: code }, status: 409 })
}

interface ThreeTexts {
  before: string
  wrote: string
  now: string
}

/**
 * Undoes a change in a file that was written to since, as agents do with their own settings at every start: Onward's
 * changes go, later ones stay. Nothing is guessed: null where a place of Onward's is not as it was left.
 */
function takeBack(path: string, { before, wrote, now }: ThreeTexts): string | null {
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

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
