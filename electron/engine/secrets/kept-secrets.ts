import type { SecretPlace, SecretsView } from '../../../shared/secrets/secrets.ts'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { serial } from '../base/work.ts'
import type { FileSecrets, Secrets } from '../config/secrets-file.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { Files } from '../store/types.ts'
import type { SecretsIndex } from './index-file.ts'
import { keptIndex, keychainNames, whereIs, type KeptIndex } from './kept-index.ts'
import { keychainError, troubleIn, type Keychain } from './keychain.ts'
import { probeKeychain, testEntry } from './probe.ts'
import { secretStores, type SecretStores } from './stores.ts'
import { unmovedError, type Unmoved } from './unmoved.ts'

/** Secrets in the system's keychain or in a file, each in one of them. */
export interface KeptSecrets extends Secrets {
  /** `probe`: finds out whether the keychain works, by a test entry; it may ask the person to unlock it */
  view(how?: { probe: boolean }): Promise<SecretsView>
  /**
   * Moves all, and keeps new ones there. What could not be moved is where it was.
   * @throws OnwardError `secrets-unmoved` with the names, `keychain-unreachable`
   */
  move(to: SecretPlace): Promise<void>
  /** finishes a move or removal that was cut short; one that can't be finished now is logged, and tried again */
  resume(): Promise<void>
  /** Removes secrets that nothing names: of all, or of those that stand in a text. Any that may still be named stay. */
  sweep(text?: string): Promise<void>
  /** stops the later tries */
  dispose(): void
}

export interface KeptSecretsDeps {
  home: string
  files: Pick<Files, 'read' | 'writeAtomic' | 'remove'>
  file: FileSecrets
  keychain: Keychain
  random: Pick<Random, 'token'>
  /** of the config, which is open by the time it is called */
  naming: ConfigHandle['naming']
  clock: Clock
  log: Log
}

/** A removal that failed because of a full or read-only disk is tried again, ever more rarely. */
const FIRST_RETRY_MS = 60_000
const LAST_RETRY_MS = 3_600_000

interface Keeping extends KeptSecretsDeps {
  index: KeptIndex
  stores: SecretStores
  inTurn: ReturnType<typeof serial>
  retry: Disposable | null
  pause: number
  over: boolean
}

/**
 * A secret is written to its new place and read back, then the index says that it counts there, and only then the old
 * copy goes. Before each step the index names every place a copy may lie in, so a start after a power cut finds all.
 */
export function createKeptSecrets(deps: KeptSecretsDeps): KeptSecrets {
  const { file, log } = deps
  const index = keptIndex(deps)
  const inTurn = serial()
  const stores = secretStores(file, deps.keychain, () => retryIn(kept, 0))
  const kept: Keeping = { ...deps, index, stores, inTurn, retry: null, pause: FIRST_RETRY_MS, over: false }
  const swept: string[] = []

  return {
    get: (name) => get(kept, name),
    set: (name, value) =>
      inTurn(async () => {
        const { to, keep } = await placeForNew(kept)
        const failed = await write(kept, name, value, to, to === 'keychain' ? { keep } : {})
        leftBehind(kept, failed, 'An old copy of a secret could not be removed; it is tried again.')
      }),
    remove: (name) => inTurn(() => removeAll(kept, [name])),
    sweep: (text) =>
      inTurn(async () => {
        const names = await unnamedBy(kept, ['nothing'], text)
        if (names.length === 0) return
        await removeAll(kept, names)
        swept.push(...names)
        log.info({ names }, 'Stored keys that nothing names any more were removed.')
      }).catch((error: unknown) =>
        log.warn({ error: messageOf(error) }, 'Stored keys that nothing names could not be removed.'),
      ),
    async view({ probe: find } = { probe: false }) {
      // A disk that takes nothing takes no note of a test entry either: then the keychain stays untried.
      if (find)
        await inTurn(() => probe(kept, false)).catch((error: unknown) => {
          if (!OnwardError.isInstance(error) || error.code !== 'store-failed') rethrowUnlessTrouble(error)
        })
      const now = await index.now()
      const inFile = await namesIn(kept, 'file')
      return {
        keep: now?.keep ?? null,
        path: file.path,
        count: { keychain: keychainNames(now).length, file: inFile.length },
        keychain: stores.state(),
        moving: now?.moving ?? null,
        strays: [...(now?.names ?? [])].flatMap(([name, { stray }]) =>
          name === testEntry ? [] : stray.map((place) => ({ name, place })),
        ),
        unnamed: await unnamedBy(kept, ['undo', 'nothing']),
        swept: [...swept],
      }
    },
    move: (to) =>
      inTurn(async () => {
        // A person's word asks the keychain anew, however it did a moment ago. What can't be read stays where it is.
        if (to === 'keychain') await probe(kept, true)
        else if (keychainNames(await index.now()).length > 0) await probe(kept, true).catch(rethrowUnlessTrouble)
        await index.change(() => ({ keep: to, moving: to }))
        const failed = await finish(kept)
        if (failed.length === 0) return settled(kept)
        retryFor(kept, failed)
        throw unmovedError(to, failed)
      }),
    resume: () => inTurn(() => finishLater(kept, true)),
    dispose() {
      kept.over = true
      kept.retry?.dispose()
    },
  }
}

