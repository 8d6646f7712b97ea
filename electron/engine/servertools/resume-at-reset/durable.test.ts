import { describe, expect, it } from 'vitest'
import { createDisk, type Fate } from '../../terminals/outbox/testing/memory-store.ts'
import { eachWorld, hour, minute, second } from './testing/each-world.ts'
import { openWorld } from './testing/world.ts'

const w = eachWorld()
const { after, dispose, now, on, types } = w

describe('after a restart', () => {
  it('the switch, the limit and its time are as they were', async () => {
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    const before = [w.world.resume.limitOf('s1'), w.world.resume.limits(), w.world.resume.isOn('s1')]
    w.world = await w.world.kill()
    expect([w.world.resume.limitOf('s1'), w.world.resume.limits(), w.world.resume.isOn('s1')]).toEqual(before)
    await after(2 * hour)
    expect(w.world.typed()).toEqual(['Continue.'])
  })

  it('what became due less than a day ago is done, what is older is said', async () => {
    await on('s1')
    await on('s2')
    await w.world.limitedTurn('s1', now() + hour)
    await w.world.limitedTurn('s2', now() + 20 * hour, { provider: 'anth' })
    dispose()
    await after(30 * hour)
    w.world = await w.world.kill()
    await after(second)
    expect([w.world.typed('s1'), w.world.typed('s2')]).toEqual([[], ['Continue.']])
    expect(w.world.told('s1')).toEqual([
      { type: 'resume-failed', message: 'that was more than a day ago, and Onward was not running' },
    ])
    w.world = await w.world.kill()
    await after(hour)
    expect(w.world.told('s1')).toEqual([])
  })

  const fates: Fate[] = ['crash', 'crash-after', 'fail', 'fail-after']
  const files = ['outbox/tmux-s1.json', 'resume-at-reset.json']
  it.each(fates.flatMap((fate) => files.flatMap((file) => [1, 2, 3].map((nth) => [fate, file, nth] as const))))(
    'it is typed once: %s at %s, write %i',
    async (fate, file, nth) => {
      await on()
      await w.world.limitedTurn('s1', now() + hour)
      let left: number = nth
      w.world.disk.fate = (path) => (path === file && --left === 0 ? fate : 'ok')
      await after(hour + 10 * second)
      w.world = await w.world.kill()
      await after(2 * hour)
      w.world = await w.world.kill()
      await after(2 * hour)
      // Onward died in the middle of typing: whether the text arrived is not known, so it is never typed again.
      const died = fate.startsWith('crash') && file.startsWith('outbox') && nth === 2
      if (died) expect(w.world.typed().length).toBeLessThanOrEqual(1)
      else expect(w.world.typed()).toEqual(['Continue.'])
      expect((await w.world.outboxes.of('tmux:s1')).list()).toHaveLength(1)
    },
  )

  it('a followup that only the outbox knows of can still be taken back', async () => {
    await on()
    w.world.target('tmux:s1').reading = { kind: 'hold', reason: { code: 'agent-busy' } }
    await w.world.limitedTurn('s1', now() + hour)
    w.world.disk.fate = (path) => (path.startsWith('outbox/') ? 'crash-after' : 'ok')
    await after(hour + 10 * second)
    w.world = await w.world.kill()
    await w.world.resume.cancel('s1')
    w.world.target('tmux:s1').reading = { kind: 'ready', bracketedPaste: true }
    await after(hour)
    expect(w.world.typed()).toEqual([])
    expect((await w.world.outboxes.of('tmux:s1')).list().map((e) => e.state)).toEqual(['cancelled'])
  })

  it('a file of a newer version stops nothing else, and is not overwritten', async () => {
    dispose()
    const disk = createDisk()
    disk.files.set('resume-at-reset.json', '{"on": 7}')
    w.world = await openWorld({ disk })
    expect(types()).toEqual(['store-problem'])
    await expect(on()).rejects.toThrow()
    expect(disk.files.get('resume-at-reset.json')).toBe('{"on": 7}')
  })
})

describe('the clock', () => {
  it('that jumps forward is noticed within a minute', async () => {
    let skipped = 0
    const clock = w.world.clock
    dispose()
    w.world = await openWorld({
      clock: {
        ...clock,
        now: () => clock.now() + skipped,
        monotonic: () => clock.monotonic(),
        after: clock.after,
        advance: clock.advance,
        pending: clock.pending,
      },
    })
    await on()
    await w.world.limitedTurn('s1', now() + 10 * hour)
    skipped = 10 * hour + 5 * second
    await after(61 * second)
    expect(w.world.typed()).toEqual(['Continue.'])
  })

  it('that is set back makes it wait for the time that was told', async () => {
    let skipped = 0
    const clock = w.world.clock
    dispose()
    w.world = await openWorld({ clock: { ...clock, now: () => clock.now() + skipped } })
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    skipped = -hour
    await after(90 * minute)
    expect(w.world.typed()).toEqual([])
    await after(31 * minute)
    expect(w.world.typed()).toEqual(['Continue.'])
  })
})

describe('a disk that refuses', () => {
  it('is asked again until the followup is in the queue', async () => {
    await on()
    await w.world.limitedTurn('s1', now() + hour)
    w.world.disk.fate = () => 'fail'
    await after(hour + 3 * minute)
    expect(w.world.typed()).toEqual([])
    w.world.disk.fate = () => 'ok'
    await after(2 * minute)
    expect(w.world.typed()).toEqual(['Continue.'])
  })
})

describe('the file', () => {
  it('keeps what waits and lets the oldest go', async () => {
    for (let i = 0; i < 520; i++)
      w.world.resume.limited(`s${i}`, { provider: 'zai', since: now(), lifts: now() + hour })
    await after(second)
    expect(
      Array.from({ length: 520 }, (_, i) => w.world.resume.limitOf(`s${i}`)).filter((l) => l !== null),
    ).toHaveLength(500)
    expect(w.world.resume.limitOf('s519')).not.toBeNull()
    expect(w.world.resume.limitOf('s0')).toBeNull()
  })

  it('bears any name a client gives its session', async () => {
    await on('__proto__')
    w.world.places.set('__proto__', 'tmux:odd')
    await w.world.limitedTurn('__proto__', now() + hour)
    w.world = await w.world.kill()
    expect(w.world.resume.isOn('__proto__')).toBe(true)
    expect(w.world.resume.isOn('toString')).toBe(false)
    await after(2 * hour)
    expect(w.world.typed('__proto__')).toEqual(['Continue.'])
  })
})
