import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { MachineView } from '../../shared/machines.ts'
import type { SessionView } from '../../shared/state.ts'
import { sessionShapes } from '../../shared/words.ts'
import { everySession, fleetFilter, groupIds, type GroupId } from '../state/ui.ts'
import { session, terminal } from '../testing/views.ts'
import { listItems, nameOf, type ListQuery } from './list-items.ts'
import { runs } from '../../shared/testing/runs.ts'

const query = (over: Partial<ListQuery> = {}): ListQuery => ({
  text: '',
  filter: everySession,
  collapsed: new Set(),
  selected: null,
  ...over,
})
const of = (sessions: SessionView[], over: Partial<ListQuery> = {}, terminals: Parameters<typeof listItems>[1] = []) =>
  listItems(sessions, terminals, query(over)).items.map((item) =>
    item.kind === 'head' ? `${item.group} ${item.count}` : nameOf(item),
  )

describe('the session list', () => {
  it('puts what needs a person first, then what failed', () => {
    const sessions = (['done', 'idle', 'paused', 'held', 'working', 'failed', 'needs'] as const).map((shape) =>
      session({ id: shape, shape }),
    )
    expect(of(sessions)).toEqual([
      'needs 1',
      'needs',
      'failed 1',
      'failed',
      'working 2',
      'held',
      'working',
      'idle 2',
      'idle',
      'paused',
      'done 1',
      'done',
    ])
  })

  it('has the sessions of other machines among its own, found by the machine, too', () => {
    const machines: MachineView[] = [
      {
        name: 'devbox',
        target: 'devbox',
        state: { kind: 'there', since: 1, version: '1' },
        sessions: [
          session({ id: 'far', shape: 'needs' }),
          session({ id: 'own' }),
          session({ id: 'x', archived: true }),
        ],
      },
      {
        name: 'gpu',
        target: 'gpu',
        state: { kind: 'connecting' },
        fleet: { name: 'lab' },
        sessions: [session({ id: 'late' })],
      },
    ]
    expect(of([session({ id: 'own' })], { machines })).toEqual(['needs 1', 'far', 'idle 3', 'own', 'late', 'own'])
    const { items } = listItems([session({ id: 'own' })], [], query({ machines }))
    expect(items.flatMap((item) => (item.kind === 'far' ? [item.key] : []))).toEqual([
      'far:devbox:far',
      'far:devbox:own',
      'far:gpu:late',
    ])
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
    expect(of([session({ id: 'own' })], { machines, text: 'devbox' })).toEqual(['needs 1', 'far', 'idle 1', 'own'])
    const only = (machine: string) => of([session({ id: 'here' })], { machines, filter: { ...everySession, machine } })
    for (const wanted of ['gpu', fleetFilter('lab')]) expect(only(wanted)).toEqual(['idle 1', 'late'])
    // this one
    expect(only('')).toEqual(['idle 1', 'here'])
    const sorted = { ...everySession, sort: 'machine' } as const
    expect(of([session({ id: 'z' })], { machines, filter: sorted }).slice(-3)).toEqual(['z', 'own', 'late'])
  })

  it('leaves empty groups out and closes others without losing their count', () => {
    expect(
      of([session({ id: 'a' }), session({ id: 'b', shape: 'done' })], { collapsed: new Set<GroupId>(['idle']) }),
    ).toEqual(['idle 1', 'done 1', 'b'])
  })

  it('orders by last activity, but keeps working rows where they are', () => {
    const idle = [session({ id: 'old', lastActivityAt: 1 }), session({ id: 'new', lastActivityAt: 2 })]
    expect(of(idle)).toEqual(['idle 2', 'new', 'old'])
    const busy = [
      session({ id: 'first', shape: 'working', startedAt: 1, lastActivityAt: 9 }),
      session({ id: 'second', shape: 'working', startedAt: 2, lastActivityAt: 1 }),
    ]
    expect(of(busy)).toEqual(['working 2', 'second', 'first'])
  })

  it('puts pinned sessions first in their group', () =>
    expect(of([session({ id: 'a', lastActivityAt: 5 }), session({ id: 'b', pinned: true })])).toEqual([
      'idle 2',
      'b',
      'a',
    ]))

  it('leaves archived sessions out until they are asked for', () => {
    const some = [session({ id: 'kept' }), session({ id: 'away', archived: true, lastActivityAt: 1 })]
    expect(of(some)).toEqual(['idle 1', 'kept'])
    expect(of(some, { selected: 'session:away' })).toEqual(['idle 1', 'kept'])
    expect(of(some, { filter: { ...everySession, archived: true } })).toEqual(['idle 2', 'away', 'kept'])
  })

  it('sorts by name and by folder', () => {
    const some = [session({ id: 'b', cwd: '/1' }), session({ id: 'a', cwd: '/2' })]
    expect(of(some, { filter: { ...everySession, sort: 'name' } })).toEqual(['idle 2', 'a', 'b'])
    expect(of(some, { filter: { ...everySession, sort: 'folder' } })).toEqual(['idle 2', 'b', 'a'])
  })

  it('searches names, folders, agents and models, every word of the query', () => {
    const some = [
      session({ id: 'billing', model: 'kimi-k2' }),
      session({ id: 'docs', client: 'codex', cwd: '/code/site' }),
      session({ id: 'x', route: { provider: 'zai', model: 'glm-5' } }),
    ]
    expect(of(some, { text: 'KIMI' })).toEqual(['idle 1', 'billing'])
    expect(of(some, { text: 'codex site' })).toEqual(['idle 1', 'docs'])
    expect(of(some, { text: 'glm' })).toEqual(['idle 1', 'x'])
    expect(of(some, { text: 'nothing' })).toEqual([])
  })

  it('finds what a session is told and what waits for it', () => {
    const goal = { text: 'Migrate the invoices', used: 1, max: 3, review: false, clearedAt: 0, clearedBy: 'user' }
    const alarm = { taskId: 't', dueAt: 1, task: 'look at the nightly build', waiting: 1 }
    const some = [session({ id: 'told', lastStopMessage: goal }), session({ id: 'rings', nextAlarm: alarm })]
    expect(of(some, { text: 'invoices' })).toEqual(['idle 1', 'told'])
    expect(of(some, { text: 'nightly' })).toEqual(['idle 1', 'rings'])
  })

  it('hides ended sessions, counts them, and keeps the one a person looks at', () => {
    const some = [session({ id: 'a', shape: 'gone' }), session({ id: 'b' })]
    expect(listItems(some, [], query()).hiddenEnded).toBe(1)
    expect(of(some)).toEqual(['idle 1', 'b'])
    expect(of(some, { selected: 'session:a' })).toEqual(['idle 1', 'b', 'ended 1', 'a'])
    expect(of(some, { filter: { ...everySession, ended: true } })).toEqual(['idle 1', 'b', 'ended 1', 'a'])
  })

  it('filters by what is armed, what is paused, and by agent', () => {
    const stopMessage = {
      text: 'go',
      used: 0,
      max: 3,
      review: false,
      status: { kind: 'armed' as const },
      armedAt: 0,
      lastUsedAt: null,
    }
    const some = [
      session({ id: 'armed', stopMessage }),
      session({ id: 'paused', shape: 'paused' }),
      session({ id: 'codex', client: 'codex' }),
    ]
    expect(of(some, { filter: { ...everySession, show: 'armed' } })).toEqual(['idle 1', 'armed'])
    expect(of(some, { filter: { ...everySession, show: 'paused' } })).toEqual(['idle 1', 'paused'])
    expect(of(some, { filter: { ...everySession, agent: 'codex' } })).toEqual(['idle 1', 'codex'])
  })

  it('shows a terminal until its first turn gives it a session', () => {
    expect(
      of([], {}, [
        terminal({ id: 'fresh' }),
        terminal({ id: 'known', sessionId: 's' }),
        terminal({ id: 'ended', alive: false }),
      ]),
    ).toEqual(['idle 1', 'fresh'])
  })

  it('puts a terminal whose agent asks before its first turn among those that need you', () => {
    const fresh = session({ id: 'fresh', shape: 'needs' })
    expect(of([], {}, [terminal({ id: 'fresh', fresh })])).toEqual(['needs 1', 'fresh'])
  })

  it('shows every session exactly once, whatever its state and the order', () => {
    const sessions = fc.uniqueArray(
      fc.record({
        id: fc.string({ minLength: 1 }),
        shape: fc.constantFrom(...sessionShapes),
        pinned: fc.boolean(),
        lastActivityAt: fc.nat(),
      }),
      { selector: (s) => s.id },
    )
    fc.assert(
      fc.property(sessions, fc.constantFrom('recent' as const, 'name' as const, 'folder' as const), (views, sort) => {
        const { items, total } = listItems(
          views.map((v) => session(v)),
          [],
          query({ filter: { ...everySession, ended: true, sort } }),
        )
        const shown = items.flatMap((i) => (i.kind === 'session' ? [i.session.id] : []))
        expect(shown.toSorted()).toEqual(views.map((v) => v.id).toSorted())
        expect(total).toBe(views.length)
        const heads = items.flatMap((i) => (i.kind === 'head' ? [i.group] : []))
        expect(heads).toEqual(groupIds.filter((g) => heads.includes(g)))
      }),
      runs(100),
    )
  })
})
