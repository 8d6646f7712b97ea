import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../engine/base/testing/virtual-clock.ts'
import type { EngineLink } from './engine-link.ts'
import { endsWithinMs, takeOverOlder } from './take-over.ts'

function scene({ older = true, yes = true, hands = true, ends = 300 as number | null, finishing = false } = {}) {
  const clock = virtualClock()
  const begun = clock.now()
  const did: string[] = []
  const next = { owned: true } as EngineLink
  let link = {
    owned: false,
    ...(older
      ? {
          older: {
            version: '0.0.9',
            service: true,
            async handOver() {
              did.push('asked to end')
              if (ends !== null) clock.after(ends, () => (link = next))
              return hands
            },
          },
        }
      : {}),
  } as EngineLink
  const result = takeOverOlder({
    clock,
    link: () => link,
    async confirm({ version }) {
      did.push(`confirm ${version}`)
      return yes
    },
    stays: () => 'It stays.',
    endsBy: () => (finishing ? begun + endsWithinMs : null),
  }).catch((error: unknown) => String(error))
  return { clock, did, result }
}

describe('taking over from an older engine', () => {
  it.each([
    ['it ends, and the next one comes', {}, true, ['confirm 0.0.9', 'asked to end']],
    [
      'it finishes answers first',
      { ends: endsWithinMs * 1.5, finishing: true },
      true,
      ['confirm 0.0.9', 'asked to end'],
    ],
    ['the person says no', { yes: false }, false, ['confirm 0.0.9']],
    ['there is none', { older: false }, false, []],
    ['it refuses', { hands: false }, 'OnwardError: It stays.', ['confirm 0.0.9', 'asked to end']],
    ['it says yes and stays', { ends: null }, 'OnwardError: It stays.', ['confirm 0.0.9', 'asked to end']],
  ])('%s', async (_what, given, result, did) => {
    const made = scene(given)
    await made.clock.advance(endsWithinMs * 3)
    expect(await made.result).toBe(result)
    expect(made.did).toEqual(did)
  })
})
