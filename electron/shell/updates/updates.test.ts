import { describe, expect, it } from 'vitest'
import { silentLog } from '../../engine/base/log.ts'
import { virtualClock } from '../../engine/base/testing/virtual-clock.ts'
import type { NewVersion, UpdateState } from '../../../shared/updates.ts'
import type { UpdateSource } from './source.ts'
import { checkEveryMs, createUpdates, firstCheckMs, idleForMs, type RestartAnswer } from './updates.ts'

const found: NewVersion = { version: '0.2.0', notes: 'Faster.' }
const offline = () => Object.assign(new Error('net::ERR_INTERNET_DISCONNECTED'), { code: 'ENOTFOUND' })

function scene(given: Partial<UpdateSource> | null, answer: RestartAnswer = 'now') {
  const clock = virtualClock()
  const did: string[] = []
  const states: UpdateState[] = []
  const agents = { working: true }
  const source: UpdateSource | null = given && {
    async check() {
      did.push('check')
      return found
    },
    async download(progress) {
      did.push('download')
      progress(41.7)
    },
    async prepare() {
      did.push('prepare')
    },
    finish: (restart) => did.push(restart ? 'finish and start' : 'finish'),
    ...given,
  }
  const updates = createUpdates({
    clock,
    log: silentLog,
    how: 'deb',
    source,
    onChange: (state) => states.push(state),
    busy: () => agents.working,
    async mayRestart() {
      did.push('asked')
      return answer
    },
    quit: () => did.push('quit'),
  })
  return { clock, did, states, updates, agents }
}
const always = { check: true, download: false }

describe('looking for a new version', () => {
  it('is done by nobody while it is switched off', async () => {
    const { clock, did, updates } = scene({})
    updates.settings({ check: false, download: true })
    await clock.advance(3 * checkEveryMs)
    expect(did).toEqual([])
    expect(updates.state()).toEqual({ kind: 'idle' })
  })

  it('is done a minute after it was switched on and once a day, until it is switched off', async () => {
    const { clock, did, updates } = scene({
      async check() {
        did.push('check')
        return null
      },
    })
    updates.settings(always)
    await clock.advance(firstCheckMs)
    expect(did).toEqual(['check'])
    expect(updates.state()).toEqual({ kind: 'current', at: clock.now() })
    await clock.advance(checkEveryMs)
    expect(did).toEqual(['check', 'check'])
    updates.settings({ check: false, download: false })
    await clock.advance(3 * checkEveryMs)
    expect(did).toEqual(['check', 'check'])
  })

  it('says nothing when there is no network, unless a person asked', async () => {
    const { clock, states, updates } = scene({ check: () => Promise.reject(offline()) })
    updates.settings(always)
    await clock.advance(firstCheckMs)
    expect(states).toEqual([{ kind: 'idle' }])
    await updates.request('check')
    expect(updates.state()).toMatchObject({ kind: 'failed', why: 'offline', found: null })
  })

  it('where a package manager replaces the program, it only says how', async () => {
    const { clock, states, updates } = scene(null)
    updates.settings({ check: true, download: true })
    await clock.advance(firstCheckMs)
    for (const request of ['check', 'download', 'restart', 'at-quit'] as const) await updates.request(request)
    expect(new Set(states.map((state) => JSON.stringify(state)))).toEqual(new Set(['{"kind":"by-hand","how":"deb"}']))
    expect(updates.finish()).toBe(false)
  })
})

