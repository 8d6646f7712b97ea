import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../engine/base/testing/virtual-clock.ts'
import type { EngineUpdate } from '../../../shared/state.ts'
import type { EngineLink } from './engine-link.ts'
import { keepLinked, tryAgainMs } from './keep-linked.ts'

/** An engine that can be made to say something, to end, or to break. */
function engine(name: string, did: string[]) {
  const said: EngineUpdate[] = []
  let how: 'runs' | 'ended' | 'broke' = 'runs'
  let wake = () => {}
  const link: EngineLink = {
    owned: name === 'own',
    origin: `http://${name}`,
    dashboardLink: async () => `http://${name}/dashboard/#token=t`,
    async *follow(signal) {
      signal.addEventListener('abort', () => wake())
      while (how === 'runs' && !signal.aborted) {
        for (let update = said.shift(); update; update = said.shift()) yield update
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (how === 'broke') throw new Error(`${name} broke`)
    },
    pause: async () => undefined,
    resume: async () => undefined,
    rearm: async () => undefined,
    snoozeAlarm: async () => undefined,
    cancelAlarm: async () => undefined,
    wokeUp: () => undefined,
    async dispose() {
      did.push(`let go ${name}`)
    },
  }
  return {
    link,
    say(update: EngineUpdate) {
      said.push(update)
      wake()
    },
    end() {
      how = 'ended'
      wake()
    },
    breakOff() {
      how = 'broke'
      wake()
    },
  }
}

function keeping(connect: () => Promise<EngineLink>, first = 'first') {
  const did: string[] = []
  const clock = virtualClock()
  const made = engine(first, did)
  const keeper = keepLinked({
    clock,
    connect,
    first: made.link,
    onLink: (link) => did.push(`link ${new URL(link.origin).host}`),
    onUpdate: (update, link) => did.push(`${update.type} of ${new URL(link.origin).host}`),
    onLost: (link) => did.push(`lost ${new URL(link.origin).host}`),
    onTrouble: (error, doing) => did.push(`${doing}: ${String(error)}`),
  })
  return { ...keeper, first: made, did, clock }
}
const removed: EngineUpdate = { type: 'session-removed', id: 'a' }

describe('holding on to an engine', () => {
  it('hands on what it tells', async () => {
    const { first, did, clock, dispose } = keeping(() => Promise.reject(new Error('none')))
    await clock.advance(0)
    first.say(removed)
    await clock.advance(0)
    expect(did).toEqual(['link first', 'session-removed of first'])
    await dispose()
    expect(did.at(-1)).toBe('let go first')
    expect(did).not.toContain('lost first')
  })

  it.each(['end', 'breakOff'] as const)('finds the next when it goes (%s)', async (how) => {
    const did: string[] = []
    const next = engine('next', did)
    const { first, did: seen, clock, dispose } = keeping(async () => next.link)
    await clock.advance(0)
    first[how]()
    await clock.advance(0)
    expect(seen.filter((line) => !line.startsWith('follow'))).toEqual(['link first', 'lost first', 'let go first'])
    await clock.advance(tryAgainMs)
    next.say(removed)
    await clock.advance(0)
    expect(seen.slice(-2)).toEqual(['link next', 'session-removed of next'])
    await dispose()
    expect(did).toEqual(['let go next'])
  })

  it('tries again, not in a tight circle, and says each time why not', async () => {
    let tries = 0
    const { first, did, clock, dispose } = keeping(() => {
      tries++
      return Promise.reject(new Error('port taken'))
    })
    await clock.advance(0)
    first.end()
    await clock.advance(tryAgainMs * 5)
    expect(tries).toBe(5)
    expect(did.filter((line) => line === 'connect: Error: port taken')).toHaveLength(5)
    await dispose()
    await clock.advance(tryAgainMs * 5)
    expect(tries).toBe(5)
    expect(clock.pending()).toBe(0)
  })
})