async function probe(kept: Keeping, patient: boolean): Promise<void> {
  if (kept.stores.state().kind !== 'works') await probeKeychain(kept, patient)
}

/** Takes away what does not count any more. */
async function clean(
  kept: Keeping,
  name: string,
  skips: (place: SecretPlace) => boolean = () => false,
): Promise<Unmoved[]> {
  const now = await kept.index.now()
  const where = whereIs(now, name)
  if (now === null || where.stray.length === 0) return []
  const failed: Unmoved[] = []
  for (const place of where.stray) {
    try {
      if (skips(place)) throw stillInTrouble(kept)
      await kept.stores.at(place, now.home).remove(name)
    } catch (error) {
      failed.push({ name, kind: 'copy', place, error })
    }
  }
  const left = failed.map(({ place }) => place)
  const gone = where.stray.filter((place) => !left.includes(place))
  if (gone.length === 0) return failed
  try {
    await kept.index.put(name, { in: where.in, stray: left })
  } catch (error) {
    failed.push(...gone.map((place) => ({ name, kind: 'copy' as const, place, error })))
  }
  return failed
}

/** One that fails keeps none of the others from going. */
async function cleanAll(kept: Keeping, asksKeychain = true): Promise<Unmoved[]> {
  const failed: Unmoved[] = []
  for (const name of (await kept.index.now())?.names.keys() ?? [])
    failed.push(...(await clean(kept, name, (place) => place === 'keychain' && (!asksKeychain || deaf(failed)))))
  return failed
}

async function write(kept: Keeping, name: string, value: string, to: SecretPlace, more: Partial<SecretsIndex> = {}) {
  const before = await kept.index.now()
  if (to === 'file' && !before?.names.has(name)) {
    await kept.file.set(name, value)
    return []
  }
  const inFile = (await kept.file.get(name)) === null ? null : ('file' as const)
  const was = before?.names.has(name) ? whereIs(before, name) : { in: inFile, stray: [] }
  const others = (places: readonly (SecretPlace | null)[]) =>
    [...new Set(places)].filter((place): place is SecretPlace => place !== null && place !== to)
  const { home } = await kept.index.put(
    name,
    was.in === to ? was : { in: was.in, stray: [...others(was.stray).filter((p) => p !== was.in), to] },
    more,
  )
  const store = kept.stores.at(to, home)
  await store.set(name, value)
  if ((await store.get(name)) !== value) throw keychainError('refused', `it does not give back the key “${name}”`)
  await kept.index.put(name, { in: to, stray: others([was.in, ...was.stray]) })
  return clean(kept, name)
}

/** The place for a new one. A person's choice is kept to; without a choice the file is the fallback. */
async function placeForNew(kept: Keeping): Promise<{ to: SecretPlace; keep: SecretPlace | null }> {
  const keep = (await kept.index.now())?.keep ?? null
  if (keep !== null) return { to: keep, keep }
  try {
    await probe(kept, false)
    return { to: 'keychain', keep: 'keychain' }
  } catch (error) {
    if (troubleIn(error) === null) throw error
    kept.log.info({ why: messageOf(error) }, 'The keychain is not used: secrets are kept in a file.')
    return { to: 'file', keep: null }
  }
}

/** One that fails keeps none of the others from moving; a keychain that does not work is asked once. */
async function moveAll(kept: Keeping, to: SecretPlace, asksKeychain: boolean): Promise<Unmoved[]> {
  const home = (await kept.index.now())?.home ?? ''
  const from = other(to)
  const failed: Unmoved[] = []
  for (const name of await namesIn(kept, from)) {
    try {
      if (!asksKeychain || deaf(failed)) throw stillInTrouble(kept)
      const value = await kept.stores.at(from, home).get(name)
      // It was taken out of the keychain by another program: there is nothing to move.
      if (value !== null) failed.push(...(await write(kept, name, value, to)))
    } catch (error) {
      failed.push({ name, kind: 'secret', place: from, error })
    }
  }
  return failed
}

