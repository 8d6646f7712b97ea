import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gate } from '../base/work.ts'
import { silentLog } from '../base/log.ts'
import type { DocumentSpec } from '../store/types.ts'
import { isArchived, parseSession, sessionName } from './session-state.ts'
import { createSessionStore, type SessionChange } from './session-store.ts'
import { machine } from './testing/machine.ts'
import { runs } from '../../../shared/testing/runs.ts'

const born = { client: 'claude' as const }

function desk(limit?: number) {
  const on = machine()
  const sessions = createSessionStore({ store: on.store, clock: on.clock, log: silentLog, ...(limit ? { limit } : {}) })
  const restart = () =>
    createSessionStore({ store: on.newStore(), clock: on.clock, log: silentLog, ...(limit ? { limit } : {}) })
  return { ...on, sessions, restart }
}
const onDisk = (disk: ReturnType<typeof machine>['disk'], id: string) =>
  JSON.parse(disk.content.get(`/store/session-${id}.json`) ?? 'null')?.state

describe('counters', () => {
  it('are in memory at once and on the disk a second later, many in one write', async () => {
    const { sessions, clock, files, disk } = desk()
    await sessions.open('s1', born)
    for (let i = 0; i < 5; i++)
      sessions.note('s1', (facts) => ({ turns: facts.turns + 1, lastActivityAt: clock.now() + i }))
    expect(sessions.get('s1')).toMatchObject({ id: 's1', client: 'claude', turns: 5, startedAt: clock.now() })
    expect(files.writes).toHaveLength(0)
    await clock.advance(1000)
    expect(files.writes).toHaveLength(1)
    expect(onDisk(disk, 's1')).toMatchObject({ id: 's1', turns: 5 })
  })

  it('alone are written each five seconds at most, what tells who works where a second later', async () => {
    const { sessions, clock, files, disk } = desk()
    for (const id of ['s1', 's2']) await sessions.open(id, born)
    await clock.advance(1000)
    expect(files.writes).toHaveLength(2)
    for (let second = 1; second <= 4; second++) {
      for (const id of ['s1', 's2']) sessions.note(id, () => ({ turns: second, lastActivityAt: clock.now() }))
      await clock.advance(1000)
    }
    expect(files.writes).toHaveLength(2)
    sessions.note('s1', () => ({ turns: 5, model: 'another' }))
    await clock.advance(1000)
    expect(onDisk(disk, 's1')).toMatchObject({ turns: 5, model: 'another' })
    expect(onDisk(disk, 's2').turns).toBe(4)
    expect(files.writes).toHaveLength(4)
    await clock.advance(60_000)
    expect(files.writes).toHaveLength(4)
    expect(clock.pending()).toBe(0)
  })

  it('are tried again when they could not be written', async () => {
    const { sessions, clock, files, disk } = desk()
    await sessions.open('s1', born)
    files.fail('ENOSPC', 'writeAtomic')
    sessions.note('s1', () => ({ turns: 1 }))
    await clock.advance(1000)
    expect(sessions.get('s1')?.turns).toBe(1)
    await expect(sessions.flush()).rejects.toMatchObject({ code: 'store-failed' })
    files.mend()
    await sessions.flush()
    expect(onDisk(disk, 's1').turns).toBe(1)
    expect(clock.pending()).toBe(0)
  })
})

