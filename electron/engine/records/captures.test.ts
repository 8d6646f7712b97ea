import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventBody } from '../../../shared/events.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createCaptures, type Capture } from './captures.ts'
import { unless } from '../../../shared/testing/unless.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'onward-captures-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

function bench(limits?: { bytes: number; turns: number }) {
  const clock = virtualClock()
  const problems: { where: unknown; body: EventBody }[] = []
  const captures = createCaptures({
    root,
    clock,
    record: (where, body) => {
      problems.push({ where, body })
    },
    ...(limits ? { limits } : {}),
  })
  const begin = (requestId: string, body = Buffer.from('{"model":"m"}')) =>
    captures.begin({ sessionId: 'S 1', requestId, body, meta: { entry: 'messages' } })
  const whole = (requestId: string, answer: string) => {
    const one = begin(requestId)
    one.response(Buffer.from(answer))
    one.end({ status: 200 })
    return one
  }
  const file = (requestId: string, name: string) => readFile(join(captures.folderOf('S 1', requestId), name), 'utf8')
  const kept = async () => (await readdir(join(root, 'captures', '%53%201'))).sort()
  return { clock, captures, begin, whole, file, kept, problems }
}

describe('the bodies of a turn', () => {
  it('stand in files that only their person can read', async () => {
    const { captures, begin, file, problems } = bench()
    const one = begin('req_1')
    one.upstream([Buffer.from('{"model":'), Buffer.from('"other"}')])
    one.response(Buffer.from('data: a\n\n'))
    one.response(Buffer.from('data: b\n\n'))
    one.end({ status: 200, route: { provider: 'glm', model: 'glm-5' } })
    await captures.flush()
    const folder = captures.folderOf('S 1', 'req_1')
    expect(folder).toBe(join(root, 'captures', '%53%201', 'req_1'))
    expect((await readdir(folder)).sort()).toEqual(['meta.json', 'request.json', 'response.txt', 'upstream.json'])
    expect(await file('req_1', 'request.json')).toBe('{"model":"m"}')
    expect(await file('req_1', 'upstream.json')).toBe('{"model":"other"}')
    expect(await file('req_1', 'response.txt')).toBe('data: a\n\ndata: b\n\n')
    expect(JSON.parse(await file('req_1', 'meta.json'))).toEqual({
      requestId: 'req_1',
      sessionId: 'S 1',
      startedAt: expect.any(Number),
      entry: 'messages',
      endedAt: expect.any(Number),
      status: 200,
      route: { provider: 'glm', model: 'glm-5' },
    })
    expect(problems).toEqual([])
    if (process.platform === 'win32') return
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    for (const each of [folder, join(folder, '..'), join(root, 'captures')])
      expect((await stat(each)).mode & 0o777).toBe(0o700)
  })

  it.each<[string, (one: Capture) => void, string | null]>([
    ['what went up unchanged is kept once', (one) => one.upstream(Buffer.from('{"model":"m"}')), null],
    ['also when it came in parts', (one) => one.upstream([Buffer.from('{"model"'), Buffer.from(':"m"}')]), null],
    ['what begins alike is not the same', (one) => one.upstream(Buffer.from('{"model":"m"} ')), '{"model":"m"} '],
    [
      'the last attempt counts',
      (one) => {
        one.upstream(Buffer.from('first'))
        one.upstream(Buffer.from('second'))
      },
      'second',
    ],
    [
      'and may have been unchanged',
      (one) => {
        one.upstream(Buffer.from('first'))
        one.upstream(Buffer.from('{"model":"m"}'))
      },
      null,
    ],
    ['none went up', () => undefined, null],
  ])('%s', async (_, send, expected) => {
    const { captures, begin, file } = bench()
    const one = begin('r')
    send(one)
    one.end({})
    await captures.flush()
    expect(await file('r', 'upstream.json').catch(() => null)).toBe(expected)
  })

  it('are written while the answer still comes', async () => {
    const { clock, captures, begin, file } = bench()
    const one = begin('r')
    one.response(Buffer.from('a'))
    await captures.flush()
    expect(existsSync(join(captures.folderOf('S 1', 'r'), 'response.txt'))).toBe(false)
    await clock.advance(250)
    await captures.flush()
    expect(await file('r', 'response.txt')).toBe('a')
    const much = Buffer.alloc(70_000, 'b')
    one.response(much)
    await captures.flush()
    expect((await file('r', 'response.txt')).length).toBe(70_001)
    one.end({})
    await captures.flush()
    expect(clock.pending()).toBe(0)
  })
})

