import { describe, expect, it } from 'vitest'
import { settled } from '../../shared/testing/settled.ts'
import type { EngineUpdate } from '../../shared/state.ts'
import type { Link } from '../state/engine.ts'
import { status } from '../testing/views.ts'
import { batch } from './batch.ts'
import { connect } from './connect.ts'
import type { ControlClient, SocketHandlers } from './socket.ts'
import { forgetToken, keepToken, takeToken } from './token.ts'

const snapshot: EngineUpdate = { type: 'snapshot', status: status(), sessions: [], terminals: [] }

function scene() {
  let time = 1000
  const timers: { at: number; run: () => void }[] = []
  const sockets: (SocketHandlers & { disposed: boolean })[] = []
  const links: Link[] = []
  const updates: EngineUpdate[] = []
  let there = true
  const connection = connect({
    answers: async () => there,
    now: () => time,
    after(ms, run) {
      const timer = { at: time + ms, run }
      timers.push(timer)
      return () => {
        timers.splice(timers.indexOf(timer) >>> 0, 1)
      }
    },
    open(handlers) {
      const socket = { ...handlers, disposed: false }
      sockets.push(socket)
      return {
        client: {} as ControlClient,
        dispose: () => {
          socket.disposed = true
        },
      } // never called here
    },
    onLink: (link) => links.push(link),
    onUpdate: (update) => updates.push(update),
  })
  const last = () => {
    const socket = sockets.at(-1)
    if (!socket) throw new Error('no socket')
    return socket
  }
  return {
    connection,
    sockets,
    links,
    updates,
    last,
    gone(is: boolean) {
      there = !is
    },
    async advance(ms: number) {
      time += ms
      for (const timer of timers.filter((t) => t.at <= time)) {
        timers.splice(timers.indexOf(timer), 1)
        timer.run()
      }
      await settled()
    },
    waiting: () => timers.length,
  }
}

describe('the connection', () => {
  it('is live with the first update, not with the open socket', () => {
    const s = scene()
    expect(s.connection.client()).toBeNull()
    s.last().onUpdate(snapshot)
    expect(s.links).toEqual([{ kind: 'live' }])
    expect(s.connection.client()).not.toBeNull()
    expect(s.updates).toEqual([snapshot])
  })

  it('calls a goodbye a stop, keeps its instant and comes back', async () => {
    const s = scene()
    s.last().onUpdate(snapshot)
    s.last().onClose(1001)
    expect(s.links.at(-1)).toEqual({ kind: 'stopped', at: 1000, retryAt: 1300 })
    expect(s.connection.client()).toBeNull()
    await s.advance(300)
    s.last().onClose(1006)
    expect(s.links.at(-1)).toEqual({ kind: 'stopped', at: 1000, retryAt: 1550 })
    await s.advance(500)
    s.last().onUpdate(snapshot)
    expect(s.links.at(-1)).toEqual({ kind: 'live' })
    s.last().onClose(1006)
    expect(s.links.at(-1)).toMatchObject({ kind: 'lost', at: 1800 })
  })

  it('calls a broken connection lost, and stopped only after nobody answered twice', async () => {
    const s = scene()
    s.last().onUpdate(snapshot)
    const kinds = []
    for (let i = 0; i < 4; i++) {
      s.last().onClose(1006)
      kinds.push(s.links.at(-1)?.kind)
      await s.advance(5000)
    }
    expect(kinds).toEqual(['lost', 'lost', 'stopped', 'stopped'])
  })

  it('opens no socket while nothing answers, and one as soon as something does', async () => {
    const s = scene()
    s.last().onUpdate(snapshot)
    s.last().onClose(1001)
    s.gone(true)
    for (let i = 0; i < 30; i++) await s.advance(500)
    expect(s.sockets).toHaveLength(1)
    expect(s.links.at(-1)).toMatchObject({ kind: 'stopped', at: 1000 })
    s.gone(false)
    await s.advance(500)
    expect(s.sockets).toHaveLength(2)
  })

  it('does not try again with a token that was refused', () => {
    const s = scene()
    s.last().onClose(4401)
    expect(s.links).toEqual([{ kind: 'refused', token: 'wrong', at: 1000 }])
    expect(s.waiting()).toBe(0)
  })

  it('tries at once when asked, and only one socket lives', async () => {
    const s = scene()
    s.last().onClose(1006)
    s.connection.retryNow()
    await settled()
    expect(s.sockets).toHaveLength(2)
    expect(s.sockets[0]?.disposed).toBe(true)
    expect(s.waiting()).toBe(0)
    s.connection.retryNow()
    await settled()
    expect(s.sockets).toHaveLength(2)
  })

  it('hears nothing of an old socket', async () => {
    const s = scene()
    const old = s.last()
    old.onClose(1006)
    await s.advance(300)
    s.last().onUpdate(snapshot)
    old.onUpdate(snapshot)
    old.onClose(4401)
    expect(s.updates).toHaveLength(1)
    expect(s.links.at(-1)).toEqual({ kind: 'live' })
  })

  it('ends with its page', async () => {
    const s = scene()
    s.last().onClose(1006)
    s.connection.dispose()
    await s.advance(10_000)
    expect(s.sockets).toHaveLength(1)
  })
})

describe('updates', () => {
  it('reach the page in batches, in order, none lost', () => {
    const runs: (() => void)[] = []
    const flushed: number[][] = []
    const push = batch<number>(
      (items) => flushed.push([...items]),
      (run) => runs.push(run),
    )
    push(1)
    push(2)
    push(3)
    expect(runs).toHaveLength(1)
    runs.shift()?.()
    push(4)
    runs.shift()?.()
    expect(flushed).toEqual([[1, 2, 3], [4]])
  })
})

describe('the token', () => {
  const store = () => {
    const held = new Map<string, string>()
    return {
      held,
      getItem: (k: string) => held.get(k) ?? null,
      setItem: (k: string, v: string) => {
        held.set(k, v)
      },
      removeItem: (k: string) => {
        held.delete(k)
      },
    }
  }
  const fragment = (token: string | null) => ({ token, pair: null, path: '', newTerminal: false })

  it('is kept for the window and taken again after a reload', () => {
    const s = store()
    expect(takeToken(fragment(null), s)).toBeNull()
    expect(takeToken(fragment('t1.k1'), s)).toEqual({ id: 't1', key: 'k1' })
    expect(takeToken(fragment(null), s), 'a link is not kept').toBeNull()
    keepToken({ id: 'p1', key: 'q1' }, s)
    expect(takeToken(fragment(null), s)).toEqual({ id: 'p1', key: 'q1' })
    expect(takeToken(fragment('t2.k2'), s)).toEqual({ id: 't2', key: 'k2' })
    forgetToken(s)
    expect(takeToken(fragment(null), s)).toBeNull()
  })

  it('works without a store', () => expect(takeToken(fragment('t1.k1'), null)).toEqual({ id: 't1', key: 'k1' }))
})
