import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { fromAgent, fromClient, newBridge, send, standing, type Bridge, type Step } from './bridge.ts'
import { readMessage, sessionOf, type Message } from './message.ts'

const lineOf = (message: Record<string, unknown>): Buffer => Buffer.from(`${JSON.stringify(message)}\n`)
const prompt = (id: number, sessionId = 'a', text = 'mine') =>
  lineOf({ jsonrpc: '2.0', id, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text }] } })
const cancel = (sessionId = 'a') => lineOf({ method: 'session/cancel', params: { sessionId } })
const answer = (id: number | string, result: unknown = { stopReason: 'end_turn' }) => lineOf({ id, result })
const asksPermission = (id: number) =>
  lineOf({
    id,
    method: 'session/request_permission',
    params: { sessionId: 'a', toolCall: { toolCallId: 't', title: 'rm -rf build' }, options: [{ name: 'Allow' }] },
  })

/** A bridge with what each side got, both as texts. */
function scene() {
  let bridge: Bridge = newBridge
  const got = { agent: [] as string[], client: [] as string[] }
  const take = (step: Step | null): boolean => {
    if (!step) return false
    bridge = step.bridge
    for (const { to, line } of step.out) got[to].push(line.toString())
    return true
  }
  return {
    got,
    client: (line: Buffer) => take(fromClient(bridge, line)),
    agent: (line: Buffer) => take(fromAgent(bridge, line)),
    onward: (text: string, name = 'e1') => take(send(bridge, text, name)),
    now: () => standing(bridge),
    /** with a conversation in which something was said */
    begun() {
      this.client(lineOf({ id: 1, method: 'session/new', params: { cwd: '/' } }))
      this.agent(answer(1, { sessionId: 'a' }))
      this.client(prompt(2))
      this.agent(answer(2))
      got.agent.length = 0
      got.client.length = 0
      return this
    },
  }
}
const ownPrompt = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 'onward:e1',
  method: 'session/prompt',
  params: { sessionId: 'a', prompt: [{ type: 'text', text: 'go on' }] },
})}\n`

describe('what goes between an ACP client and its agent', () => {
  it.each([
    '{"jsonrpc":"2.0","id":7,"method":"_vendor/thing","params":{"n":1e400,"sessionId":"a","b":2,  "b":3}}\n',
    '  {"id":"7" ,"method":"session/set_mode","params":{"sessionId":"a","modeId":"\\u0061"}}\r\n',
    '\n',
    'not JSON at all\n',
    '[{"id":1,"method":"session/prompt"}]\n',
    '{"id":9,"result":12345678901234567890}\n',
    '{"half of a line":',
  ])('goes on byte by byte: %j', (text) => {
    const s = scene().begun()
    s.client(Buffer.from(text))
    s.agent(Buffer.from(text))
    expect(s.got).toEqual({ agent: [text], client: [text] })
  })

  it('keeps bytes that are no UTF-8', () => {
    const line = Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a])
    expect(fromAgent(newBridge, line).out).toEqual([{ to: 'client', line }])
  })
})

describe('a text of Onward’s', () => {
  it('is a prompt in the conversation in front, which the client is shown, and whose answer it never sees', () => {
    const s = scene().begun()
    expect(s.onward('go on')).toBe(true)
    expect(s.got.agent).toEqual([ownPrompt])
    expect(s.got.client.map((line) => JSON.parse(line))).toMatchObject([
      { method: 'session/update', params: { sessionId: 'a', update: { sessionUpdate: 'user_message_chunk' } } },
    ])
    expect(s.now()).toEqual({ kind: 'busy' })
    s.agent(answer('onward:e1'))
    expect(s.got.client).toHaveLength(1)
    expect(s.now()).toMatchObject({ kind: 'idle', sessionId: 'a' })
  })

  it.each<[string, (s: ReturnType<typeof scene>) => void, string]>([
    ['there is no conversation', () => undefined, 'starting'],
    ['its conversation is being opened', (s) => s.client(lineOf({ id: 1, method: 'session/new' })), 'busy'],
    ['the client’s prompt is not answered', (s) => s.begun().client(prompt(3)), 'busy'],
    ['nor one in another conversation', (s) => s.begun().client(prompt(3, 'b')), 'busy'],
    ['one of two is not answered', (s) => [3, 4].map((id) => s.client(prompt(id))) && s.agent(answer(3)), 'busy'],
    ['an answer with the same number as text came', (s) => s.client(prompt(3)) && s.agent(answer('3')), 'busy'],
    ['the agent asks for permission', (s) => s.begun().agent(asksPermission(0)), 'asks'],
    ['it waits for anything else', (s) => s.begun().agent(lineOf({ id: 0, method: 'fs/read_text_file' })), 'busy'],
    ['the person cancelled', (s) => s.begun().client(cancel()), 'stopped'],
    [
      'the person cancelled the request itself',
      (s) =>
        s.begun().client(prompt(3)) &&
        s.client(lineOf({ method: '$/cancel_request', params: { requestId: 3 } })) &&
        s.agent(lineOf({ id: 3, error: { code: -32800 } })),
      'stopped',
    ],
    ['the client said something nobody can read', (s) => s.begun().client(Buffer.from('[]\n')), 'unknown'],
  ])('waits while %s', (_, go, kind) => {
    const s = scene()
    go(s)
    expect(s.now().kind).toBe(kind)
    expect(s.onward('go on')).toBe(false)
  })

  it('goes again once the question is answered, or the person spoke again', () => {
    const s = scene().begun()
    s.agent(asksPermission(0))
    expect(s.now()).toMatchObject({ asked: { question: 'rm -rf build', choices: [{ label: 'Allow', key: null }] } })
    s.client(answer(0, {}))
    expect(s.now().kind).toBe('idle')
    s.client(cancel())
    s.client(prompt(3))
    s.agent(answer(3))
    expect(s.onward('go on')).toBe(true)
  })

  it('stays in the conversation that the person spoke in last', () => {
    const s = scene().begun()
    s.client(lineOf({ id: 3, method: 'session/new', params: {} }))
    s.agent(answer(3, { sessionId: 'b' }))
    expect(s.now()).toMatchObject({ sessionId: 'a', alone: true })
    s.client(prompt(4, 'b', 'in b'))
    s.agent(lineOf({ method: 'session/update', params: { sessionId: 'b', update: said('agent', 'yes') } }))
    s.agent(answer(4))
    expect(s.now()).toMatchObject({ sessionId: 'b', said: expect.stringMatching(/in b\nyes$/), alone: false })
    s.client(lineOf({ id: 5, method: 'session/close', params: { sessionId: 'b' } }))
    s.agent(answer(5, {}))
    expect(s.now()).toMatchObject({ sessionId: 'a', alone: false })
  })

  it.each([
    ['words', 'mine', true],
    ['a command, for which no model may be asked', ' /about', false],
  ])('knows that the agent answered %s', (_, text, answered) => {
    const s = scene().begun()
    s.client(prompt(3, 'a', text))
    s.agent(lineOf({ method: 'session/update', params: { sessionId: 'a', update: said('agent', 'yes') } }))
    s.agent(answer(3))
    expect(s.now()).toMatchObject({ answered })
  })

  it('knows what was said in a conversation that is loaded', () => {
    const s = scene()
    s.client(lineOf({ id: 1, method: 'session/load', params: { sessionId: 'a' } }))
    for (const who of ['user', 'agent'] as const)
      s.agent(lineOf({ method: 'session/update', params: { sessionId: 'a', update: said(who, `${who}’s words `) } }))
    expect(s.now().kind).toBe('busy')
    s.agent(answer(1, {}))
    expect(s.now()).toEqual({
      kind: 'idle',
      sessionId: 'a',
      said: 'user’s words agent’s words ',
      alone: true,
      answered: false,
    })
  })

  it('does not take a conversation for open that could not be loaded', () => {
    const s = scene()
    s.client(lineOf({ id: 1, method: 'session/load', params: { sessionId: 'a' } }))
    s.agent(lineOf({ id: 1, error: { code: -32602 } }))
    expect(s.now().kind).toBe('starting')
  })
})

describe('a client that speaks while a text of Onward’s is at work', () => {
  const mode = lineOf({ id: 4, method: 'session/set_mode', params: { sessionId: 'a' } })
  const atWork = () => {
    const s = scene().begun()
    s.onward('go on')
    s.got.agent.length = 0
    return s
  }

  it('is heard after it, in its own order, and what belongs to the work at once', () => {
    const s = atWork()
    const now = [answer(0, {}), prompt(9, 'b'), lineOf({ id: 5, method: 'session/list', params: {} })]
    for (const line of [prompt(3), mode, ...now]) s.client(line)
    expect(s.got.agent).toEqual(now.map(String))
    s.agent(answer('onward:e1'))
    expect(s.got.agent).toEqual([...now, prompt(3), mode].map(String))
    expect(s.onward('again', 'e2')).toBe(false)
  })

  it('stops it at once', () => {
    const s = atWork()
    s.client(cancel())
    expect(s.got.agent).toEqual([String(cancel())])
    s.agent(answer('onward:e1', { stopReason: 'cancelled' }))
    expect(s.now().kind).toBe('stopped')
  })

  it('stops it and the prompt that waits behind it', () => {
    const s = atWork()
    for (const line of [prompt(3), cancel(), cancel()]) s.client(line)
    expect(s.got.agent.map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'a' } },
    ])
    s.agent(answer('onward:e1', { stopReason: 'cancelled' }))
    expect(s.got.agent.slice(1)).toEqual([prompt(3), cancel(), cancel()].map(String))
    s.agent(answer(3, { stopReason: 'cancelled' }))
    expect(s.now().kind).toBe('stopped')
  })

  it('cancels the request that waits behind it', () => {
    const s = atWork()
    const gone = lineOf({ method: '$/cancel_request', params: { requestId: 3 } })
    for (const line of [prompt(3), gone]) s.client(line)
    expect(s.got.agent).toEqual([])
    s.agent(answer('onward:e1'))
    expect(s.got.agent).toEqual([prompt(3), gone].map(String))
    expect(s.now().kind).toBe('busy')
  })
})

const said = (who: 'user' | 'agent', text: string) => ({
  sessionUpdate: `${who}_message_chunk`,
  content: { type: 'text', text },
})

describe('whatever client, agent and Onward do at once', () => {
  type Act = 'prompt' | 'cancel' | 'mode' | 'permit' | 'answer' | 'ask' | 'update' | 'send'
  const acts = fc.array(
    fc.record({
      act: fc.constantFrom<Act>('prompt', 'cancel', 'mode', 'permit', 'answer', 'ask', 'update', 'send', 'send'),
      where: fc.constantFrom('a', 'b'),
    }),
    { maxLength: 60 },
  )
  const isOurs = (message: Message) => 'id' in message && String(message.id).startsWith('onward:')

  it('nothing is lost, doubled or out of order, and Onward speaks only to an idle agent', () => {
    fc.assert(
      fc.property(acts, (list) => {
        const s = scene()
        const sent = { client: [] as string[], agent: [] as string[] }
        let id = 0
        let sends = 0
        /** what the agent has and did not answer; its own questions; the person's last word */
        const open: { id: string | number; where: string; own: boolean }[] = []
        const questions: number[] = []
        let seen = 0
        let stopped = false
        let front: string | null = null
        const client = (line: Buffer) => {
          sent.client.push(String(line))
          s.client(line)
        }
        const agent = (line: Buffer, shown = true) => {
          if (shown) sent.agent.push(String(line))
          s.agent(line)
        }
        /** the agent reads what it got */
        const reads = () => {
          for (const line of s.got.agent.slice(seen)) {
            const message = readMessage(Buffer.from(line))
            if (message.kind !== 'request') continue
            const where = sessionOf(message.params) ?? ''
            if (isOurs(message)) {
              expect(open, 'a prompt of Onward’s comes to an idle agent').toEqual([])
              expect(questions).toEqual([])
              expect(stopped, 'and not after the person stopped it').toBe(false)
              expect(where, 'in the conversation the person spoke in last').toBe(front)
            } else if (message.method === 'session/prompt')
              expect(open.filter((one) => one.own && one.where === where)).toEqual([])
            open.push({ id: message.id ?? 0, where, own: isOurs(message) })
          }
          seen = s.got.agent.length
        }
        const answers = () => {
          const one = open.shift()
          if (one) agent(answer(one.id), !one.own)
        }
        for (const where of ['a', 'b']) {
          client(lineOf({ id: ++id, method: 'session/new', params: {} }))
          reads()
          open.length = 0
          agent(answer(id, { sessionId: where }))
          front = where
        }
        for (const { act, where } of list) {
          if (act === 'prompt') {
            client(prompt(++id, where))
            front = where
            stopped = false
          }
          if (act === 'cancel') {
            client(cancel(where))
            if (where === front) stopped = true
          }
          if (act === 'mode') client(lineOf({ id: ++id, method: 'session/set_mode', params: { sessionId: where } }))
          if (act === 'permit' && questions.length > 0) client(answer(questions.shift() ?? 0, {}))
          if (act === 'answer') answers()
          if (act === 'ask') {
            questions.push(++id)
            agent(asksPermission(id))
          }
          if (act === 'update')
            agent(lineOf({ method: 'session/update', params: { sessionId: where, update: said('agent', `${++id}`) } }))
          if (act === 'send' && s.onward('go on', `e${sends}`)) sends++
          reads()
        }
        for (let left = open.length + list.length + 1; left > 0; left--) {
          answers()
          reads()
        }
        const messages = s.got.agent.map((line) => ({ line, message: readMessage(Buffer.from(line)) }))
        expect(messages.filter(({ message }) => isOurs(message))).toHaveLength(sends)
        const own = JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'a' } })
        const theirs = messages.filter(
          ({ line, message }) => !isOurs(message) && line.replace('"b"', '"a"') !== `${own}\n`,
        )
        expect(theirs.map(({ line }) => line).sort(), 'each line once').toEqual([...sent.client].sort())
        const ofOne = (lines: readonly string[], where: string | null) =>
          lines.filter((line) => {
            const message = readMessage(Buffer.from(line))
            return ('params' in message ? sessionOf(message.params) : null) === where
          })
        for (const where of ['a', 'b', null])
          expect(
            ofOne(
              theirs.map(({ line }) => line),
              where,
            ),
            'in its order',
          ).toEqual(ofOne(sent.client, where))
        expect(s.got.client.filter((line) => !line.includes('user_message_chunk'))).toEqual(sent.agent)
        expect(s.got.client.filter((line) => line.includes('user_message_chunk'))).toHaveLength(sends)
      }),
      runs(2_000),
    )
  })
})
