/**
 * Points agents at Onward in their own settings: shown first, with a copy kept, and taken back to the last byte.
 * Changes made there since stay, where they can be distinguished.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { AgentSetup } from '../../../../shared/setup/first-run.ts'
import type { Input } from '../../../../shared/operations/index.ts'
import { setUpClients, type SetUpClient } from '../../../../shared/setup/set-up-clients.ts'
import { OnwardError } from '../../base/errors.ts'
import type { ConfigFiles } from '../../config/types.ts'
import { storeFailed } from '../../store/store-failed.ts'
import { homeRelative } from '../home-relative.ts'
import { changesOf, SetupRefused, type Change, type SetupFacts } from './changes.ts'
import { diffLines } from './diff.ts'
import { refusedSetup, setupChanged, shownOtherwise } from './errors.ts'
import { takeBack } from './take-back.ts'

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

export function createAgentSetups({ files, folder, facts, needsKey }: AgentSetupDeps): AgentSetups {
  const recordPath = (client: SetUpClient) => join(folder, `${client}.json`)
  const read = async (path: string): Promise<string | null> => {
    const bytes = await files.read(path)
    if (bytes === null) return null
    const text = bytes.toString('utf8')
    // A file that is not text can't be given back to the last byte.
    if (!Buffer.from(text, 'utf8').equals(bytes)) throw new SetupRefused('unreadable-file')
    return text
  }
  const write = (path: string, text: string | null) =>
    (text === null ? files.remove(path) : files.write(path, text)).catch((cause: unknown) => {
      throw storeFailed(text === null ? 'remove' : 'save', path, cause)
    })
  const done = async (client: SetUpClient): Promise<Record | null> => {
    const bytes = await files.read(recordPath(client))
    return bytes === null ? null : record.parse(JSON.parse(bytes.toString('utf8')))
  }
  const placeOf = async ({ path, instead }: Change): Promise<string> =>
    instead !== undefined && (await files.read(instead)) !== null ? instead : path
  const plan = async (client: SetUpClient): Promise<readonly Planned[]> => {
    if (needsKey()) throw new SetupRefused('server-keys')
    const planned: Planned[] = []
    for (const change of changesOf[client](facts())) {
      const path = await placeOf(change)
      const before = await read(path)
      planned.push({ path, before, after: change.edit(before ?? '') })
    }
    return planned
  }
  /** Returns the current state of each file of a set-up. */
  const standing = async ({ files: kept }: Record) =>
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
  const view = async (client: SetUpClient): Promise<AgentSetup> => {
    const kept = await done(client)
    const { home } = facts()
    if (kept) {
      const now = await standing(kept)
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
    const [first] = changesOf[client](facts())
    try {
      const planned = await plan(client)
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
      const path = first && error.code !== 'server-keys' ? homeRelative(await placeOf(first), home) : null
      return { client, kind: 'impossible', code: error.code, path }
    }
  }

  const apply = async ({ client, fingerprint: shown }: Input<'setUpAgent'>) => {
    const current = await view(client)
    if (current.kind === 'set-up') throw shownOtherwise(client)
    if (current.kind === 'impossible') throw refusedSetup(current)
    const planned = (await plan(client)).filter(({ before, after }) => before !== after)
    if (fingerprint(await plan(client)) !== shown) throw shownOtherwise(client)
    const kept: Record['files'] = []
    for (const [i, { path, before, after }] of planned.entries()) {
      const backup = before === null ? null : join(folder, `${client}-${i + 1}.backup`)
      if (backup !== null) await write(backup, before)
      const written = join(folder, `${client}-${i + 1}.written`)
      await write(written, after)
      kept.push({ path, backup, wrote: hash(after), written })
    }
    // Noted before the first change, so that whatever happens then can be taken back.
    await write(recordPath(client), `${JSON.stringify({ version: 1, files: kept } satisfies Record, null, 2)}\n`)
    const written: Planned[] = []
    try {
      for (const file of planned) {
        await write(file.path, file.after)
        written.push(file)
      }
    } catch (error) {
      for (const { path, before } of written.reverse()) await write(path, before)
      await forget(client, kept)
      throw error
    }
  }
  const undo = async (client: SetUpClient) => {
    const kept = await done(client)
    if (!kept)
      throw new OnwardError('setup-unknown', `${client} was not set up by Onward, so there is nothing to undo.`, {
        status: 404,
      })
    const now = await standing(kept)
    const changed = now.filter(({ state }) => state === 'changed').map(({ path }) => path)
    if (changed.length > 0) throw setupChanged(changed, folder)
    for (const file of now) if (file.state === 'to-undo') await write(file.path, file.text)
    await forget(client, kept.files)
  }
  const forget = async (client: SetUpClient, kept: Record['files']) => {
    await files.remove(recordPath(client))
    for (const { backup, written } of kept) {
      if (backup !== null) await files.remove(backup)
      if (written !== undefined) await files.remove(written)
    }
  }

  // One after the other: two windows may ask for the same at once.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const mine = last.then(act, act)
    last = mine.catch(() => undefined)
    return mine
  }
  return {
    list: () => Promise.all(setUpClients.map(view)),
    apply: (input) => inTurn(() => apply(input)),
    undo: (client) => inTurn(() => undo(client)),
  }
}

/** A file that Onward made, with nothing in it but what it made it with. */
const isNothing = (text: string): boolean => /^[\s{}]*$/.test(text)

const hash = (text: string | null): string =>
  createHash('sha256')
    .update(text ?? '\0none')
    .digest('hex')
const fingerprint = (planned: readonly Planned[]): string => hash(JSON.stringify(planned))
