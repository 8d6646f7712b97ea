import { describe, expect, it } from 'vitest'
import { configSchema, type ConfigInput } from '../../../shared/config/schema.ts'
import { timeLimits, usualTimeouts, type MeasuredSilence } from './time-limits.ts'

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
