import { expect, it } from 'vitest'
import { openPushKeys } from './keys.ts'

it('the home’s keys of web push are made once, and kept as a secret', async () => {
  const kept = new Map<string, string>()
  let sets = 0
  const secrets = {
    get: async (name: string) => kept.get(name) ?? null,
    async set(name: string, value: string) {
      sets++
      kept.set(name, value)
    },
  }
  const keys = openPushKeys(secrets)
  const [first, second] = await Promise.all([keys(), keys()])
  expect(second).toEqual(first)
  expect(await openPushKeys(secrets)()).toEqual(first)
  expect([sets, [...kept.keys()]]).toEqual([1, ['onward-push']])
})