describe('a new version', () => {
  it('is downloaded by a click, with its progress, and installed by another', async () => {
    const { did, states, updates } = scene({})
    await updates.request('check')
    expect(updates.state()).toEqual({ kind: 'available', ...found })
    expect(did).toEqual(['check'])
    await updates.request('download')
    expect(states.slice(-3)).toEqual([
      { kind: 'downloading', percent: 0, ...found },
      { kind: 'downloading', percent: 41, ...found },
      { kind: 'ready', atQuit: false, whenIdle: false, ...found },
    ])
    await updates.request('restart')
    expect(did).toEqual(['check', 'download', 'asked', 'prepare', 'quit'])
    await updates.beforeEnd()
    expect(updates.finish()).toBe(true)
    expect(did.at(-1)).toBe('finish and start')
  })

  it('is downloaded by itself where that is switched on, and no more than that', async () => {
    const { clock, did, updates } = scene({})
    updates.settings({ check: true, download: true })
    await clock.advance(firstCheckMs)
    expect(updates.state()).toEqual({ kind: 'ready', atQuit: false, whenIdle: false, ...found })
    await clock.advance(3 * checkEveryMs)
    await updates.beforeEnd()
    expect(updates.finish()).toBe(false)
    expect(did).toEqual(['check', 'download'])
  })

  it('is not installed while the person says no to what that means for agents', async () => {
    const { did, updates } = scene({}, 'later')
    await updates.request('check')
    await updates.request('download')
    await updates.request('restart')
    expect(did).toEqual(['check', 'download', 'asked'])
    expect(updates.state().kind).toBe('ready')
    expect(updates.finish()).toBe(false)
  })

  it('asks nobody while no agent is at work', async () => {
    const { did, updates, agents } = scene({}, 'later')
    agents.working = false
    for (const request of ['check', 'download', 'restart'] as const) await updates.request(request)
    expect(did).toEqual(['check', 'download', 'prepare', 'quit'])
  })

  it('waits, where the person said so, until no agent has been at work for a while', async () => {
    const { clock, did, updates, agents } = scene({}, 'when-idle')
    for (const request of ['check', 'download', 'restart'] as const) await updates.request(request)
    expect(updates.state()).toMatchObject({ kind: 'ready', whenIdle: true })
    await clock.advance(checkEveryMs)
    const set = (working: boolean) => {
      agents.working = working
      updates.agentsChanged()
    }
    set(false)
    await clock.advance(idleForMs - 1)
    // Onward's own message to it came in between.
    set(true)
    await clock.advance(idleForMs)
    expect(did.at(-1)).toBe('asked')
    set(false)
    updates.agentsChanged()
    await clock.advance(idleForMs)
    expect(did.slice(-3)).toEqual(['asked', 'prepare', 'quit'])
    expect(updates.finish()).toBe(true)
    expect(did.at(-1)).toBe('finish and start')
    expect(clock.pending()).toBe(0)
  })

  it.each(['not-when-idle', 'at-quit'] as const)('waits no longer once the person said “%s”', async (request) => {
    const { clock, did, updates, agents } = scene({}, 'when-idle')
    for (const one of ['check', 'download', 'restart'] as const) await updates.request(one)
    agents.working = false
    updates.agentsChanged()
    await updates.request(request)
    updates.agentsChanged()
    await clock.advance(idleForMs)
    expect(did).toEqual(['check', 'download', 'asked'])
    expect(updates.state()).toMatchObject({ whenIdle: false, atQuit: request === 'at-quit' })
  })

  it('is installed at the end as well where it waits for agents', async () => {
    const { did, updates } = scene({}, 'when-idle')
    for (const one of ['check', 'download', 'restart'] as const) await updates.request(one)
    await updates.beforeEnd()
    expect(updates.finish()).toBe(true)
    expect(did.at(-1)).toBe('finish')
  })

  it('is installed at the end where the person said so, and can take that back', async () => {
    const { did, updates } = scene({})
    await updates.request('check')
    await updates.request('download')
    await updates.request('at-quit')
    await updates.request('not-at-quit')
    await updates.beforeEnd()
    expect(updates.finish()).toBe(false)
    await updates.request('at-quit')
    await updates.beforeEnd()
    expect(updates.finish()).toBe(true)
    expect(did).toEqual(['check', 'download', 'prepare', 'finish'])
  })

  it('that can’t be downloaded is told with why, and can be tried again', async () => {
    let broken = true
    const { updates } = scene({
      download: () =>
        broken
          ? Promise.reject(Object.assign(new Error('sha512 checksum mismatch'), { code: 'ERR_CHECKSUM_MISMATCH' }))
          : Promise.resolve(),
    })
    await updates.request('check')
    await updates.request('download')
    expect(updates.state()).toEqual({ kind: 'failed', why: 'broken', detail: 'sha512 checksum mismatch', found })
    broken = false
    await updates.request('download')
    expect(updates.state().kind).toBe('ready')
  })

  it('is restarted to once, however often that is asked', async () => {
    const { did, updates } = scene({})
    await updates.request('check')
    await updates.request('download')
    await Promise.all([updates.request('restart'), updates.request('restart')])
    expect(did.filter((what) => what === 'quit')).toHaveLength(1)
  })

  it('that can’t be put in place leaves the app running', async () => {
    const { did, updates } = scene({
      prepare: () => Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })),
    })
    await updates.request('check')
    await updates.request('download')
    await updates.request('restart')
    expect(updates.state()).toMatchObject({ kind: 'failed', why: 'disk', found })
    expect(did).not.toContain('quit')
    expect(updates.finish()).toBe(false)
  })
})
