import type { KeychainState, SecretPlace, SecretsView } from '../../../shared/secrets.ts'
import { messageOf } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { serial } from '../base/serial.ts'
import type { FileSecrets, Secrets } from '../config/secrets-file.ts'
import type { Files } from '../store/types.ts'
import { secretsIndexFile, type SecretsIndex, type Whereabouts } from './index-file.ts'
import { keychainError, troubleIn, type Keychain } from './keychain.ts'

/** Secrets in the system's keychain or in a file, each in one of them. */
export interface KeptSecrets extends Secrets {
  /** `probe`: finds out whether the keychain works, by a test entry; it may ask the person to unlock it */
  view(how?: { probe: boolean }): Promise<SecretsView>
  /** moves all, and keeps new ones there. What could not be moved is where it was. */
  move(to: SecretPlace): Promise<void>
  /** finishes what a dead engine began; what can't be finished now is logged, and tried at the next start */
  resume(): Promise<void>
}

export interface KeptSecretsDeps {
  home: string
  files: Pick<Files, 'read' | 'writeAtomic'>
  file: FileSecrets
  keychain: Keychain
  random: Pick<Random, 'token'>
  log: Log
}

const inFile: Whereabouts = { in: 'file', stray: [] }

/**
 * A secret is written to its new place and read back, then the index says that it counts there, and only then the old
 * copy goes. Before each step the index names every place a copy may lie in, so a start after a power cut finds all.
 */
