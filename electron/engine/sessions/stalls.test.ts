import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { silentLog } from '../base/log.ts'
import type { TerminalReading, TypingTarget } from '../terminals/types.ts'
import { createStalls, STALLS_MS } from './stalls.ts'

const busy: TerminalReading = { kind: 'hold', reason: { code: 'agent-busy' } }
const ready: TerminalReading = { kind: 'ready', bracketedPaste: true }
const minute = 60_000

function world() {
  const clock = virtualClock()
  const shown: { reading: TerminalReading; fails: boolean } = { reading: busy, fails: false }
  const told: [string, number][] = []
  const moves: string[] = []
  let changes = 0
  const stalls = createStalls({
    clock,
    log: silentLog,
    findTarget: () =>
      ({
        async read() {
          if (shown.fails) throw new Error('tmux does not answer')
          return shown.reading
        },
      }) as unknown as TypingTarget,
    onChange: () => void changes++,
    onStalled: (id, since) => (since === null ? moves.push(id) : told.push([id, since])),
  })
  return { clock, shown, told, moves, stalls, changes: () => changes }
}

describe('an agent that runs tools', () => {
  it('stalls when its screen is busy and nothing is heard for long, told once, until its next request', async () => {
    const { clock, told, moves, stalls, changes } = world()
    const since = clock.now()
    stalls.ended('s', 't', true)
    await clock.advance(STALLS_MS - 1)
    expect([stalls.of('s'), told]).toEqual([null, []])
    await clock.advance(1)
    expect([stalls.of('s'), told]).toEqual([{ since }, [['s', since]]])
    await clock.advance(180 * minute)
    expect([told.length, changes(), moves]).toEqual([1, 1, []])
    stalls.over('s')
    expect([stalls.of('s'), changes(), moves]).toEqual([null, 2, ['s']])
    await clock.advance(180 * minute)
    expect(told).toHaveLength(1)
  })

  it('does not where its screen shows that it is at rest, asks something, or a sub-agent is heard of', async () => {
    const { clock, shown, told, stalls } = world()
    shown.reading = ready
    stalls.ended('rests', 't', true)
    await clock.advance(STALLS_MS)
    shown.reading = { kind: 'hold', reason: { code: 'dialog-open', what: 'Allow?' } }
    stalls.ended('asks', 't', true)
    await clock.advance(STALLS_MS)
    shown.reading = busy
    stalls.ended('delegates', 't', true)
    for (let i = 0; i < 10; i++) {
      await clock.advance(STALLS_MS - minute)
      stalls.alive('delegates')
    }
    stalls.ended('said', 't', false)
    stalls.ended('unseen', null, true)
    stalls.alive('unknown')
    await clock.advance(STALLS_MS - minute)
    expect(told).toEqual([])
    await clock.advance(minute)
    expect(told.map(([id]) => id)).toEqual(['delegates'])
  })

  it('comes back by itself, and a screen that can’t be read says nothing', async () => {
    const { clock, shown, told, stalls } = world()
    shown.fails = true
    stalls.ended('s', 't', true)
    await clock.advance(STALLS_MS + minute)
    expect(told).toEqual([])
    shown.fails = false
    await clock.advance(minute)
    expect(told).toHaveLength(1)
    shown.reading = ready
    await clock.advance(minute)
    expect(stalls.of('s')).toBeNull()
    stalls.dispose()
    expect(clock.pending()).toBe(0)
  })
})
