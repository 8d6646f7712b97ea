import { describe, expect, it } from 'vitest'
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import type { RouteFact } from '../../../shared/routing.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { Scope } from '../../../shared/words.ts'
import type { Random } from '../base/ids.ts'
import { silentLog, type Log } from '../base/log.ts'
import { createRedactor, hidden, type Redactor } from '../secrets/redact.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { gate } from '../base/work.ts'
import { createStore } from '../store/create-store.ts'
import { faultyFiles } from '../store/testing/faulty-files.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { createTimeline, readRoute } from './timeline.ts'
import { createTurnRecords } from './turn-records.ts'

function bench() {
  const disk = memoryFiles()
  const files = faultyFiles(disk)
  const clock = virtualClock()
  const lines: string[] = []
  const say = (fields: Record<string, unknown>, message: string) => {
    lines.push(JSON.stringify({ message, ...fields }))
  }
  const log: Log = { ...silentLog, info: say, warn: say, error: say }
  let n = 0
  const random: Random = { uuid: () => `id${++n}`, token: () => 'token', fraction: () => 0 }
  const open = (limit?: number, readFrom?: Promise<void>, redactor?: () => Redactor) =>
    createTimeline({
      clock,
      random,
      files,
      log,
      root: '/r',
      ...(limit ? { limit } : {}),
      ...(readFrom ? { readFrom } : {}),
      ...(redactor ? { redactor } : {}),
    })
  return { disk, files, clock, lines, open }
}
const used = (n: number): EventBody => ({ type: 'used', used: n, max: null })
const usedOf = (events: readonly TimelineEvent[]) => events.map(({ body }) => (body.type === 'used' ? body.used : null))

