import { expect } from 'vitest'
import { waitFor } from '../../shared/testing/wait-for.ts'
import type { RunningEngine } from './engine-process.ts'
import type { MockUpstream } from './mock-upstream/index.ts'

type Asked = Pick<RunningEngine, 'control'>

/** The engine is at rest: nothing comes any more without a person, an agent or a set time. */
export async function atRest({ control }: Asked): Promise<void> {
  let left: readonly string[] = []
  await waitFor('the engine to be at rest', async () => {
    left = await control.api.underWay.query()
    // Asked twice: what viewers were told before the first answer is here before the second.
    if (left.length === 0) left = await control.api.underWay.query()
    return left.length === 0
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}; still under way: ${left.join(', ')}`)
  })
}

/** No turn comes but those that have begun: no other is there when the engine has come to rest. */
export async function nothingMore(mock: MockUpstream, engine: Asked): Promise<void> {
  const turns = await turnsBegun(mock, engine)
  await atRest(engine)
  expect(mock.turns()).toHaveLength(turns)
}

/** A request that the engine has told of ("confirmed") may not have reached its provider yet. */
async function turnsBegun(mock: MockUpstream, { control }: Asked): Promise<number> {
  const requests = async (): Promise<string[]> =>
    (await control.api.underWay.query()).filter((work) => work.startsWith('request '))
  const begun = new Set(await requests())
  if (begun.size === 0) return mock.turns().length
  await waitFor('what has begun', async () => (await requests()).every((request) => !begun.has(request)))
  return mock.turns().length
}