describe('what a person sets', () => {
  it('is on the disk before it is answered', async () => {
    const { sessions, disk } = desk()
    await sessions.open('s1', born)
    expect(await sessions.choose('s1', () => ({ name: 'mine', pinned: true }))).toMatchObject({
      name: 'mine',
      pinned: true,
      paused: false,
    })
    expect(onDisk(disk, 's1')).toMatchObject({ name: 'mine', pinned: true })
  })
  it('is put away until its next turn, also by an engine that starts later', async () => {
    const { sessions, disk, clock } = desk()
    await sessions.open('s1', born)
    const away = await sessions.choose('s1', () => ({ archivedAt: clock.now() }))
    expect(isArchived(away)).toBe(true)
    expect(isArchived(parseSession(onDisk(disk, 's1')))).toBe(true)
    sessions.note('s1', ({ turns }) => ({ turns: turns + 1, lastActivityAt: clock.now() + 1 }))
    const back = sessions.get('s1')
    expect(back && isArchived(back)).toBe(false)
  })

  it('stays as it was when it can not be written, and nothing counted is lost', async () => {
    const { sessions, files, disk } = desk()
    await sessions.open('s1', born)
    await sessions.choose('s1', () => ({ paused: true }))
    files.fail('EROFS', 'writeAtomic')
    sessions.note('s1', () => ({ turns: 3 }))
    await expect(sessions.choose('s1', () => ({ paused: false }))).rejects.toMatchObject({
      code: 'store-failed',
      details: { system: 'EROFS' },
    })
    expect(sessions.get('s1')).toMatchObject({ paused: true, turns: 3 })
    files.mend()
    await sessions.flush()
    expect(onDisk(disk, 's1')).toMatchObject({ paused: true, turns: 3 })
  })

  it('does not lose routing markers to counters written at the same time', async () => {
    const { sessions, clock, disk, files } = desk()
    await sessions.open('s1', born)
    sessions.note('s1', () => ({ turns: 1 }))
    const release = files.hold()
    const choosing = sessions.choose('s1', () => ({ routing: { allow: ['glm'], prefer: null, disabled: ['anth'] } }))
    sessions.note('s1', () => ({ turns: 2 }))
    // the counters' write is queued while the choice's is under way
    await clock.advance(1000)
    release()
    await choosing
    await sessions.flush()
    expect(onDisk(disk, 's1')).toMatchObject({
      turns: 2,
      routing: { allow: ['glm'], prefer: null, disabled: ['anth'] },
    })
  })

  it('is refused for a session nobody knows', async () => {
    await expect(desk().sessions.choose('none', () => ({}))).rejects.toMatchObject({
      code: 'session-unknown',
      status: 404,
    })
  })

  it('never differs between memory, disk and what was answered, whatever happens in between', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('note' as const), turns: fc.nat(99) }),
      fc.record({ do: fc.constant('choose' as const), name: fc.string({ maxLength: 3 }), wait: fc.boolean() }),
      fc.record({ do: fc.constantFrom('fail' as const, 'mend' as const, 'tick' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const { sessions, files, clock, disk } = desk()
        await sessions.open('s', born)
        let name = ''
        let turns = 0
        const pending: Promise<unknown>[] = []
        for (const one of steps) {
          if (one.do === 'note') {
            turns = one.turns
            sessions.note('s', () => ({ turns: one.turns }))
          } else if (one.do === 'choose') {
            const work = sessions
              .choose('s', () => ({ name: one.name }))
              .then(
                () => {
                  name = one.name
                },
                () => undefined,
              )
            pending.push(work)
            if (one.wait) await work
          } else if (one.do === 'fail') files.fail('EIO', 'writeAtomic')
          else if (one.do === 'mend') files.mend()
          else await clock.advance(1000)
        }
        await Promise.all(pending)
        files.mend()
        await sessions.flush()
        expect(sessions.get('s')).toMatchObject({ name, turns })
        expect(onDisk(disk, 's')).toEqual(sessions.get('s'))
      }),
      runs(100),
    )
  })
})

describe('after a restart', () => {
  it('the newest sessions are in memory, older ones are found when they are asked for', async () => {
    const first = desk(2)
    for (const [i, id] of ['a', 'b', 'c'].entries()) {
      await first.sessions.open(id, born)
      first.sessions.note(id, () => ({ turns: i + 1, lastActivityAt: 1000 + i }))
      await first.sessions.flush()
    }
    expect(first.sessions.list().map(({ id }) => id)).toEqual(['c', 'b'])
    const sessions = first.restart()
    await sessions.load()
    expect(sessions.list()).toHaveLength(2)
    expect(await sessions.open('a', { client: 'codex' })).toMatchObject({
      id: 'a',
      client: 'claude',
      turns: 1,
      startedAt: first.clock.now(),
    })
  })

  it('a few sessions are read at once, many when it is time; until then one that is asked for is opened', async () => {
    const first = desk()
    const ids = Array.from({ length: 201 }, (_, i) => `s${i}`)
    for (const id of ids.slice(1)) await first.sessions.open(id, born)
    await first.sessions.flush()
    const never = gate().opened
    const few = first.restart()
    await few.load(never)
    expect(few.list()).toHaveLength(200)
    await first.sessions.open('s0', born)
    await first.sessions.choose('s0', () => ({ paused: true }))
    const time = gate()
    const many = first.restart()
    const loading = many.load(time.opened)
    expect(await many.open('s0', { client: 'codex' })).toMatchObject({ client: 'claude', paused: true })
    expect(many.list()).toHaveLength(1)
    time.open()
    await loading
    expect(many.list()).toHaveLength(201)
  })

  it('sessions that came to life while loading are kept', async () => {
    const first = desk()
    await first.sessions.open('old', born)
    await first.sessions.flush()
    const sessions = first.restart()
    const loading = sessions.load()
    await sessions.open('new', born)
    await sessions.open('old', born)
    sessions.note('old', () => ({ turns: 7 }))
    await loading
    expect(sessions.get('old')?.turns).toBe(7)
    expect(
      sessions
        .list()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['new', 'old'])
  })

  it('one unreadable session does not keep the others, nor its own turns', async () => {
    const first = desk()
    await first.sessions.open('good', born)
    await first.sessions.flush()
    first.disk.content.set('/store/session-newer.json', '{"version":9,"state":{}}')
    first.disk.content.set('/store/session-bad.json', 'bad')
    const sessions = first.restart()
    await sessions.load()
    expect(sessions.list().map(({ id }) => id)).toEqual(['good'])
    expect(await sessions.open('newer', born)).toMatchObject({ id: 'newer', turns: 0 })
    sessions.note('newer', () => ({ turns: 1 }))
    await expect(sessions.choose('newer', () => ({ name: 'x' }))).rejects.toMatchObject({ code: 'store-newer' })
    expect(sessions.get('newer')).toMatchObject({ turns: 1, name: '' })
    expect(first.disk.content.get('/store/session-newer.json')).toBe('{"version":9,"state":{}}')
  })
})

