import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import type { TurnFailure } from '../../../../shared/state.ts'
import type { Scope } from '../../../../shared/words.ts'
import { createBench, type Bench, type BenchOptions } from '../../terminals/outbox/testing/bench.ts'
import { createRecover, type Recover, type RecoverSettings } from './recover.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const text = 'Continue where you left off.'

const failure = (change: Partial<TurnFailure> = {}): TurnFailure => ({
  provider: 'zai',
  status: 529,
  message: 'Overloaded.',
  tries: 10,
  since: 0,
  at: 0,
  tried: [{ provider: 'zai', model: 'glm-5', keyAlias: null, status: 529, code: '529' }],
  retries: false,
  ...change,
})

interface World extends Omit<Bench, 'settings'> {
  recover: Recover
  settings: RecoverSettings
  armed: Set<Scope>
  paused: Set<string>
  gone: Set<string>
  asked: string[]
  told: EventBody[]
}
type Kept = Pick<World, 'settings' | 'armed' | 'paused' | 'gone'>

async function open(options: BenchOptions = {}, before?: Kept): Promise<World> {
  const bench = createBench({ targets: new Map(), ...options })
  const kept: Kept = before ?? {
    settings: { when: 'armed', text, mostPerOutage: 3, mostPerDay: 5 },
    armed: new Set(['tmux:s1', 'tmux:s2']),
    paused: new Set(),
    gone: new Set(),
  }
  const told: EventBody[] = []
  const world: World = {
    ...bench,
    ...kept,
    asked: [],
    told,
    recover: createRecover({
      store: bench.store,
      outboxes: bench.outboxes,
      clock: bench.clock,
      random: bench.deps.random,
      record: (_, body) => {
        told.push(body)
      },
      settings: () => kept.settings,
      scopeOf: (session) => (kept.gone.has(session) ? 'terminal-gone' : `tmux:${session}`),
      isArmed: (scope) => kept.armed.has(scope),
      paused: (session) => kept.paused.has(session),
      compactOf: (session) => (session === 's1' ? '/compress' : null),
      canAsk: (provider) => provider !== 'login',
      ask: (targets) => {
        world.asked = [...targets]
      },
      onChange: () => undefined,
    }),
  }
  await bench.start()
  await world.recover.start()
  return world
}

let w: World
const after = (ms: number) => w.clock.advance(ms)
const typed = (session = 's1') => w.target(`tmux:${session}`).typed.map((order) => order.text)
/** a main turn of the session, as the pipeline reports it: it fails, is answered, or still runs */
async function turn(
  session: string,
  said: string,
  end: 'fails' | 'answered' | 'runs',
  change: Partial<TurnFailure> = {},
) {
  const scope = `tmux:${session}` as const
  w.target(scope)
  const outbox = await w.outboxes.of(scope)
  w.recover.began(session)
  const requestId = await w.begin(said, { scope, sessionId: session })
  if (end === 'runs') return null
  outbox.requestEnded(requestId)
  if (end === 'answered') w.recover.wentOn(session)
  const goesOn = end === 'fails' ? w.recover.gaveUp(session, failure(change), false) : null
  await after(0)
  return goesOn
}
const types = () => w.told.map((body) => body.type)
const restart = async () => {
  const { settings, armed, paused, gone } = w
  const left = w.kill()
  w.recover.dispose()
  w = await open(left, { settings, armed, paused, gone })
}

beforeEach(async () => {
  w = await open()
})
afterEach(() => {
  w.recover.dispose()
  w.outboxes.dispose()
})