describe('what is kept of a session', () => {
  it('are the newest turns', async () => {
    const { captures, whole, kept } = bench({ bytes: 1e6, turns: 3 })
    for (const id of ['a', 'b', 'c', 'd', 'e']) whole(id, 'x')
    await captures.flush()
    expect(await kept()).toEqual(['c', 'd', 'e'])
  })

  it('is bounded in bytes, the oldest go first', async () => {
    const { captures, whole, kept } = bench({ bytes: 3000, turns: 200 })
    for (const id of ['a', 'b', 'c']) whole(id, 'x'.repeat(700))
    await captures.flush()
    expect(await kept()).toEqual(['a', 'b', 'c'])
    whole('d', 'x'.repeat(1200))
    await captures.flush()
    expect(await kept()).toEqual(['c', 'd'])
  })

  it('is found again after a restart', async () => {
    const first = bench({ bytes: 1e6, turns: 2 })
    first.whole('b', 'x')
    first.whole('a', 'x')
    await first.captures.flush()
    await utimes(first.captures.folderOf('S 1', 'b'), 1, 1)
    const second = bench({ bytes: 1e6, turns: 2 })
    second.whole('c', 'x')
    await second.captures.flush()
    expect(await second.kept()).toEqual(['a', 'c'])
  })

  it('never grows past its bound: what has no room is left out and said', async () => {
    const { captures, begin, file, problems } = bench({ bytes: 2000, turns: 200 })
    const one = begin('r')
    one.upstream(Buffer.alloc(3000, 'u'))
    one.response(Buffer.alloc(70_000, 'x'))
    one.response(Buffer.from('rest'))
    one.end({ status: 200 })
    await captures.flush()
    expect((await readdir(captures.folderOf('S 1', 'r'))).sort()).toEqual(['meta.json', 'request.json'])
    expect(JSON.parse(await file('r', 'meta.json')).cut).toEqual(['upstream.json', 'response.txt'])
    expect(problems).toEqual([])
  })

  it('leaves turns alone that are not over', async () => {
    const { captures, begin, whole, kept } = bench({ bytes: 1e6, turns: 2 })
    const long = begin('long')
    for (const id of ['a', 'b', 'c']) whole(id, 'x')
    long.response(Buffer.from('still here'))
    long.end({})
    await captures.flush()
    expect(await kept()).toEqual(['c', 'long'])
  })
})

describe('a disk that fails', () => {
  it('is told of once, and the turn goes on', async () => {
    const { captures, begin, problems } = bench()
    await writeFile(join(root, 'captures'), 'in the way')
    const one = begin('r')
    one.upstream(Buffer.from('x'))
    one.response(Buffer.alloc(200_000))
    await captures.flush()
    expect(one.failed).toBe(true)
    one.response(Buffer.alloc(200_000))
    one.end({})
    await captures.flush()
    expect(problems).toEqual([
      {
        where: { sessionId: 'S 1', requestId: 'r' },
        body: {
          type: 'engine-problem',
          code: 'capture-failed',
          message: expect.stringContaining('could not be kept whole'),
        },
      },
    ])
    await rm(join(root, 'captures'))
    const next = begin('r2')
    next.end({})
    await captures.flush()
    expect(next.failed).toBe(false)
    expect(problems).toHaveLength(1)
  })

  it(
    'in the middle of an answer ends it there',
    unless(existsSync('/dev/full') ? null : 'there is no /dev/full'),
    async () => {
      const { captures, begin, whole, file, problems } = bench()
      await mkdir(captures.folderOf('S 1', 'r'), { recursive: true })
      await symlink('/dev/full', join(captures.folderOf('S 1', 'r'), 'response.txt'))
      const one = begin('r')
      one.response(Buffer.alloc(100_000))
      one.end({})
      await captures.flush()
      expect(one.failed).toBe(true)
      expect(problems).toMatchObject([{ body: { code: 'capture-failed', message: expect.stringContaining('ENOSPC') } }])
      whole('r2', 'fine')
      await captures.flush()
      expect(await file('r2', 'response.txt')).toBe('fine')
    },
  )

  it('that is too slow costs the copy, not the memory', async () => {
    const { captures, begin, problems } = bench()
    const one = begin('r')
    const chunk = Buffer.alloc(1024 * 1024)
    // all in one go: nothing can be written in between
    for (let i = 0; i < 20; i++) one.response(chunk)
    expect(one.failed).toBe(true)
    one.end({})
    await captures.flush()
    expect(problems).toMatchObject([{ body: { message: expect.stringContaining('did not keep up') } }])
  })
})
