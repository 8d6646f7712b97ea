import { describe, expect, it } from 'vitest'
import { keptZone } from './local-zone.ts'
import { virtualClock } from './testing/virtual-clock.ts'

describe('the zone that is kept', () => {
  it('is asked for again after a minute', async () => {
    const clock = virtualClock()
    const zones = ['Europe/Paris', 'Asia/Tokyo']
    const zone = keptZone(clock, () => zones.shift() ?? 'UTC')
    expect([zone(), zone()]).toEqual(['Europe/Paris', 'Europe/Paris'])
    await clock.advance(59_999)
    expect(zone()).toBe('Europe/Paris')
    await clock.advance(1)
    expect([zone(), zone()]).toEqual(['Asia/Tokyo', 'Asia/Tokyo'])
  })
})