/** @returns the secrets and copies that are left */
async function finish(kept: Keeping, asksKeychain = true): Promise<Unmoved[]> {
  const copies = await cleanAll(kept, asksKeychain)
  const moving = (await kept.index.now())?.moving ?? null
  const secrets = moving === null ? [] : await moveAll(kept, moving, asksKeychain && !deaf(copies))
  // The test entry holds nothing, and is no part of a move.
  const failed = [...copies, ...secrets].filter(({ name }) => name !== testEntry)
  if (moving !== null && failed.length === 0) await kept.index.change(() => ({ moving: null }))
  return failed
}

function stillInTrouble(kept: Keeping): Error {
  const state = kept.stores.state()
  return state.kind === 'trouble' ? keychainError(state.trouble, state.said) : keychainError('silent')
}

async function namesIn(kept: Keeping, place: SecretPlace): Promise<readonly string[]> {
  const now = await kept.index.now()
  return place === 'keychain'
    ? keychainNames(now)
    : (await kept.file.names()).filter((name) => whereIs(now, name).in === 'file')
}

/** A person is not asked for a password by the clock: without their word the keychain is left out while it fails. */
async function finishLater(kept: Keeping, asksKeychain: boolean): Promise<void> {
  try {
    const failed = await finish(kept, asksKeychain)
    if (failed.length === 0) return settled(kept)
    const names = [...new Set(failed.map(({ name }) => name))]
    kept.log.warn({ names, error: messageOf(failed[0]?.error) }, 'Moving secrets is not through; it is tried again.')
    retryFor(kept, failed)
  } catch (error) {
    kept.log.warn({ error: messageOf(error) }, 'Moving secrets is not through; it goes on at the next start.')
  }
}

function retryFor(kept: Keeping, failed: readonly Unmoved[]): void {
  if (!failed.some(({ error }) => troubleIn(error) === null)) return
  retryIn(kept, kept.pause)
  kept.pause = Math.min(2 * kept.pause, LAST_RETRY_MS)
}

function retryIn(kept: Keeping, ms: number): void {
  const { stores, inTurn, clock } = kept
  if (kept.over) return
  kept.retry?.dispose()
  kept.retry = clock.after(ms, () => void inTurn(() => finishLater(kept, stores.state().kind === 'works')))
}

function settled(kept: Keeping): void {
  kept.retry?.dispose()
  kept.pause = FIRST_RETRY_MS
}

async function get(kept: Keeping, name: string): Promise<string | null> {
  for (;;) {
    const now = await kept.index.now()
    const where = whereIs(now, name)
    if (where.in === null) return null
    const value = await kept.stores.at(where.in, now?.home ?? '').get(name)
    // Moved meanwhile: it is in the other place, whole.
    if (whereIs(await kept.index.now(), name).in === where.in) return value
  }
}

async function removeAll(kept: Keeping, names: readonly string[]): Promise<void> {
  const failed: Unmoved[] = []
  for (const name of names) {
    const where = (await kept.index.now())?.names.get(name)
    if (where === undefined) {
      await kept.file.remove(name)
      continue
    }
    await kept.index.put(name, { in: null, stray: [...new Set([...(where.in ? [where.in] : []), ...where.stray])] })
    failed.push(...(await clean(kept, name, (place) => place === 'keychain' && deaf(failed))))
  }
  leftBehind(kept, failed, 'A removed secret is still in its store; it is tried again.')
}

async function unnamedBy(kept: Keeping, by: readonly string[], text?: string): Promise<string[]> {
  const naming = kept.naming()
  if (naming === null) return []
  return [...(await namesIn(kept, 'file')), ...(await namesIn(kept, 'keychain'))].filter(
    (name) => by.includes(naming(name)) && (text === undefined || text.includes(JSON.stringify(name))),
  )
}

function leftBehind(kept: Keeping, failed: readonly Unmoved[], text: string): void {
  for (const { name, place, error } of failed) kept.log.warn({ name, place, error: messageOf(error) }, text)
  retryFor(kept, failed)
}

const other = (place: SecretPlace): SecretPlace => (place === 'file' ? 'keychain' : 'file')

/** It would fail for each, and ask its person each time. */
const deaf = (failed: readonly Unmoved[]): boolean =>
  failed.some(({ error }) => !['refused', undefined].includes(troubleIn(error)?.trouble))

function rethrowUnlessTrouble(error: unknown): void {
  if (troubleIn(error) === null) throw error
}