describe('a session that the engine found at its start', () => {
  /** two sessions of an engine before, and the documents that are opened from now on */
  async function found() {
    const first = desk()
    for (const id of ['a', 'b']) await first.sessions.open(id, born)
    await first.sessions.choose('a', () => ({ pinned: true }))
    await first.sessions.flush()
    const documents: string[] = []
    const store = first.newStore()
    const watched = {
      ...store,
      document: <T>(spec: DocumentSpec<T>) => {
        documents.push(spec.path)
        return store.document(spec)
      },
    }
    const sessions = createSessionStore({ store: watched, clock: first.clock, log: silentLog })
    await sessions.load()
    return { ...first, sessions, documents }
  }

  it('has a document once it changes, and one for all that change it', async () => {
    const { sessions, disk, documents } = await found()
    expect(sessions.list()).toHaveLength(2)
    expect(sessions.get('a')).toMatchObject({ pinned: true })
    expect(documents).toEqual([])
    sessions.note('a', () => ({ turns: 1, scope: 'tmux:x' }))
    await Promise.all([
      sessions.choose('a', () => ({ name: 'mine' })),
      sessions.choose('a', ({ name }) => ({ name: `${name}, renamed` })),
    ])
    await sessions.flush()
    expect(documents).toEqual(['session-a.json'])
    expect(onDisk(disk, 'a')).toMatchObject({ turns: 1, pinned: true, name: 'mine, renamed' })
  })

  it('keeps what a person set where its file is taken from under the engine', async () => {
    const { sessions, disk } = await found()
    disk.content.delete('/store/session-a.json')
    expect(await sessions.choose('a', () => ({ name: 'mine' }))).toMatchObject({ pinned: true, name: 'mine' })
    expect(onDisk(disk, 'a')).toMatchObject({ pinned: true, name: 'mine' })
  })

  it('is gone once it is removed, also for a turn of the same id', async () => {
    const { sessions, disk } = await found()
    await sessions.remove('a')
    expect([...disk.content.keys()]).toEqual(['/store/session-b.json'])
    expect(await sessions.open('a', born)).toMatchObject({ pinned: false })
  })

  it('is changed as soon as the disk answers again, and nothing counted is lost', async () => {
    const { sessions, disk, files, clock } = await found()
    files.fail('EIO', 'read')
    await expect(sessions.choose('a', () => ({ name: 'mine' }))).rejects.toMatchObject({ code: 'store-failed' })
    sessions.note('a', () => ({ turns: 3 }))
    await clock.advance(1000)
    expect(sessions.get('a')).toMatchObject({ turns: 3, name: '', pinned: true })
    files.mend()
    await sessions.choose('a', () => ({ name: 'mine' }))
    await sessions.flush()
    expect(onDisk(disk, 'a')).toMatchObject({ turns: 3, name: 'mine', pinned: true })
  })
})

describe('memory', () => {
  it('is bounded: the least active written ones go, pinned and unwritten ones stay', async () => {
    const { sessions } = desk(2)
    const removed: string[] = []
    sessions.onChange((change: SessionChange) => {
      if (change.type === 'removed') removed.push(change.id)
    })
    await sessions.open('pinned', born)
    await sessions.choose('pinned', () => ({ pinned: true }))
    await sessions.open('a', born)
    await sessions.open('b', born)
    await sessions.open('c', born)
    expect(removed).toEqual([])
    await sessions.flush()
    expect(removed).toEqual(['a', 'b'])
    expect(sessions.get('pinned')).not.toBeNull()
    expect(sessions.get('c')).not.toBeNull()
  })

  it('opens a session once for many that ask at the same time', async () => {
    const { sessions, disk } = desk()
    await Promise.all(Array.from({ length: 5 }, () => sessions.open('s', born)))
    sessions.note('s', (facts) => ({ turns: facts.turns + 1 }))
    await sessions.flush()
    expect(onDisk(disk, 's').turns).toBe(1)
  })

  it('removes a session with its file', async () => {
    const { sessions, disk } = desk()
    await sessions.open('s', born)
    await sessions.flush()
    await sessions.remove('s')
    expect(sessions.get('s')).toBeNull()
    expect([...disk.content.keys()]).toEqual([])
  })
})

describe('sessionName', () => {
  it.each([
    ['given', '/src/app', 'given'],
    ['', '/src/app/', 'app'],
    ['', 'C:\\src\\app', 'app'],
    ['', '/', '01234567'],
    ['', null, '01234567'],
  ])('of %j in %j is %s', async (name, cwd, shown) => {
    const { sessions } = desk()
    const session = await sessions.open('0123456789', born)
    expect(sessionName({ ...session, name, cwd })).toBe(shown)
  })
})
