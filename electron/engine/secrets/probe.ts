import type { KeychainTrouble } from '../../../shared/secrets/secrets.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/ids.ts'
import type { KeptIndex } from './kept-index.ts'
import { keychainError, troubleIn } from './keychain.ts'
import type { SecretStores } from './stores.ts'

/** No secret has this name: secrets' names have no spaces. */
export const testEntry = 'test entry'

/** The limit for all of it, where no person said that they wait for the keychain. */
const PROBE_MS = 5_000

/** With these a keychain has certainly taken nothing. */
const tookNothing: readonly KeychainTrouble[] = ['off', 'not-built', 'locked']

interface ProbeDeps {
  index: KeptIndex
  stores: SecretStores
  random: Pick<Random, 'token'>
  clock: Clock
}

/**
 * Finds out by a test entry whether the keychain works. The index names the entry before it is made, like every copy
 * that does not count, so it is removed also after a crash, and by a keychain that took it late.
 * @throws OnwardError `keychain-unreachable`
 */
export const probeKeychain = (deps: ProbeDeps, patient: boolean): Promise<void> =>
  deps.stores.asked(() => probe(deps, patient))

async function probe({ index, stores, random, clock }: ProbeDeps, patient: boolean): Promise<void> {
  const fresh = (await index.now()) === null
  const { home } = await index.put(testEntry, { in: null, stray: ['keychain'] })
  const end = clock.monotonic() + PROBE_MS
  const keychain = stores.keychain(home, patient ? undefined : () => Math.max(1, end - clock.monotonic()))
  const value = random.token(16)
  const gone = () => index.put(testEntry, { in: null, stray: [] })
  try {
    await keychain.set(testEntry, value)
    const found = await keychain.get(testEntry)
    if (found !== value) throw keychainError('refused', 'it does not give back what it was given')
  } catch (error) {
    const trouble = troubleIn(error)?.trouble
    if (trouble === undefined) throw error
    const left = tookNothing.includes(trouble) ? null : await removed(trouble)
    if (!left) await (fresh ? index.forget() : gone())
    throw error
  }
  await keychain.remove(testEntry)
  await gone()

  /** @returns true if it may still be there */
  async function removed(before: KeychainTrouble): Promise<boolean> {
    try {
      await keychain.remove(testEntry)
      return false
    } catch (error) {
      const trouble = troubleIn(error)?.trouble
      if (trouble === undefined) throw error
      // No keychain is there, nor was there a moment ago.
      return !(trouble === 'unreachable' && before === 'unreachable')
    }
  }
}