describe('the timeline', () => {
  it('finds what was said, newest first, of one session or all, over a restart, and no code or id', async () => {
    const { open } = bench()
    const queued = (text: string): EventBody => ({
      type: 'queued',
      entryId: 'typed',
      source: 'user',
      text,
      round: null,
    })
    const first = await open()
    first.record({ sessionId: 'a' }, queued('Please mend the “Größe” of the\nmigration'))
    first.record({ sessionId: 'b' }, { type: 'needs-you', what: 'Run the migration?' })
    await first.flush()
    const timeline = await open()
    timeline.record({ sessionId: 'a' }, { type: 'typed', entryId: 'migration' })
    timeline.record({ sessionId: 'a' }, queued(`${'so '.repeat(60)}MIGRATION "quoted"${' and'.repeat(60)}`))
    const find = async (words: string, session: string | null = null, limit = 9) =>
      (await timeline.find({ words, session, limit })).map(({ event, excerpt }) => [event.seq, excerpt])
    expect(await find('Migration')).toEqual([
      [4, expect.stringMatching(/^…so (so )+MIGRATION "quoted"( and)+( an?)?…$/)],
      [2, 'Run the migration?'],
      [1, 'Please mend the “Größe” of the migration'],
    ])
    expect((await find('migration', 'a')).map(([seq]) => seq)).toEqual([4, 1])
    expect((await find('migration', null, 1)).map(([seq]) => seq)).toEqual([4])
    expect((await find('GRÖSSE')).concat(await find('größe')).map(([seq]) => seq)).toEqual([1])
    expect((await find('migration "q')).map(([seq]) => seq)).toEqual([4])
    expect(await find('typed')).toEqual([])
    expect(await find('needs-you')).toEqual([])
  })

  it('fills in id, number and time, and tells its listeners the same', async () => {
    const { clock, open } = bench()
    const timeline = await open()
    const told: TimelineEvent[] = []
    timeline.onEvent((event) => told.push(event))
    timeline.record({ sessionId: 's', scope: 'tmux:m', requestId: 'r' }, used(1))
    timeline.record({}, used(2))
    expect(told).toEqual([
      { id: 'id1', seq: 1, at: clock.now(), sessionId: 's', scope: 'tmux:m', requestId: 'r', body: used(1) },
      { id: 'id2', seq: 2, at: clock.now(), sessionId: null, scope: null, requestId: null, body: used(2) },
    ])
    expect(timeline.list({ session: null, limit: 10 })).toEqual(told)
  })

  it('tells, keeps and writes nothing with a secret', async () => {
    const { disk, open } = bench()
    const timeline = await open(undefined, undefined, () => createRedactor(['a-long-secret']))
    const told: TimelineEvent[] = []
    timeline.onEvent((event) => told.push(event))
    const body: EventBody = { type: 'needs-you', what: 'is it\na-long-secret?' }
    timeline.record({ sessionId: 's' }, body)
    timeline.record({ sessionId: 's' }, used(1))
    await timeline.flush()
    expect(told.map((event) => event.body)).toEqual([{ type: 'needs-you', what: `is it\n${hidden}?` }, used(1)])
    expect(timeline.list({ session: 's', limit: 9 })).toEqual(told)
    expect(disk.content.get('/r/timeline.jsonl')).toBe(told.map((event) => `${JSON.stringify(event)}\n`).join(''))
    expect(body.what).toContain('a-long-secret')
  })

  it('pages backwards, of one session or of all, the oldest of a page first', async () => {
    const timeline = await bench().open()
    for (let n = 1; n <= 10; n++) timeline.record({ sessionId: n % 2 ? 'odd' : 'even' }, used(n))
    expect(usedOf(timeline.list({ session: null, limit: 3 }))).toEqual([8, 9, 10])
    const page = timeline.list({ session: 'odd', limit: 2 })
    expect(usedOf(page)).toEqual([7, 9])
    expect(usedOf(timeline.list({ session: 'odd', limit: 2, beforeSeq: page[0]?.seq }))).toEqual([3, 5])
    expect(timeline.list({ session: 'none', limit: 2 })).toEqual([])
  })

  it('goes on after a restart: earlier events are there, numbers go up', async () => {
    const { open } = bench()
    const first = await open()
    for (let n = 1; n <= 5; n++) first.record({ sessionId: 's' }, used(n))
    await first.flush()
    const second = await open()
    second.record({ sessionId: 's' }, used(6))
    await second.loaded
    const events = second.list({ session: 's', limit: 10 })
    expect(usedOf(events)).toEqual([1, 2, 3, 4, 5, 6])
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('reads earlier events when it is time, and knows their last number before', async () => {
    const { clock, open } = bench()
    const first = await open()
    for (let n = 1; n <= 3; n++) first.record({}, used(n))
    await first.flush()
    const time = gate()
    const second = await open(10, time.opened)
    second.record({}, used(4))
    await clock.advance(1000)
    expect(second.list({ session: null, limit: 10 })).toMatchObject([{ seq: 4 }])
    time.open()
    await second.loaded
    expect(usedOf(second.list({ session: null, limit: 10 }))).toEqual([1, 2, 3, 4])
  })

  it('keeps the newest in memory, also those loaded', async () => {
    const { open } = bench()
    const first = await open(10)
    for (let n = 1; n <= 100; n++) first.record({}, used(n))
    expect(usedOf(first.list({ session: null, limit: 500 }))).toEqual([91, 92, 93, 94, 95, 96, 97, 98, 99, 100])
    await first.flush()
    const second = await open(10)
    await second.loaded
    expect(usedOf(second.list({ session: null, limit: 500 }))).toEqual([91, 92, 93, 94, 95, 96, 97, 98, 99, 100])
  })

  it('loses nothing that waits for a full disk when newer events take its place in memory', async () => {
    const { disk, files, clock, open } = bench()
    const timeline = await open(50)
    files.fail('ENOSPC', 'append')
    // some chunks of lines: all but the newest are given up in memory
    for (let n = 0; n < 3000; n++) timeline.record({ sessionId: 's'.repeat(100) }, used(n))
    await clock.advance(1000)
    for (let n = 3000; n < 3100; n++) timeline.record({ sessionId: 's'.repeat(100) }, used(n))
    files.mend()
    await timeline.flush()
    const written = (await disk.read('/r/timeline.jsonl'))
      ?.toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(usedOf(written ?? [])).toEqual(Array.from({ length: 3100 }, (_, n) => n))
    expect(usedOf(timeline.list({ session: null, limit: 50 }))).toEqual(Array.from({ length: 50 }, (_, n) => 3050 + n))
  })

  it('starts and records although its file is broken or can not be read', async () => {
    const { disk, files, open } = bench()
    disk.content.set('/r/timeline.jsonl', '{"id":"x","seq":"one"}\nrubbish')
    const timeline = await open()
    timeline.record({}, used(1))
    await timeline.flush()
    expect(usedOf((await open()).list({ session: null, limit: 5 }))).toEqual([])
    files.fail('EIO', 'read')
    const blind = await open()
    blind.record({}, used(2))
    await blind.loaded
    expect(usedOf(blind.list({ session: null, limit: 5 }))).toEqual([2])
  })

  it('holds what was written, and the log never does', async () => {
    const { disk, lines, open } = bench()
    const timeline = await open()
    const words = 'delete everything'
    const run = {
      name: 'tests',
      argv: ['npm', 'test'],
      outcome: 'failed',
      exitCode: 1,
      at: 0,
      ms: 1,
      say: words,
    } as const
    const bodies: EventBody[] = [
      { type: 'armed', text: words, max: 3, review: false, by: 'marker' },
      { type: 'queued', entryId: 'e1', source: 'user', text: words, round: null },
      { type: 'edited', entryId: 'e1', text: words, revision: 2 },
      { type: 'marker-applied', marker: `<**sm:"${words}"**>`, effect: 'armed' },
      { type: 'marker-refused', marker: words, code: 'c', message: 'no' },
      { type: 'paused', reason: { code: 'needs-user', text: words }, what: 'session' },
      { type: 'needs-you', what: words },
      { type: 'held', entryId: 'e1', reason: { code: 'dialog-open', what: words } },
      { type: 'stop-message-failed', reason: { code: 'agent-gone' }, text: words },
      { type: 'done', reason: { code: 'goal-reached', checks: 1, evidence: words } },
      { type: 'check-ran', run },
      {
        type: 'review-done',
        review: {
          round: 1,
          at: 0,
          ms: 1,
          by: 'zai/glm-5',
          backend: 'model',
          outcome: { code: 'needs-user', text: words },
          say: words,
          evidence: [{ claim: words, source: words, result: words }],
          blockers: [{ kind: 'needs_user', text: words }],
          looks: [{ tool: 'read_file', what: words, ok: true, say: words }],
          checks: [run],
          usage: null,
          costUsd: null,
        },
      },
    ]
    for (const body of bodies) timeline.record({ sessionId: 's1' }, body)
    await timeline.flush()
    expect(disk.content.get('/r/timeline.jsonl')).toContain(words)
    expect(lines).toHaveLength(bodies.length)
    expect(lines.join('\n')).not.toContain(words)
    expect(lines[0]).toBe(
      JSON.stringify({
        message: 'armed',
        textLength: words.length,
        max: 3,
        review: false,
        by: 'marker',
        session: 's1',
        scope: null,
        requestId: null,
      }),
    )
    expect(lines[5]).toContain('"what":"session"')
  })

  it('forgets with a session what came in its terminal before its first turn, and nothing of others', async () => {
    const { open, disk } = bench()
    let timeline = await open()
    const at = (sessionId: string | null, scope: Scope, n: number) =>
      timeline.record({ sessionId, scope, requestId: null }, used(n))
    at(null, 'tmux:m', 1)
    at('other', 'tmux:m', 2)
    at(null, 'tmux:m', 3)
    at(null, 'tmux:n', 4)
    at(null, 'tmux:m', 5)
    at('s', 'tmux:m', 6)
    at(null, 'tmux:m', 7)
    await timeline.flush()
    timeline = await open()
    await timeline.loaded
    await timeline.forget('s')
    expect(usedOf(timeline.list({ session: null, limit: 20 }))).toEqual([1, 2, 4, 7])
    expect((await disk.read('/r/timeline.jsonl'))?.toString().trim().split('\n')).toHaveLength(4)
    at(null, 'tmux:n', 8)
    at('s', 'tmux:n', 9)
    await timeline.forget('s')
    expect(usedOf(timeline.list({ session: null, limit: 20 }))).toEqual([1, 2, 7])
  })
})

const old = {
  provider: 'glm',
  model: 'glm-5',
  keyAlias: 'main',
  why: ['route default'],
  skipped: [{ candidate: 'anth.claude-x', why: 'cooling down' }],
}
const read: RouteFact = {
  provider: 'glm',
  model: 'glm-5',
  keyAlias: 'main',
  category: null,
  why: [{ code: 'said', text: 'route default' }],
  skipped: [{ candidate: 'anth.claude-x', why: { code: 'said', text: 'cooling down' } }],
}
const now: RouteFact = {
  ...read,
  category: 'thinking',
  why: [
    { code: 'category', category: 'thinking', because: { code: 'thinking' } },
    { code: 'sticky', target: 'glm.glm-5', since: 1 },
  ],
  skipped: [{ candidate: 'a.b', why: { code: 'no-vision' } }],
}

describe('a route on the disk', () => {
  it.each([
    ['of an earlier version', old, read],
    ['of this one', now, now],
    ['that names only where', { provider: 'glm', model: 'glm-5' }, { ...read, keyAlias: null, why: [], skipped: [] }],
  ])('%s', (_, written, expected) => expect(readRoute(written)).toEqual(expected))

  it('may be none', () => {
    expect(readRoute(null)).toBeNull()
    expect(readRoute(undefined)).toBeNull()
  })

  it('is told of in sentences, out of files of an earlier version', async () => {
    const disk = memoryFiles()
    const clock = virtualClock()
    const log = silentLog
    const turn = {
      requestId: 'req_1',
      at: 1,
      sessionId: 's',
      scope: null,
      client: 'codex',
      entry: 'responses',
      kind: 'turn',
      model: 'm',
      route: old,
      status: 200,
      finish: 'stop',
      usage: null,
      costUsd: null,
      ttfbMs: 1,
      durationMs: 2,
      bytesIn: 1,
      bytesOut: 1,
      error: null,
    }
    disk.content.set('/r/turns.jsonl', `${JSON.stringify(turn)}\n`)
    const envelope = { at: 1, sessionId: 's', scope: null, requestId: 'req_1' }
    const body = {
      type: 'turn-ended',
      turn: 1,
      kind: 'turn',
      finish: 'stop',
      status: 200,
      usage: null,
      ttfbMs: 1,
      durationMs: 2,
      route: old,
      tools: [],
      clientLeft: false,
    }
    disk.content.set(
      '/r/timeline.jsonl',
      [
        { id: 'a', seq: 1, ...envelope, body },
        {
          id: 'b',
          seq: 2,
          ...envelope,
          body: { type: 'queued', entryId: 'e', source: 'user', text: 'x', round: null },
        },
      ]
        .map((e) => `${JSON.stringify(e)}\n`)
        .join(''),
    )

    const records = await createTurnRecords({
      files: disk,
      clock,
      log,
      root: '/r',
      store: createStore({ root: '/r', files: disk, clock, log, onProblem: () => undefined }),
    })
    const timeline = await createTimeline({
      files: disk,
      clock,
      log,
      root: '/r',
      random: { uuid: () => 'u', token: () => 't', fraction: () => 0 },
    })
    await Promise.all([records.loaded, timeline.loaded])
    expect(records.list(1)[0]?.route).toEqual(read)
    const [ended, queued] = timeline.list({ session: 's', limit: 10 })
    expect(ended?.body).toMatchObject({ type: 'turn-ended', route: read })
    expect(queued?.body.type).toBe('queued')
    expect(read.why.map(sentencesOf('en').routeReason)).toEqual(['route default'])
  })
})
