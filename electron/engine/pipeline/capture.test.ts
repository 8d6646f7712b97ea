import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { codecOf } from '../protocol/index.ts'
import { createCaptures } from '../records/captures.ts'
import { createTurnCaptures } from './capture.ts'
import { releaseRequest, emptySummary, noOverrides, type Turn, type TurnEnd, type Reply, draftOf } from './turn.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'onward-capture-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const secret = 'sk-client-credential-1234567890'

/** A client's side, with what reached it. */
function client() {
  const seen: string[] = []
  const told = { drains: 0, closes: 0, left: false, ended: false, aborted: false }
  const take = (chunk: Uint8Array) => {
    seen.push(Buffer.from(chunk).toString())
  }
  const reply: Reply = {
    head: (status, headers) => {
      seen.push(`${status} ${headers['content-type'] as string}`)
    },
    write: (chunk) => {
      take(chunk)
      return false
    },
    end(chunk) {
      if (chunk) take(chunk)
      told.ended = true
    },
    abort() {
      told.aborted = true
    },
    get headSent() {
      return seen.length > 0
    },
    get finished() {
      return told.ended
    },
    get left() {
      return told.left
    },
    onDrain: () => {
      told.drains++
    },
    onClose: () => {
      told.closes++
    },
  }
  return { reply, seen, told }
}

function scene(sessionId: string | null = 's') {
  const body = Buffer.from(JSON.stringify({ model: 'claude-x', messages: [{ role: 'user', content: 'hello' }] }))
  const codec = codecOf('messages')
  const there = client()
  const turn: Turn = {
    codec,
    draft: draftOf(codec, body, '/v1/messages'),
    bytesIn: body.length,
    ordinal: 1,
    receipt: { ours: [], proves: [] },
    overrides: noOverrides,
    ownAnswer: null,
    reentered: false,
    tried: [],
    dropped: [],
    identity: {
      sessionId,
      sessionSource: null,
      client: 'claude',
      kind: 'turn',
      terminalId: null,
      scope: null,
      scopeProblem: null,
      registeredClientOnly: false,
      retry: false,
    },
    call: {
      requestId: 'req_1',
      entry: 'messages',
      endpoint: 'generate',
      method: 'POST',
      path: '/v1/messages?beta=true',
      headers: { 'x-api-key': secret, authorization: `Bearer ${secret}` },
      caller: { kind: 'local', suffix: null },
      callingProcess: null,
      body,
      receivedAt: 0,
      reply: there.reply,
    },
  }
  const end: TurnEnd = {
    summary: { ...emptySummary('stop', null), finish: 'stop' },
    status: 200,
    route: { provider: 'glm', model: 'glm-5', keyAlias: 'main', category: null, why: [], skipped: [] },
    choice: null,
    ttfbMs: 1,
    durationMs: 2,
    bytesOut: 4,
    clientLeft: false,
  }
  const clock = virtualClock()
  const captures = createCaptures({ root, clock, record: () => undefined })
  return { turn, end, body, captures, clock, ...there }
}

describe('a turn whose session is captured', () => {
  it('leaves its bodies in files, and no header', async () => {
    const { turn, end, body, captures, seen, told } = scene()
    const capturing = createTurnCaptures(captures, (id) => id === 's')
    capturing.begin(turn)
    capturing.upstream(turn, [Buffer.from('{"model":"glm-5"}')])
    const { reply } = turn.call
    expect(reply.headSent).toBe(false)
    reply.onDrain(() => undefined)
    reply.onClose(() => undefined)
    reply.head(200, { 'content-type': 'text/event-stream' })
    releaseRequest(turn)
    expect(reply.write(Buffer.from('one '))).toBe(false)
    reply.end(Buffer.from('two'))
    expect([reply.headSent, reply.finished, reply.left]).toEqual([true, true, false])
    expect(capturing.end(turn, end)).toBe(true)
    await captures.flush()
    expect(seen).toEqual(['200 text/event-stream', 'one ', 'two'])
    expect(told).toMatchObject({ drains: 1, closes: 1, ended: true })
    const folder = captures.folderOf('s', 'req_1')
    const files = Object.fromEntries(
      await Promise.all(
        (await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'utf8')]),
      ),
    )
    expect(files).toMatchObject({
      'request.json': body.toString(),
      'upstream.json': '{"model":"glm-5"}',
      'response.txt': 'one two',
    })
    expect(JSON.parse(files['meta.json'])).toMatchObject({
      path: '/v1/messages?beta=true',
      model: 'claude-x',
      status: 200,
      finish: 'stop',
      route: { provider: 'glm', model: 'glm-5', keyAlias: 'main' },
    })
    expect(JSON.stringify(files)).not.toContain(secret)
  })

  it('hands on that the client left, and breaks off', async () => {
    const { turn, end, captures, told } = scene()
    const capturing = createTurnCaptures(captures, () => true)
    capturing.begin(turn)
    told.left = true
    turn.call.reply.abort()
    expect(turn.call.reply.left).toBe(true)
    expect(told.aborted).toBe(true)
    capturing.end(turn, end)
    expect(capturing.end(turn, end)).toBe(false)
    await captures.flush()
  })
})

describe('any other turn', () => {
  it.each([
    ['of a session that is not', 's'],
    ['of no session', null],
  ])('%s keeps its own reply, and nothing is written', async (_, sessionId) => {
    const { turn, end, captures, reply } = scene(sessionId)
    const asked: string[] = []
    const capturing = createTurnCaptures(captures, (id) => {
      asked.push(id)
      return false
    })
    capturing.begin(turn)
    capturing.upstream(turn, Buffer.from('x'))
    expect(turn.call.reply).toBe(reply)
    expect(capturing.end(turn, end)).toBe(false)
    await captures.flush()
    expect(await readdir(root)).toEqual([])
    expect(asked).toEqual(sessionId === null ? [] : ['s'])
  })
})
