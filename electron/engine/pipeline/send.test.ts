import { createRedactor } from '../base/redact.ts'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { OnwardError } from '../base/errors.ts'
import { codecOf } from '../protocol/index.ts'
import { routerScene, threeInOrder, ask, targetOf } from '../router/testing/scene.ts'
import { send } from './send.ts'
import { noOverrides, type Turn } from './turn.ts'
import type { Reply } from './types.ts'
import { draftOf } from './request/request-draft.ts'

const reply: Reply = {
  head: () => undefined,
  write: () => true,
  end: () => undefined,
  abort: () => undefined,
  headSent: false,
  finished: false,
  left: false,
  onDrain: () => undefined,
  onClose: () => undefined,
}
function turnOf(): Turn {
  const codec = codecOf('chat')
  const body = Buffer.from('{"model":"any","messages":[{"role":"user","content":"Hi"}]}')
  return {
    codec,
    draft: draftOf(codec, body),
    bytesIn: body.length,
    requestBytes: { held: false },
    ordinal: 1,
    receipt: { ours: [], proves: [] },
    overrides: noOverrides,
    ownAnswer: null,
    reentered: false,
    tried: [],
    dropped: [],
    identity: {
      sessionId: 's',
      sessionSource: null,
      client: 'other',
      kind: 'turn',
      terminalId: null,
      scope: null,
      scopeProblem: null,
      registeredClientOnly: false,
      retry: false,
    },
    call: {
      requestId: 'r',
      entry: 'chat',
      endpoint: 'generate',
      method: 'POST',
      path: '/v1/chat/completions',
      headers: {},
      caller: { kind: 'local', suffix: null },
      callingProcess: null,
      body,
      receivedAt: 0,
      reply,
    },
  }
}

describe('a turn that can’t be said in the provider’s protocol', () => {
  it('is refused, and takes no trial away from those that can', async () => {
    const r = routerScene(threeInOrder)
    const a = r.choose(ask())
    for (let i = 0; i < 3; i++) r.refuse(a, 503)
    await r.clock.advance(30_000)
    const refused = send(turnOf(), {
      clock: virtualClock(),
      transport: {
        send: () => {
          throw new Error('nothing is sent')
        },
        dispose: async () => undefined,
      },
      redactor: () => createRedactor([]),
      choose: r.choose,
      hasRoute: r.hasRoute,
      report: r.report,
      credentialOf: () => null,
      responseHeaders: (headers) => headers,
      prepare: () => {
        throw new OnwardError('bad-request', 'It can’t be said.', { status: 400 })
      },
    })
    await expect(refused).rejects.toMatchObject({ code: 'bad-request', status: 400 })
    expect(targetOf(r.choose(ask()))).toBe('a.m')
  })
})
