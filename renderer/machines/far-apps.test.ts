import { describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { MachineState } from '../../shared/machines.ts'
import type { FleetMember } from '../../shared/fleet.ts'
import type { EngineUpdate } from '../../shared/state.ts'
import type { App } from '../app-context.ts'
import { emptyEngine, type EngineState } from '../state/engine.ts'
import type { Place } from '../state/place.ts'
import { createUiStore } from '../state/ui.ts'
import { session, status } from '../testing/views.ts'
import { wordsOf } from '../testing/words.ts'
import { farApps } from './far-apps.ts'

const there: MachineState = { kind: 'there', since: 1, version: '1' }
const away: MachineState = {
  kind: 'away',
  since: 5,
  seen: true,
  why: { code: 'machine-line-lost', message: 'It broke.' },
  nextTryAt: 9,
}
const shown: Place = { view: 'sessions', selection: { kind: 'session', id: 'a', tab: 'timeline', machine: 'box' } }

function page(state: MachineState = there, fleet?: FleetMember) {
  const known = (now: MachineState) => [
    {
      name: 'box',
      target: 'box',
      state: now,
      sessions: [session({ id: 'a', terminalId: 't' })],
      ...(fleet && { fleet }),
    },
  ]
  const engine = createStore<EngineState>(() => ({ ...emptyEngine, link: { kind: 'live' }, machines: known(state) }))
  const ui = createUiStore()
  const asked: unknown[] = []
  const follows: { onData(update: EngineUpdate): void; onComplete(): void; over: boolean }[] = []
  const waiting: (() => void)[] = []
  const went: Place[] = []
  const said: string[] = []
  const client = {
    callThere: {
      async mutate(what: unknown) {
        asked.push(what)
        return fleet ? { kind: 'waits', until: 7 } : []
      },
    },
    followThere: {
      subscribe(what: unknown, handlers: Pick<(typeof follows)[number], 'onData' | 'onComplete'>) {
        asked.push(what)
        const one = { ...handlers, over: false }
        follows.push(one)
        return { unsubscribe: () => void (one.over = true) }
      },
    },
  }
  const navigation = { go: (place: Place) => void went.push(place), replace: () => undefined }
  const here = { engine, ui, navigation, clock: { now: () => 0 } } as unknown as App
  const far = farApps({
    here,
    client: () => client as never,
    toasts: { info: (text: string) => said.push(text) } as never,
    words: () => wordsOf('en'),
    clipboard: null,
    after: (_ms, run) => void waiting.push(run),
  })('box')
  return {
    far,
    ui,
    asked,
    follows,
    went,
    said,
    become: (now: MachineState) => engine.setState({ machines: known(now) }),
    pass: () => waiting.splice(0).forEach((run) => run()),
  }
}
const snapshot: EngineUpdate = { type: 'snapshot', status: status(), sessions: [session({ id: 'b' })], terminals: [] }

describe('the page for another machine', () => {
  it('shows what is known here until its engine tells more, and follows that while it is shown', () => {
    const { far, ui, asked, follows, pass } = page()
    expect([...far.engine.getState().sessions.keys()]).toEqual(['a'])
    expect(follows).toEqual([])
    ui.setState({ place: shown })
    expect(asked).toContainEqual({ machine: 'box', operation: 'follow', input: undefined })
    follows[0]?.onData(snapshot)
    pass()
    expect([...far.engine.getState().sessions.keys()]).toEqual(['b'])
    ui.setState({ place: { view: 'settings' } })
    expect(follows.map(({ over }) => over)).toEqual([true])
    // what is known here is all that is known by now
    expect([...far.engine.getState().sessions.keys()]).toEqual(['a'])
  })

  it('is asked for one subject alone where a list is of all machines, and for nothing once that is left', () => {
    const { far, ui, asked, follows, pass } = page()
    const of = (input: string) => ({ machine: 'box', operation: 'followSubject', input })
    for (const [view, subject] of [
      ['alarms', 'alarms'],
      ['providers', 'providers'],
      ['activity', 'turn'],
    ] as const) {
      ui.setState({ place: { view } })
      expect(asked.at(-1)).toEqual(of(subject))
    }
    follows[2]?.onData({ ...snapshot, sessions: [] })
    pass()
    expect(far.engine.getState().snapshots).toBe(1)
    expect([...far.engine.getState().sessions.keys()]).toEqual(['a'])
    ui.setState({ place: { view: 'alarms', machine: 'local' } })
    expect(follows.map(({ over }) => over)).toEqual([true, true, true])
  })

  it('asks there, and goes to its places', async () => {
    const { far, asked, went } = page()
    await far.actions.pause('a')
    expect(asked).toEqual([{ machine: 'box', operation: 'pause', input: 'a' }])
    far.navigation.go({ view: 'alarms' })
    far.navigation.go({ view: 'settings' })
    expect(went).toEqual([{ view: 'alarms', machine: 'box' }, { view: 'settings' }])
  })

  it('says since when its machine is away, and follows it again when it is back', () => {
    const { far, ui, follows, become, pass } = page()
    ui.setState({ place: shown })
    become(away)
    expect(far.engine.getState().link).toEqual({ kind: 'stopped', at: 5, retryAt: 9 })
    expect(follows.map(({ over }) => over)).toEqual([true])
    become({ ...there, since: 12 })
    expect(far.engine.getState().link).toEqual({ kind: 'live' })
    expect(follows).toHaveLength(2)
    // one that ends though the machine is there is followed again, but not in a tight circle
    follows[1]?.onComplete()
    expect(follows).toHaveLength(2)
    pass()
    expect(follows).toHaveLength(3)
  })

  it('takes for an engine of a fleet that is away what may wait at the hub, and says so', async () => {
    const why = { code: 'fleet-engine-away', message: 'gone' }
    const gone: MachineState = { ...away, why, nextTryAt: null }
    const { far, said } = page(gone, { name: 'lab', rights: ['look', 'say'], refused: ['say'] })
    expect(far.engine.getState()).toMatchObject({ link: { kind: 'stopped', kept: true }, rights: ['look'] })
    await far.actions.say('a', 'hi')
    expect(said).toEqual([expect.stringMatching(/^box is away\. This waits at the hub until .*, and is taken/)])
    // one that answers with the same words is taken at them
    await far.actions.pause('a')
    expect(said).toHaveLength(1)
  })
})