export function createKeptSecrets(deps: KeptSecretsDeps): KeptSecrets {
  const { file, keychain, log } = deps
  const disk = secretsIndexFile(deps.home, deps.files)
  let loaded: SecretsIndex | null | undefined
  let state: KeychainState = { kind: 'untried' }

  const inTurn = serial()
  /** null: the keychain was never used here */
  const index = async (): Promise<SecretsIndex | null> => (loaded !== undefined ? loaded : (loaded = await disk.read()))
  const change = async (alter: (now: SecretsIndex) => Partial<SecretsIndex>): Promise<SecretsIndex> => {
    const now = (await index()) ?? { home: deps.random.token(16), keep: null, moving: null, names: new Map() }
    const next = { ...now, ...alter(now) }
    await disk.write(next)
    loaded = next
    return next
  }
  const put = (name: string, where: Whereabouts, more: Partial<SecretsIndex> = {}) =>
    change(({ names }) => {
      const next = new Map(names)
      const plain = where.stray.length === 0 && where.in !== 'keychain'
      if (plain) next.delete(name)
      else next.set(name, where)
      return { ...more, names: next }
    })
  const whereIs = (now: SecretsIndex | null, name: string): Whereabouts => now?.names.get(name) ?? inFile

  /** Remembers how the keychain did. */
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const value = await work()
      state = { kind: 'works' }
      return value
    } catch (error) {
      const found = troubleIn(error)
      if (found) state = { kind: 'trouble', ...found }
      throw error
    }
  }
  const stores: Readonly<Record<SecretPlace, (home: string) => Secrets>> = {
    file: () => file,
    keychain: (home) => ({
      get: (name) => asked(() => keychain.get(`${home}/${name}`)),
      set: (name, value) => asked(() => keychain.set(`${home}/${name}`, value)),
      remove: (name) => asked(() => keychain.remove(`${home}/${name}`)),
    }),
  }

  async function probe(): Promise<void> {
    if (state.kind === 'works') return
    const entry = `probe/${deps.random.token(8)}`
    const value = deps.random.token(16)
    await asked(async () => {
      await keychain.set(entry, value)
      const found = await keychain.get(entry)
      await keychain.remove(entry)
      if (found !== value) throw keychainError('refused', 'it does not give back what it was given')
    })
  }

  /** Takes away what does not count any more. */
  async function clean(name: string): Promise<void> {
    const now = await index()
    const where = whereIs(now, name)
    if (now === null || where.stray.length === 0) return
    for (const place of where.stray) await stores[place](now.home).remove(name)
    await put(name, { in: where.in, stray: [] })
  }

  async function write(name: string, value: string, to: SecretPlace, more: Partial<SecretsIndex> = {}): Promise<void> {
    const before = await index()
    if (to === 'file' && !before?.names.has(name)) return file.set(name, value)
    const was = before?.names.has(name) ? whereIs(before, name) : { in: await placeInFile(name), stray: [] }
    const others = (places: readonly (SecretPlace | null)[]) =>
      [...new Set(places)].filter((place): place is SecretPlace => place !== null && place !== to)
    const { home } = await put(
      name,
      was.in === to ? was : { in: was.in, stray: [...others(was.stray).filter((p) => p !== was.in), to] },
      more,
    )
    await stores[to](home).set(name, value)
    if ((await stores[to](home).get(name)) !== value)
      throw keychainError('refused', `it does not give back the key “${name}”`)
    await put(name, { in: to, stray: others([was.in, ...was.stray]) })
    await clean(name).catch((error: unknown) =>
      log.warn({ name, error: messageOf(error) }, 'An old copy of a secret could not be removed; it is tried again.'),
    )
  }
  const placeInFile = async (name: string): Promise<SecretPlace | null> =>
    (await file.get(name)) === null ? null : 'file'

  /** Where a new one goes. Somebody's choice is kept to; without one the file is what is left. */
  async function placeForNew(): Promise<{ to: SecretPlace; keep: SecretPlace | null }> {
    const keep = (await index())?.keep ?? null
    if (keep !== null) return { to: keep, keep }
    try {
      await probe()
      return { to: 'keychain', keep: 'keychain' }
    } catch (error) {
      if (troubleIn(error) === null) throw error
      log.info({ why: messageOf(error) }, 'The keychain is not used: secrets are kept in a file.')
      return { to: 'file', keep: null }
    }
  }

  async function moveAll(to: SecretPlace): Promise<void> {
    const now = await index()
    const names =
      to === 'keychain' ? (await file.names()).filter((name) => whereIs(now, name).in === 'file') : keychainNames(now)
    const home = now?.home ?? ''
    for (const name of names) {
      const value = await stores[to === 'keychain' ? 'file' : 'keychain'](home).get(name)
      // Somebody took it out of the keychain: there is nothing to move.
      if (value === null) continue
      await write(name, value, to)
    }
    await change(() => ({ moving: null }))
  }

  const get = async (name: string): Promise<string | null> => {
    for (;;) {
      const now = await index()
      const where = whereIs(now, name)
      if (where.in === null) return null
      const value = await stores[where.in](now?.home ?? '').get(name)
      // Moved meanwhile: it is in the other place, whole.
      if (whereIs(await index(), name).in === where.in) return value
    }
  }

  return {
    get,
    set: (name, value) =>
      inTurn(async () => {
        const { to, keep } = await placeForNew()
        await write(name, value, to, to === 'keychain' ? { keep } : {})
      }),
    remove: (name) =>
      inTurn(async () => {
        const now = await index()
        const where = now?.names.get(name)
        if (where === undefined) return file.remove(name)
        await put(name, { in: null, stray: [...new Set([...(where.in ? [where.in] : []), ...where.stray])] })
        await clean(name).catch((error: unknown) =>
          log.warn({ name, error: messageOf(error) }, 'A removed secret is still in its store; it is tried again.'),
        )
      }),
    async view({ probe: find } = { probe: false }) {
      if (find) await inTurn(probe).catch(rethrowUnlessTrouble)
      const now = await index()
      const inKeychain = keychainNames(now).length
      const names = await file.names()
      return {
        keep: now?.keep ?? null,
        path: file.path,
        count: { keychain: inKeychain, file: names.filter((name) => whereIs(now, name).in === 'file').length },
        keychain: state,
        moving: now?.moving ?? null,
      }
    },
    move: (to) =>
      inTurn(async () => {
        // A person's word asks the keychain anew, however it did a moment ago. What can't be read stays where it is.
        if (to === 'keychain') await probe()
        else if (await anyInKeychain()) await probe().catch(rethrowUnlessTrouble)
        await change(() => ({ keep: to, moving: to }))
        await cleanAll()
        await moveAll(to)
      }),
    resume: () =>
      inTurn(async () => {
        try {
          await cleanAll()
          const moving = (await index())?.moving ?? null
          if (moving !== null) await moveAll(moving)
        } catch (error) {
          log.warn({ error: messageOf(error) }, 'Moving secrets is not through; it goes on at the next start.')
        }
      }),
  }

  async function anyInKeychain(): Promise<boolean> {
    return keychainNames(await index()).length > 0
  }

  async function cleanAll(): Promise<void> {
    for (const name of (await index())?.names.keys() ?? []) await clean(name)
  }
}

const keychainNames = (of: SecretsIndex | null): string[] =>
  [...(of?.names ?? [])].flatMap(([name, where]) => (where.in === 'keychain' ? [name] : []))

function rethrowUnlessTrouble(error: unknown): void {
  if (troubleIn(error) === null) throw error
}
