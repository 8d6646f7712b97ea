import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { MachineView } from '../../shared/machines.ts'
import { settled } from '../../shared/testing/settled.ts'
import type { Actions } from '../control/actions.ts'
import { emptyEngine, reduceEngine, type EngineAction, type EngineState } from './engine.ts'
import { loadMachines } from './load-machines.ts'

const box: MachineView = {
  name: 'box',
  target: 'box',
  state: { kind: 'there', since: 1, version: '1' },
  sessions: [],
}

/** A page whose clock ticks when told to, and an engine that has these machines. */
function page(machines: () => readonly MachineView[] | null, first: Partial<EngineState> = {}) {
  const engine = createStore<EngineState>(() => ({ ...emptyEngine, link: { kind: 'live' }, snapshots: 1, ...first }))
  const dispatch = (action: EngineAction) => engine.setState(reduceEngine(engine.getState(), action))
  const listeners = new Set<() => void>()
  const told = { now: 1_000, asked: 0 }
  const ask = (async () => {
    told.asked++
    const value = machines()
    return value === null ? { ok: false, problem: { code: 'x', message: 'x' } } : { ok: true, value }
  }) as unknown as Actions['ask']
  const clock = {
    now: () => told.now,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const stop = loadMachines(engine, clock, dispatch, ask)
  return {
    engine,
    told,
    listeners,
    stop,
    async pass(ms: number) {
      told.now += ms
      for (const listener of listeners) listener()
      await settled()
    },
  }
}

describe('the sessions of other machines', () => {
  it('are asked for with each snapshot, and every ten seconds while there are machines', async () => {
    const { engine, told, pass, stop, listeners } = page(() => [box])
    await settled()
    expect(engine.getState().machines).toEqual([box])
    await pass(9_000)
    expect(told.asked).toBe(1)
    await pass(1_000)
    expect(told.asked).toBe(2)
    engine.setState({ snapshots: 2 })
    await settled()
    expect(told.asked).toBe(3)
    stop()
    expect(listeners.size).toBe(0)
  })

  it('are no reason to tick where there are none, or where the engine knows no machines', async () => {
    for (const answer of [[], null]) {
      const { engine, told, listeners } = page(() => answer)
      await settled()
      expect([told.asked, listeners.size, engine.getState().machines]).toEqual([1, 0, []])
    }
  })

  it('are not asked for without a connection, or by a device that may not', async () => {
    const away = page(() => [box], { link: { kind: 'connecting' } })
    const device = page(() => [box], { rights: ['look'] })
    await settled()
    expect([away.told.asked, device.told.asked]).toEqual([0, 0])
    away.engine.setState({ link: { kind: 'live' } })
    await settled()
    expect(away.told.asked).toBe(1)
  })
})
