/** A day of several hundred sessions over providers that fail in every way, in virtual time. */
import { describe, expect, it } from 'vitest'
import { sample } from '../../../shared/testing/runs.ts'
import { keyFaults, MINUTE, wholeFaults } from './testing/fault-plan.ts'
import { allLimited, fleetDay, outage, type FleetDay } from './testing/fleet-day.ts'
import { keysWait, moves, named, noHerd, oneEnd, served, starved } from './testing/fleet-rules.ts'

const within =
  ({ from, to }: { from: number; to: number }) =>
  ({ at }: { at: number }) =>
    at >= from && at < to
const days = new Map<number, Promise<FleetDay>>()
const dayOf = (seed: number): Promise<FleetDay> => {
  const day = days.get(seed) ?? fleetDay(seed)
  days.set(seed, day)
  return day
}

describe.each(sample([4, 6]))('a day of a fleet, number %i', (seed) => {
  it('has trouble of every kind in it, and leaves nothing behind', async () => {
    const { turns, calls, timersLeft } = await dayOf(seed)
    expect(turns.length).toBeGreaterThan(5_000)
    expect(new Set(calls.map(({ result }) => result))).toEqual(
      new Set([...wholeFaults.filter((fault) => fault !== 'slow'), ...keyFaults, 'good', 'left']),
    )
    expect(timersLeft).toBe(0)
  }, 120_000)

  it('ends every request with one answer or one honest error that names what was tried', async () => {
    const day = await dayOf(seed)
    expect(oneEnd(day)).toEqual([])
    expect(named(day)).toEqual([])
    expect(served(day)).toEqual([])
    expect(day.turns.filter(({ error }) => error).length).toBeLessThan(day.turns.length / 10)
  })

  it('keeps sessions where they are, but for failures and the way home', async () => {
    const day = await dayOf(seed)
    const { all, breaches } = moves(day, 10)
    expect(breaches).toEqual([])
    expect(all).toBeGreaterThan(50)
    expect(all).toBeLessThan(day.turns.length / 10)
  })

  it('tries with one call what was down or limited, and leaves it alone until then', async () => {
    const day = await dayOf(seed)
    expect(noHerd(day)).toEqual([])
    expect(keysWait(day)).toEqual([])
  })

  it('lets every provider serve again that is well again', async () => {
    const { looked, breaches } = starved(await dayOf(seed))
    expect(breaches).toEqual([])
    expect(looked).toBeGreaterThan(2)
  })

  it('stays bounded while nobody is there, and asks once a minute while everybody has told a time', async () => {
    const { turns, calls, providers } = await dayOf(seed)
    const [asked, called] = [turns.filter(within(outage)), calls.filter(within(outage))]
    expect(asked.filter(({ error, ended }) => error === null && ended !== 'left')).toEqual([])
    expect(called.length).toBeGreaterThan(0)
    expect(called.length).toBeLessThanOrEqual(
      asked.length * providers.reduce((sum, { keys }) => sum + Math.max(1, keys), 0),
    )
    const limited = { from: allLimited.from + MINUTE, to: allLimited.to }
    const refused = turns.filter(within(limited)).flatMap(({ error }) => (error ? [error] : []))
    expect(refused.some(({ code }) => code === 'all-resting')).toBe(true)
    for (const error of refused) expect(error.status).toBe(429)
    for (const error of refused.filter(({ code }) => code === 'all-resting'))
      expect(Number(error.details['retryAfter'])).toBeGreaterThan(0)
    const keys = providers.reduce((sum, provider) => sum + Math.max(1, provider.keys), 0)
    expect(calls.filter(within(limited)).length).toBeLessThanOrEqual(keys * ((limited.to - limited.from) / MINUTE + 1))
  })
})
