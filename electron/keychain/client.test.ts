import { describe, expect, it } from 'vitest'
import { virtualClock } from '../engine/base/testing/virtual-clock.ts'
import { createKeychain, type KeychainHelper } from './client.ts'
import type { KeychainCall } from './protocol.ts'

const minute = 60_000

/** A keychain's process whose answers a test gives. */
function world() {
  const clock = virtualClock()
  const helpers: { calls: KeychainCall[]; answer(line: string): void; end(why: string): void; killed: boolean }[] = []
  const start = (): KeychainHelper => {
    const calls: KeychainCall[] = []
    let onLine = (_line: string) => undefined as void
    let onEnd = (_why: string) => undefined as void
    const helper = {
      calls,
      killed: false,
      answer: (line: string) => onLine(line),
      end: (why: string) => onEnd(why),
    }
    helpers.push(helper)
    return {
      send: (line) => void calls.push(JSON.parse(line) as KeychainCall),
      listen(line, end) {
        onLine = line
        onEnd = end
      },
      kill() {
        helper.killed = true
      },
    }
  }
  const keychain = createKeychain(start, clock)
  const last = () => {
    const helper = helpers.at(-1)
    if (!helper) throw new Error('no process was started')
    return helper
  }
  return { clock, keychain, helpers, last }
}
const ok = (value: string | null) => JSON.stringify({ ok: true, value })
const no = (trouble: string, said = '') => JSON.stringify({ ok: false, trouble, said })
const settledAs = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: { details?: { trouble?: string } }) => ({ trouble: error.details?.trouble }),
  )

describe('the keychain', () => {
  it('is asked by one process, one call after the other, which ends when nothing is asked', async () => {
    const { keychain, clock, helpers, last } = world()
    expect(helpers).toEqual([])
    const both = [keychain.set('h/a', 'sk-1'), keychain.get('h/a')]
    await clock.advance(0)
    expect(last().calls).toEqual([{ call: 'set', account: 'h/a', value: 'sk-1' }])
    last().answer(ok(null))
    await clock.advance(0)
    expect(last().calls[1]).toEqual({ call: 'get', account: 'h/a' })
    last().answer(ok('sk-1'))
    expect(await Promise.all(both)).toEqual([undefined, 'sk-1'])
    await clock.advance(minute)
    expect(helpers.map(({ killed }) => killed)).toEqual([true])
    void keychain.get('h/a').catch(() => undefined)
    await clock.advance(0)
    expect(helpers).toHaveLength(2)
  })

  it('that waits for a password holds nobody up, and says when it is there', async () => {
    const { keychain, clock, last, helpers } = world()
    let back = 0
    keychain.onBack(() => (back += 1))
    const reads = ['a', 'b', 'c'].map((name) => settledAs(keychain.get(name)))
    await clock.advance(3_000)
    expect(await Promise.all(reads)).toEqual([{ trouble: 'silent' }, { trouble: 'silent' }, { trouble: 'silent' }])
    expect(last().calls).toHaveLength(1)
    // Nothing is asked while the prompt is open either.
    expect(await settledAs(keychain.set('d', 'x'))).toEqual({ trouble: 'silent' })
    await clock.advance(minute)
    expect(last().killed).toBe(false)
    last().answer(ok('sk-1'))
    expect(back).toBe(1)
    const again = settledAs(keychain.get('b'))
    await clock.advance(0)
    last().answer(ok('sk-2'))
    expect(await again).toEqual({ value: 'sk-2' })
    expect(helpers).toHaveLength(1)
  })

  it('keeps a write waiting for a minute, and no longer than its caller can wait', async () => {
    const { keychain, clock } = world()
    const outcomes: unknown[] = []
    const quick = settledAs(keychain.set('a', 'x', 5_000)).then((outcome) => outcomes.push(outcome))
    await clock.advance(4_999)
    expect(outcomes).toEqual([])
    await clock.advance(1)
    await quick
    expect(outcomes).toEqual([{ trouble: 'silent' }])
    await clock.advance(4 * minute)
    const patient = settledAs(keychain.set('a', 'x')).then((outcome) => outcomes.push(outcome))
    await clock.advance(minute - 1)
    expect(outcomes).toHaveLength(1)
    await clock.advance(1)
    await patient
    expect(outcomes).toHaveLength(2)
  })

  it('that never answers is given up with its process, and asked anew later', async () => {
    const { keychain, clock, helpers, last } = world()
    const read = settledAs(keychain.get('a'))
    await clock.advance(4 * minute)
    expect(await read).toEqual({ trouble: 'silent' })
    expect(helpers.map(({ killed }) => killed)).toEqual([true])
    const again = settledAs(keychain.get('a'))
    await clock.advance(0)
    last().answer(ok('sk-1'))
    expect(await again).toEqual({ value: 'sk-1' })
  })

  it('that is locked asks its person once for several reads, and again for a write', async () => {
    const { keychain, clock, last } = world()
    const reads = ['a', 'b'].map((name) => settledAs(keychain.get(name)))
    await clock.advance(0)
    last().answer(no('locked', 'prompt dismissed'))
    expect(await Promise.all(reads)).toEqual([{ trouble: 'locked' }, { trouble: 'locked' }])
    expect(last().calls).toHaveLength(1)
    const write = settledAs(keychain.set('a', 'x'))
    await clock.advance(0)
    last().answer(ok(null))
    expect(await write).toEqual({ value: undefined })
    const read = settledAs(keychain.get('a'))
    await clock.advance(0)
    last().answer(ok('x'))
    expect(await read).toEqual({ value: 'x' })
  })

  it.each(['not JSON', '{"ok":true}', '{"ok":false,"trouble":"new","said":""}'])(
    'whose process says something else can’t be used: %s',
    async (line) => {
      const { keychain, clock, last } = world()
      const read = settledAs(keychain.get('a'))
      await clock.advance(0)
      last().answer(line)
      expect(await read).toEqual({ trouble: 'unreachable' })
      expect(last().killed).toBe(true)
    },
  )

  it('whose process dies under a call says so, and the next call has another one', async () => {
    const { keychain, clock, helpers, last } = world()
    const write = settledAs(keychain.set('a', 'x'))
    await clock.advance(0)
    last().end('SIGSEGV')
    expect(await write).toEqual({ trouble: 'unreachable' })
    const next = settledAs(keychain.set('a', 'x'))
    await clock.advance(0)
    expect(helpers).toHaveLength(2)
    last().answer(ok(null))
    expect(await next).toEqual({ value: undefined })
  })

  it('leaves nothing behind when the engine ends', async () => {
    const { keychain, clock, last } = world()
    const read = settledAs(keychain.get('a'))
    await clock.advance(0)
    keychain.dispose()
    expect(await read).toEqual({ trouble: 'unreachable' })
    expect(last().killed).toBe(true)
    expect(await settledAs(keychain.set('a', 'x'))).toEqual({ trouble: 'off' })
    expect(clock.pending()).toBe(0)
  })
})
