import { describe, expect, it } from 'vitest'
import { heard, type KnownConversation } from '../../engine/terminals/said.ts'
import type { TypeControl, TypeOrder } from '../../engine/terminals/types.ts'
import { createAcpTerminal } from './acp-terminal.ts'
import { fromAgent, fromClient } from './bridge.ts'

const control: TypeControl = { requestArrived: new AbortController().signal, stop: new AbortController().signal }
const order = (more: Partial<TypeOrder> = {}): TypeOrder => ({
  entryId: 'e1',
  text: 'go on',
  client: 'gemini',
  ...more,
})

function scene() {
  const got: string[] = []
  const changes: string[] = []
  const drawn: string[] = []
  let at = 0
  const terminal = createAcpTerminal({
    terminalId: 't',
    pid: 1,
    kill: () => undefined,
    write: (out) => void got.push(...out.filter(({ to }) => to === 'agent').map(({ line }) => line.toString())),
    onFault(error) {
      throw error
    },
  })
  terminal.onChange(() => void terminal.read().then((reading) => changes.push(reading.kind)))
  terminal.onData((data) => drawn.push(data))
  const client = (message: object) => terminal.take(fromClient, Buffer.from(JSON.stringify(message)))
  const agent = (message: object) => terminal.take(fromAgent, Buffer.from(JSON.stringify(message)))
  const says = (sessionId: string, text: string) => {
    client({ id: ++at, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text }] } })
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `To ${text}: done.` } }
    agent({ method: 'session/update', params: { sessionId, update } })
    agent({ id: at, result: { stopReason: 'end_turn' } })
  }
  const opens = (sessionId: string) => {
    client({ id: ++at, method: 'session/new', params: {} })
    agent({ id: at, result: { sessionId } })
  }
  return { terminal, got, changes, drawn, client, agent, says, opens }
}

describe('an ACP connection as a terminal', () => {
  it('is ready when its agent is idle, and takes a text once', async () => {
    const { terminal, got, changes, opens, says } = scene()
    expect(await terminal.read()).toMatchObject({ kind: 'hold', reason: { code: 'screen-unread' } })
    opens('a')
    expect(await terminal.read()).toEqual({ kind: 'ready', bracketedPaste: true, fresh: true })
    says('a', 'hello')
    expect(await terminal.read()).toEqual({ kind: 'ready', bracketedPaste: true, answered: true })
    got.length = 0
    expect(await terminal.type(order(), control)).toEqual({ kind: 'submitted', extraEnter: false })
    expect(await terminal.type(order({ entryId: 'e2' }), control)).toMatchObject({ reason: { code: 'agent-busy' } })
    expect(await terminal.type(order(), control)).toMatchObject({ kind: 'enter-owed' })
    expect(got).toHaveLength(1)
    expect(new Set(changes)).toEqual(new Set(['hold', 'ready']))
  })

  it('knows whether a text whose order was lost went out', async () => {
    const { terminal, opens } = scene()
    opens('a')
    await terminal.type(order(), control)
    expect(await terminal.pressOwedEnter(order(), control)).toEqual({ kind: 'submitted', extraEnter: false })
    expect(await terminal.pressOwedEnter(order({ entryId: 'e2' }), control)).toEqual({ kind: 'removed' })
    expect(await terminal.takeOut(order(), control)).toEqual({ kind: 'unknown' })
  })

  it('takes none that was stopped, and none for another conversation', async () => {
    const { terminal, got, opens, says } = scene()
    for (const one of ['a', 'b']) {
      opens(one)
      says(one, `a long message about the matter of ${one}`)
    }
    got.length = 0
    const stopped = { ...control, stop: AbortSignal.abort() }
    expect(await terminal.type(order(), stopped)).toMatchObject({ kind: 'held', reason: { code: 'paused' } })
    const [a, b] = ['a', 'b'].map((sessionId) => ({ sessionId, said: [] }))
    if (!a || !b) throw new Error('two')
    const of = (wanted: KnownConversation, ...others: KnownConversation[]) =>
      order({ ongoing: true, conversation: { wanted, others } })
    expect(await terminal.type(of(a, b), control)).toMatchObject({ reason: { code: 'other-conversation' } })
    expect(await terminal.type(of(a), control), 'not known by its name').toMatchObject({
      reason: { code: 'other-conversation', unseen: true },
    })
    const [byWords] = heard([], 'other name', 'To a long message about the matter of b: done.')
    if (!byWords) throw new Error('words')
    expect(got).toEqual([])
    expect(await terminal.type({ ...of(byWords, a), entryId: 'e2' }, control)).toMatchObject({ kind: 'submitted' })
    expect(got).toEqual([expect.stringContaining('"sessionId":"b"')])
  })

  it('shows a viewer what was said, without what could move a cursor', () => {
    const { terminal, drawn, opens, says } = scene()
    opens('a')
    says('a', 'one\u001b[2J\ntwo')
    expect(terminal.snapshot()).toBe('\r\none[2J\r\ntwo\r\nTo one[2J\r\ntwo: done.')
    expect(drawn.join('')).toBe(terminal.snapshot())
    opens('b')
    says('b', 'else')
    expect(drawn.at(-2)).toBe('\u001bc\r\nelse\r\n')
  })

  it('is gone when its agent is', async () => {
    const { terminal, opens } = scene()
    opens('a')
    let ended = false
    terminal.onExit(() => (ended = true))
    terminal.end({ exitCode: 1, signal: null }, 'told')
    expect([ended, terminal.ended, terminal.asked]).toEqual([true, { exitCode: 1, signal: null }, 'told'])
    expect(await terminal.read()).toEqual({ kind: 'gone', reason: { code: 'agent-gone' } })
    expect(await terminal.type(order(), control)).toMatchObject({ kind: 'failed' })
  })
})
