/** Moving loses nothing and leaves no second copy, wherever the power goes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import type { SecretPlace } from '../../../shared/secrets/secrets.ts'
import type { KeptSecrets } from './kept-secrets.ts'
import { testEntry } from './probe.ts'
import { Killed, secretsWorld } from './testing/secrets-world.ts'

type Act = { do: 'set' | 'remove'; name: string } | { do: 'move'; to: SecretPlace }

const name = fc.constantFrom('a', 'b', 'c')
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('set' as const), name }),
  fc.record({ do: fc.constant('remove' as const), name }),
  fc.record({ do: fc.constant('move' as const), to: fc.constantFrom<SecretPlace>('keychain', 'file') }),
)
const names = ['a', 'b', 'c']
let values = 0

/**
 * The values that may be found afterwards, for each name: more than one while it is not known how far a killed change
 * came.
 */
type Known = Map<string, Set<string | null>>

async function perform(secrets: KeptSecrets, one: Act, known: Known): Promise<void> {
  if (one.do === 'move') return secrets.move(one.to)
  const value = one.do === 'set' ? `sk-value-${++values}-end` : null
  const before = known.get(one.name) ?? new Set()
  known.set(one.name, new Set([...before, value]))
  await (value === null ? secrets.remove(one.name) : secrets.set(one.name, value))
  known.set(one.name, new Set([value]))
}

function wasKilled(error: unknown): boolean {
  return error instanceof Killed || (error instanceof Error && error.cause !== undefined && wasKilled(error.cause))
}

type World = ReturnType<typeof secretsWorld>

async function holds(world: World, known: Known): Promise<void> {
  const next = world.start()
  await next.resume()
  const inKeychain = world.inKeychain()
  const found: Record<string, string> = {}
  for (const one of names) {
    const value = await next.get(one)
    expect([...(known.get(one) ?? [])]).toContain(value)
    known.set(one, new Set([value]))
    if (value !== null) found[one] = value
  }
  // Each in one place, and nothing besides: no copy that does not count, no test entry with a value of ours.
  const strays = Object.entries(inKeychain).filter(([account]) => names.includes(account))
  expect({ ...world.inFile(), ...Object.fromEntries(strays) }).toEqual(found)
  for (const [account, value] of strays) {
    expect(Object.hasOwn(world.inFile(), account)).toBe(false)
    expect(world.bytes()).not.toContain(value)
  }
  expect(await next.view()).toMatchObject({ moving: null, strays: [] })
  expect(inKeychain).not.toHaveProperty([testEntry])
}

describe('secrets', () => {
  it('are all there, once each, whichever step of a move the power went at', async () => {
    for (const to of ['keychain', 'file'] as const) {
      for (const after of [false, true]) {
        for (let step = 0, killed = true; killed; step++) {
          const world = secretsWorld()
          const known: Known = new Map(names.map((one) => [one, new Set([null])]))
          const first = world.start()
          await first.move(to === 'file' ? 'keychain' : 'file')
          for (const one of names) await perform(first, { do: 'set', name: one }, known)
          const second = world.start({ step, after })
          killed = await second.move(to).then(() => false, wasKilled)
          await holds(world, known)
        }
      }
    }
  })

  it('survive any order of changes, each killed anywhere, also while a start tidies up', async () => {
    const killed = fc.record({ step: fc.nat(40), after: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ acts: fc.array(act, { maxLength: 5 }), killed: fc.option(killed) }), { maxLength: 5 }),
        async (lives) => {
          const world = secretsWorld()
          const known: Known = new Map(names.map((one) => [one, new Set([null])]))
          for (const life of lives) {
            const secrets = world.start(life.killed)
            await secrets.resume()
            for (const one of life.acts) {
              const done = await perform(secrets, one, known).then(
                () => true,
                () => false,
              )
              if (!done) break
            }
          }
          await holds(world, known)
        },
      ),
      runs(1_000),
    )
  })
})