describe('a session whose turn failed', () => {
  it('is left alone where its person broke the turn off, or writes', async () => {
    expect(w.recover.gaveUp('s1', failure({}), true)).toBe(false)
    w.recover.heard('zai.glm-5', true)
    await after(minute)
    expect(w.recover.of('s1').waits).toBeNull()
    expect(typed()).toEqual([])
  })

  it('goes on once, when what failed answers again, and counts as answered after', async () => {
    expect(await turn('s1', 'do it', 'fails')).toBe(true)
    expect(w.asked).toEqual(['zai.glm-5'])
    expect(w.recover.of('s1')).toEqual({ on: true, waits: { targets: ['zai.glm-5'], tryAt: null, tries: 0 } })
    await after(3 * hour)
    w.recover.heard('zai.glm-5', false)
    w.recover.heard('kimi.k2', true)
    await after(minute)
    expect(typed()).toEqual([])
    w.recover.heard('zai.glm-5', true)
    w.recover.heard('zai.glm-5', true)
    await after(minute)
    expect(typed()).toEqual([text])
    expect(w.asked).toEqual([])
    await turn('s1', text, 'answered')
    w.recover.heard('zai.glm-5', true)
    await after(hour)
    expect(typed()).toEqual([text])
    expect(w.recover.of('s1').waits).toBeNull()
  })

  it.each([
    ['its conversation was refused', { status: 400 }],
    ['its key is not taken', { status: 401 }],
    ['it may not', { status: 403 }],
    ['there is no such model', { status: 404 }],
    ['nobody does that', { status: 501 }],
  ])('is left alone where %s', async (_, change) => {
    expect(await turn('s1', 'do it', 'fails', change)).toBe(false)
    w.recover.heard('zai.glm-5', true)
    await after(hour)
    expect(typed()).toEqual([])
  })

  it.each([200, 408, 409, 429, 500, 502, 503, 504, 529])('goes on after %i', async (status) => {
    expect(await turn('s1', 'do it', 'fails', { status })).toBe(true)
    w.recover.heard('zai.glm-5', true)
    await after(minute)
    expect(typed()).toEqual([text])
  })

  it('is left alone where nothing is armed, unless it was switched on, and the other way round', async () => {
    w.armed.clear()
    expect(await turn('s1', 'do it', 'fails')).toBe(false)
    await w.recover.set('s1', true)
    expect(await turn('s1', 'again', 'fails')).toBe(true)
    await w.recover.set('s1', false)
    w.armed.add('tmux:s1')
    w.recover.heard('zai.glm-5', true)
    await after(minute)
    expect(await turn('s1', 'again', 'fails')).toBe(false)
    expect(typed()).toEqual([])
    w.settings.when = 'always'
    expect(await turn('s2', 'do it', 'fails')).toBe(true)
    w.settings.when = 'never'
    w.recover.heard('zai.glm-5', true)
    await after(minute)
    expect(typed('s2')).toEqual([])
  })

  it('is left alone when its goal was ended or its terminal closed meanwhile, and says so', async () => {
    await turn('s1', 'do it', 'fails')
    await turn('s2', 'do it', 'fails')
    w.armed.delete('tmux:s1')
    w.gone.add('s2')
    w.recover.heard('zai.glm-5', true)
    await after(minute)
    expect([typed('s1'), typed('s2')]).toEqual([[], []])
    expect(w.told.flatMap((body) => (body.type === 'recover-ended' ? [body.why] : []))).toEqual([
      'switched-off',
      'no-terminal',
    ])
  })

  it('is left alone when a person goes on first, also where the text waits in the queue already', async () => {
    await turn('s1', 'do it', 'fails')
    await turn('s1', 'my own words', 'answered')
    await turn('s2', 'do it', 'fails')
    w.target('tmux:s2').reading = { kind: 'hold', reason: { code: 'draft' } }
    w.recover.heard('zai.glm-5', true)
    await after(minute)
    await turn('s2', 'my own words', 'answered')
    w.target('tmux:s2').reading = { kind: 'ready', bracketedPaste: true }
    await after(hour)
    expect([typed('s1'), typed('s2')]).toEqual([[], []])
  })

  it('waits while it is paused, and goes on after', async () => {
    await turn('s1', 'do it', 'fails')
    w.paused.add('s1')
    w.recover.heard('zai.glm-5', true)
    await after(hour)
    expect(typed()).toEqual([])
    w.paused.delete('s1')
    await after(minute)
    expect(typed()).toEqual([text])
  })

  it('comes back after the one before it, where a pause of all ends', async () => {
    await turn('s1', 'do it', 'fails')
    await turn('s2', 'do it', 'fails')
    w.paused.add('s1').add('s2')
    w.recover.heard('zai.glm-5', true)
    await after(hour)
    w.paused.clear()
    const back: number[] = []
    for (let at = 0; at < 30; at++) {
      await after(second)
      if (typed('s1').length + typed('s2').length > back.length) back.push(at)
    }
    expect(back).toHaveLength(2)
    expect((back[1] ?? 0) - (back[0] ?? 0)).toBeGreaterThanOrEqual(3)
  })

  it('comes back after the one before it, where one provider brings several', async () => {
    await turn('s1', 'do it', 'fails')
    await turn('s2', 'do it', 'fails')
    w.recover.heard('zai.glm-5', true)
    await after(second)
    expect([typed('s1'), typed('s2')]).toEqual([[text], []])
    await after(5 * second)
    expect([typed('s1'), typed('s2')]).toEqual([[text], [text]])
  })
})

