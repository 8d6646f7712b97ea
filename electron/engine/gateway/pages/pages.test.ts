import { afterEach, describe, expect, it } from 'vitest'
import type { TurnRecord } from '../../../../shared/state.ts'
import { OnwardError } from '../../base/errors.ts'
import { answerOk, openGateway, type OpenGateway } from '../testing/open-gateway.ts'
import { turnReport } from './pages.ts'

let gateway: OpenGateway
afterEach(() => gateway?.dispose())

const at = new Date(2026, 10, 21, 14, 0).getTime()
const record: TurnRecord = {
  requestId: 'req_1',
  at,
  sessionId: 's',
  scope: null,
  client: 'codex',
  entry: 'responses',
  kind: 'turn',
  model: 'm',
  status: 200,
  finish: 'stop',
  usage: null,
  costUsd: null,
  ttfbMs: 1,
  durationMs: 2000,
  bytesIn: 1,
  bytesOut: 1,
  error: null,
  turn: 3,
  by: 'onward',
  route: {
    provider: 'glm',
    model: 'glm-5',
    keyAlias: 'main',
    category: 'thinking',
    why: [{ code: 'category', category: 'thinking', because: { code: 'thinking' } }],
    skipped: [
      {
        candidate: 'anth.claude-x',
        why: { code: 'resting', key: null, rest: { why: 'failures', count: 3, until: at + 40_000 } },
      },
    ],
  },
}
const why = [
  'Route thinking: thinking is asked for',
  'anth/claude-x passed over: cooling down for 42 s after 3 failures',
]
const known = { turnReport: async (id: string) => (id === 'req_1' ? turnReport(record) : null) }
const ask = (path: string, init: RequestInit = {}) => fetch(gateway.base + path, init)

describe('the report of a turn', () => {
  it.each([
    ['what was chosen and what was passed over', record, why],
    ['nothing where no provider was asked', { ...record, route: null }, []],
  ])('says %s', (_, given, expected) => expect(turnReport(given)).toEqual({ ...given, why: expected }))
})

describe('GET /onward/turns/…', () => {
  it('tells the record and why the turn went where it went', async () => {
    gateway = await openGateway(known)
    const answer = await ask('/onward/turns/req_1')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ ...record, why })
    expect(gateway.calls).toEqual([])
  })

  it.each([
    [{}, 'chat'],
    [{ 'x-api-key': 'any' }, 'messages'],
    [{ 'x-goog-api-key': 'any' }, 'gemini'],
  ])('of a turn nobody knows is refused in the shape of %j', async (headers, shape) => {
    gateway = await openGateway(known)
    const answer = await ask('/onward/turns/req_2', { headers })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      shape,
      code: 'turn-unknown',
      message: expect.stringContaining('"req_2"'),
    })
  })

  it('needs a key where clients need one, and no other method is answered', async () => {
    gateway = await openGateway({ ...known, server: { keys: ['local'] } })
    expect((await ask('/onward/turns/req_1')).status).toBe(401)
    expect((await ask('/onward/turns/req_1', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
    expect((await ask('/onward/turns/req_1', { headers: { authorization: 'Bearer local' } })).status).toBe(200)
    expect((await ask('/t/terminal-key-1/onward/turns/req_1')).status).toBe(200)
    const posted = await ask('/onward/turns/req_1', { method: 'POST', headers: { authorization: 'Bearer local' } })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('fails like any other call when the records can’t be read', async () => {
    gateway = await openGateway({
      turnReport: async () => {
        throw new OnwardError('store-failed', 'The disk is gone.', { status: 500 })
      },
    })
    const answer = await ask('/onward/turns/req_1')
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ code: 'store-failed' })
  })
})

describe('how a client knows the id of its turn', () => {
  const headsOf = async (headers: Record<string, string>) => {
    gateway = await openGateway({
      runTurn: async (call) =>
        Object.keys(headers).length === 0 ? answerOk(call) : (call.reply.head(200, headers), call.reply.end()),
    })
    const answer = await ask('/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    await answer.text()
    return {
      own: gateway.calls[0]?.requestId,
      plain: answer.headers.get('x-request-id'),
      beside: answer.headers.get('x-onward-request-id'),
    }
  }
  it('x-request-id', async () => {
    const { own, plain, beside } = await headsOf({})
    expect([plain, beside]).toEqual([own, null])
  })
  it('x-onward-request-id beside the id of the provider', async () => {
    const { own, plain, beside } = await headsOf({ 'x-request-id': 'req_upstream' })
    expect([plain, beside]).toEqual(['req_upstream', own])
  })
})
