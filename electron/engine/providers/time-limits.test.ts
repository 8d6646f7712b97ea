import { describe, expect, it } from 'vitest'
import { configSchema, type ConfigInput } from '../../../shared/config/schema.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { timeLimits, usualTimeouts, type MeasuredSilence, watch, type Waiting } from './time-limits.ts'

type Given = NonNullable<ConfigInput['providers']>[string]

function limits(given: Partial<Given> = {}, measured: MeasuredSilence | null = null) {
  const { p } = configSchema.parse({
    providers: { p: { type: 'openai-chat', baseUrl: 'https://models.test/v1', ...given } },
  }).providers
  if (!p) throw new Error('it stands in the config')
  return timeLimits('p', p, 'm', measured)
}
const timeouts = (quirks: NonNullable<NonNullable<Given['quirks']>['timeouts']>) => ({ quirks: { timeouts: quirks } })

describe('how long a provider may be silent', () => {
  it('is a minute before it speaks, ten with pings, and the usual five minutes after', () => {
    expect(limits()).toEqual({
      timeouts: usualTimeouts,
      silence: { silentMs: 60_000, evenAlone: false, wordlessMs: 600_000, idleMs: 300_000 },
    })
  })

  it.each([
    [1_000, 1_000, 60_000, 30_000],
    [90_000, 45_000, 90_000, 45_000],
    [9_000_000, 9_000_000, 600_000, 300_000],
  ])('is what was measured (%d and %d ms), within bounds', (silentMs, idleMs, before, after) => {
    expect(limits({}, { silentMs, idleMs }).silence).toMatchObject({
      silentMs: before,
      evenAlone: true,
      idleMs: after,
    })
  })

  it('is what the config says, for the model before its provider', () => {
    const measured = { silentMs: 90_000, idleMs: 45_000 }
    expect(limits(timeouts({ silentMs: 5, wordlessMs: 6, idleMs: 7 }), measured).silence).toEqual({
      silentMs: 5,
      evenAlone: true,
      wordlessMs: 6,
      idleMs: 7,
    })
    const both = { ...timeouts({ idleMs: 7, connectMs: 1 }), models: { m: { timeouts: { idleMs: 0, silentMs: 0 } } } }
    expect(limits(both, measured)).toMatchObject({
      timeouts: { connectMs: 1, idleMs: 0 },
      silence: { silentMs: 0, idleMs: 0 },
    })
  })

  it('is none of its own where the config says how long to wait for bytes', () => {
    expect(limits(timeouts({ firstByteMs: 900_000 })).silence.silentMs).toBe(0)
    expect(limits(timeouts({ idleMs: 900_000 })).silence).toMatchObject({ silentMs: 0, idleMs: 900_000 })
    expect(limits(timeouts({ connectMs: 1 })).silence.silentMs).toBe(60_000)
  })

  it.each([
    'http://127.0.0.1:8080/v1',
    'http://localhost:11434/v1',
    'http://[::1]:1234/v1',
    'http://192.168.1.7:8000/v1',
    'http://10.0.0.3/v1',
    'http://ollama:11434/v1',
    'http://studio.local:1234/v1',
    'http://gpu.home.arpa/v1',
  ])('is as long as it likes to read a prompt at %s', (baseUrl) => {
    const local = limits({ baseUrl }, { silentMs: 1, idleMs: 1 })
    expect(local).toEqual({
      timeouts: usualTimeouts,
      silence: { silentMs: 0, evenAlone: false, wordlessMs: 0, idleMs: 300_000 },
    })
    expect(limits({ baseUrl, ...timeouts({ silentMs: 9 }) }).silence.silentMs).toBe(9)
  })

  it.each(['https://api.example.com/v1', 'https://8.8.8.8/v1'])('counts at %s', (baseUrl) => {
    expect(limits({ baseUrl }).silence.silentMs).toBe(60_000)
  })
})

function watched() {
  const clock = virtualClock()
  const late: [Waiting, number][] = []
  return {
    clock,
    late,
    patience: watch(clock, (what, ms) => late.push([what, ms])),
  }
}

describe('the patience with an exchange', () => {
  it('waits as long as the last thing it waits for may take, whatever it waited for before', async () => {
    const { clock, late, patience } = watched()
    patience.waitFor('connect', 1_000)
    await clock.advance(900)
    patience.waitFor('first-byte', 5_000)
    await clock.advance(4_900)
    expect(late).toEqual([])
    patience.waitFor('idle', 300)
    await clock.advance(299)
    patience.touch()
    await clock.advance(299)
    expect(late).toEqual([])
    await clock.advance(1)
    expect(late).toEqual([['idle', 300]])
  })
  it('has one timer, which a longer wait does not set anew', async () => {
    const { clock, late, patience } = watched()
    patience.waitFor('connect', 1_000)
    patience.waitFor('first-byte', 5_000)
    patience.waitFor('idle', 3_000)
    expect(clock.pending()).toBe(1)
    await clock.advance(2_999)
    expect(late).toEqual([])
    await clock.advance(1)
    expect(late).toEqual([['idle', 3_000]])
    expect(clock.pending()).toBe(0)
  })
  it('takes another limit in the middle of a wait', async () => {
    const { clock, late, patience } = watched()
    patience.waitFor('idle', 5_000)
    await clock.advance(1_000)
    patience.touch()
    patience.limit(3_000)
    expect(clock.pending()).toBe(1)
    await clock.advance(2_999)
    expect(late).toEqual([])
    await clock.advance(1)
    expect(late).toEqual([['idle', 3_000]])
    patience.waitFor('idle', 5_000)
    patience.limit(9_000)
    await clock.advance(8_999)
    expect(late).toHaveLength(1)
    patience.limit(0)
    await clock.advance(100_000)
    expect(late).toHaveLength(1)
  })
  it('knows the longest wait since it was asked, without the time of a slow reader', async () => {
    const { clock, patience } = watched()
    await clock.advance(1_000)
    patience.waitFor('first-byte', 0)
    expect(patience.longest()).toBe(1_000)
    for (const ms of [200, 700, 300]) {
      await clock.advance(ms)
      patience.touch()
    }
    patience.hold()
    await clock.advance(50_000)
    patience.release()
    await clock.advance(100)
    patience.touch()
    expect(patience.longest()).toBe(700)
    expect(patience.longest()).toBe(0)
    patience.waitFor('idle', 2_000)
    await clock.advance(2_000)
    expect(patience.longest()).toBe(2_000)
  })
  it('waits for ever where nothing limits it', async () => {
    const { clock, late, patience } = watched()
    patience.waitFor('connect', 1_000)
    patience.waitFor('first-byte', 0)
    expect(clock.pending()).toBe(0)
    await clock.advance(100_000)
    expect(late).toEqual([])
  })
})
