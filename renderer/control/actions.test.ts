import { describe, expect, it } from 'vitest'
import { wordsOf } from '../testing/words.ts'
import { createToasts } from '../parts/toasts.ts'
import type { ActionDeps } from './action-deps.ts'
import { createActions } from './actions.ts'
import type { ControlClient } from './socket.ts'

type Actions = ReturnType<typeof createActions>

/** A connection that keeps what it is asked, by name of the operation; or none. */
function scene({ connected = true } = {}) {
  const asked: [string, unknown][] = []
  const call = (name: string) => async (input: unknown) => void asked.push([name, input])
  const client = new Proxy({}, { get: (_, name) => ({ mutate: call(String(name)), query: call(String(name)) }) })
  const deps: ActionDeps = {
    client: () => (connected ? (client as ControlClient) : null),
    toasts: createToasts(() => () => undefined),
    words: () => wordsOf('en'),
    now: () => 0,
    clipboard: null,
    onRouting: () => undefined,
    onServertools: () => undefined,
    onChecks: () => undefined,
  }
  return { asked, actions: createActions(deps) }
}

const goal = { session: 's', text: 'go on' }
/** Each action that asks for one thing: what is pressed, and what the engine is asked for. */
const pressed: readonly [string, (actions: Actions) => Promise<unknown>, string, unknown][] = [
  ['pause', (a) => a.pause('s'), 'pause', 's'],
  ['pause all', (a) => a.pause(null), 'pause', null],
  ['resume', (a) => a.resume('s'), 'resume', 's'],
  ['resume all', (a) => a.resume(null), 'resume', null],
  ['arm', (a) => a.arm(goal), 'setStopMessage', goal],
  ['re-arm', (a) => a.reArm('s'), 'rearmStopMessage', 's'],
  ['carry on', (a) => a.carryOn('s'), 'carryOnStopMessage', 's'],
  ['start', (a) => a.startGoal('s'), 'startStopMessage', 's'],
  ['add rounds', (a) => a.addRounds('s', 10), 'addRounds', { session: 's', rounds: 10 }],
  ['apply a marker', (a) => a.applyMarker('s', 'm'), 'applyMarker', { session: 's', marker: 'm' }],
  ['forget a marker', (a) => a.forgetMarker('s', 'm'), 'forgetMarker', { session: 's', marker: 'm' }],
  ['say', (a) => a.say('s', 'hello'), 'say', { session: 's', text: 'hello' }],
  ['send now', (a) => a.sendEntryNow('f'), 'sendEntryNow', 'f'],
  ['move up', (a) => a.moveEntry('f', 'e'), 'moveEntry', { entryId: 'f', beforeEntryId: 'e' }],
  ['rename', (a) => a.rename('s', 'n'), 'renameSession', { session: 's', name: 'n' }],
  ['pin', (a) => a.pin('s', true), 'pinSession', { session: 's', pinned: true }],
  ['unpin', (a) => a.pin('s', false), 'pinSession', { session: 's', pinned: false }],
  ['recover', (a) => a.setRecover('s', true), 'setRecover', { session: 's', on: true }],
  ['keep bodies', (a) => a.keepBodies('s', true), 'setCapture', { session: 's', on: true }],
  ['close a terminal', (a) => a.closeTerminal('t'), 'closeTerminal', 't'],
  ['sign out', (a) => a.signOutWindows(), 'signOutWindows', undefined],
  ['a time', (a) => a.readTime('in 5 min'), 'readTime', 'in 5 min'],
  ['rounds', (a) => a.rounds('s'), 'rounds', 's'],
  ['dismiss all', (a) => a.dismissAllMissed(), 'dismissAllMissed', undefined],
  ['test a place', (a) => a.testOutside('ntfy'), 'testOutside', 'ntfy'],
]

describe('what a person presses', () => {
  it.each(pressed)('%s asks the engine for it, and for nothing else', async (_name, press, operation, input) => {
    const { asked, actions } = scene()
    await press(actions)
    expect(asked).toEqual([[operation, input]])
  })

  it('says that there is no connection instead of asking nobody', async () => {
    const { actions } = scene({ connected: false })
    expect(await actions.say('s', 'hello')).toMatchObject({ ok: false, problem: { code: 'offline' } })
  })
})
