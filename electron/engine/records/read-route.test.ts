import { describe, expect, it } from 'vitest'
import type { RouteFact } from '../../../shared/routing.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createStore } from '../store/create-store.ts'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { readRoute } from './read-route.ts'
import { createTimeline } from './timeline.ts'
import { createTurnRecords } from './turn-records.ts'

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