describe('a session whose context is full', () => {
  const full = { status: 400, full: true } as const
  const compacts = async () => {
    const outbox = await w.outboxes.of('tmux:s1')
    const request = { kind: 'compaction', lastUserTexts: null, hasNewMainTurn: false } as const
    outbox.requestEnded(await w.begin('', { scope: 'tmux:s1', ...request }))
    w.recover.compacted('s1')
    await after(minute)
  }

  it('makes room by its agent’s command and goes on, without a word of its provider', async () => {
    expect(await turn('s1', 'do it', 'fails', full)).toBe(true)
    await after(minute)
    expect(typed()).toEqual(['/compress'])
    await after(hour)
    expect(typed()).toEqual(['/compress'])
    await compacts()
    await compacts()
    expect(typed()).toEqual(['/compress', text])
    await turn('s1', text, 'answered')
    expect(await turn('s1', 'do more', 'fails', full)).toBe(true)
  })

  it('says nothing after a compaction that it did not ask for', async () => {
    await turn('s1', 'do it', 'fails')
    w.recover.compacted('s1')
    await after(second)
    expect(typed()).toEqual([])
  })

  it('goes on with its text alone where the agent makes room by itself', async () => {
    expect(await turn('s2', 'do it', 'fails', full)).toBe(true)
    await after(second)
    expect(typed('s2')).toEqual([text])
  })

  it('asks a person where it is full again after that', async () => {
    await turn('s1', 'do it', 'fails', full)
    await after(minute)
    await compacts()
    expect(await turn('s1', text, 'fails', full)).toBe(false)
    await after(hour)
    expect(typed()).toEqual(['/compress', text])
  })

  it('is left alone where a person goes on before there is room', async () => {
    await turn('s1', 'do it', 'fails', full)
    await after(minute)
    await turn('s1', 'my own words', 'runs')
    await compacts()
    expect(typed()).toEqual(['/compress'])
    expect(types()).toContain('recover-ended')
  })

  it('goes on after a restart in between', async () => {
    await turn('s1', 'do it', 'fails', full)
    await after(minute)
    await restart()
    await compacts()
    expect(typed()).toEqual(['/compress', text])
  })
})

describe('how often', () => {
  const failsAgain = async () => {
    const goesOn = await turn('s1', text, 'fails')
    w.recover.heard('zai.glm-5', true)
    await after(minute)
    return goesOn
  }

  it('an outage ends in a question after its cap, and an answered turn begins anew', async () => {
    expect([await failsAgain(), await failsAgain(), await failsAgain(), await failsAgain()]).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(types().filter((type) => type === 'recover-ended')).toHaveLength(1)
    expect(typed()).toHaveLength(3)
    await turn('s1', 'my own words', 'answered')
    expect([await failsAgain(), await failsAgain(), await failsAgain()]).toEqual([true, true, false])
    expect(typed()).toHaveLength(5)
    await turn('s1', 'my own words', 'answered')
    await after(25 * hour)
    expect(await failsAgain()).toBe(true)
  })

  it('it tries by itself, less and less often, where only the client has a login', async () => {
    const login = { tried: [{ provider: 'login', model: 'opus', keyAlias: null, status: 529, code: '529' }] }
    await turn('s1', 'do it', 'fails', login)
    await turn('s2', 'do it', 'fails', login)
    expect(w.asked).toEqual([])
    await after(14 * second)
    expect([typed('s1'), typed('s2')]).toEqual([[], []])
    await after(2 * second)
    expect([typed('s1'), typed('s2')]).toEqual([[text], []])
    expect(await turn('s1', text, 'fails', login)).toBe(true)
    await after(50 * second)
    expect([typed('s1'), typed('s2')]).toEqual([[text], []])
    await after(12 * second)
    expect(typed('s2')).toEqual([text])
    w.recover.heard('login.opus', true)
    await after(minute)
    expect([typed('s1'), typed('s2')]).toEqual([[text, text], [text]])
  })

  it('it tries soon after a sleep that was longer than its wait', async () => {
    const login = { tried: [{ provider: 'login', model: 'opus', keyAlias: null, status: 529, code: '529' }] }
    await turn('s1', 'do it', 'fails', login)
    for (let tries = 1; tries < 3; tries++) {
      await after(5 * minute)
      await turn('s1', text, 'fails', login)
    }
    expect(typed('s1')).toHaveLength(2)
    await after(10 * second)
    w.clock.sleep(8 * hour)
    await after(16 * second)
    expect(typed('s1')).toHaveLength(3)
  })
})

describe('after a restart', () => {
  it('it goes on as it would have, once', async () => {
    await turn('s1', 'do it', 'fails')
    await restart()
    expect(w.asked).toEqual(['zai.glm-5'])
    w.recover.heard('zai.glm-5', true)
    await after(minute)
    await restart()
    w.recover.heard('zai.glm-5', true)
    await after(hour)
    expect(typed()).toEqual([text])
  })

  it.each(['crash', 'crash-after', 'fail', 'fail-after'] as const)('it is typed once: %s', async (fate) => {
    await turn('s1', 'do it', 'fails')
    await after(minute)
    let left = 1
    w.disk.fate = (path) => (path === 'recover.json' && left-- > 0 ? fate : 'ok')
    w.recover.heard('zai.glm-5', true)
    await after(minute)
    await restart()
    w.disk.fate = () => 'ok'
    w.recover.heard('zai.glm-5', true)
    await after(hour)
    expect(typed()).toEqual([text])
  })

  it('a switch is as it was; a file of a newer version types nothing and is kept', async () => {
    w.armed.clear()
    await w.recover.set('s1', true)
    await restart()
    expect(w.recover.of('s1').on).toBe(true)
    w.disk.files.set('recover.json', '{"switches": 7}')
    await restart()
    expect(types()).toEqual(['store-problem'])
    await expect(w.recover.set('s1', true)).rejects.toThrow()
    expect(w.disk.files.get('recover.json')).toBe('{"switches": 7}')
  })
})
