import { describe, expect, it } from 'vitest'
import { wallOf } from './wall.ts'

const berlin = wallOf('Europe/Berlin')

describe('a wall clock', () => {
  it.each<[zone: string, at: string, minutes: number]>([
    ['Europe/Berlin', '2026-11-21T13:12:32Z', 14 * 60 + 12],
    ['Asia/Shanghai', '2026-11-21T13:12:32Z', 21 * 60 + 12],
    ['Asia/Kathmandu', '2026-11-21T13:12:32Z', 18 * 60 + 57],
    ['UTC', '2026-11-21T00:00:00Z', 0],
  ])('in %s at %s', (zone, at, minutes) => expect(wallOf(zone)(Date.parse(at)).minutes).toBe(minutes))

  it('counts midnights, also where a day has 25 hours', () => {
    expect(berlin(Date.parse('2026-10-25T22:59:00Z')).day - berlin(Date.parse('2026-10-24T22:01:00Z')).day).toBe(0)
    expect(berlin(Date.parse('2026-10-25T23:00:00Z')).day - berlin(Date.parse('2026-10-24T22:01:00Z')).day).toBe(1)
  })

  it('is on another day elsewhere', () =>
    expect(
      wallOf('Asia/Shanghai')(Date.parse('2026-11-21T17:00:00Z')).day -
        wallOf('America/New_York')(Date.parse('2026-11-21T17:00:00Z')).day,
    ).toBe(1))
})
