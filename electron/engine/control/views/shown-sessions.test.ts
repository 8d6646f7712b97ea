import { describe, expect, it } from 'vitest'
import type { SessionView } from '../../../../shared/state.ts'
import { session as view } from './testing/session.ts'
import { createShownSessions } from './shown-sessions.ts'

/** and how often all views were made */
function shownOf(...views: SessionView[]) {
  const made = { now: views, times: 0 }
  const shown = createShownSessions(() => {
    made.times++
    return made.now
  })
  return { made, shown, listed: () => Array.from(shown.list(), ({ id, turns }) => `${id} ${turns}`) }
}

describe('sessions as viewers were told', () => {
  it('are as they are before anybody looks', () => {
    const { listed, made } = shownOf(view('a'))
    expect(listed()).toEqual(['a 0'])
    made.now = [view('a', 1), view('b')]
    expect(listed()).toEqual(['a 1', 'b 0'])
  })
  it('change with what is told of one, and the others are not made anew', () => {
    const { shown, listed, made } = shownOf(view('a'), view('b'))
    expect(shown.begin()).toEqual([view('a'), view('b')])
    shown.tell('b', view('b', 1))
    shown.tell('c', view('c'))
    shown.tell('a', null)
    expect(listed()).toEqual(['b 1', 'c 0'])
    expect(made.times).toBe(1)
  })
  it('are made anew for the next viewer: nothing was told while there was none', () => {
    const { shown, listed, made } = shownOf(view('a'))
    shown.begin()
    made.now = [view('a', 5)]
    shown.begin()
    expect(listed()).toEqual(['a 5'])
  })
})
