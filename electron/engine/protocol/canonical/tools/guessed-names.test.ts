import { describe, expect, it } from 'vitest'
import { conversionOf } from '../../conversions.ts'
import { plainRequest } from '../../testing/plain-request.ts'
import type { AnswerEvent } from '../answer.ts'
import type { WriteContext } from '../codec.ts'
import { writeCanonical } from '../convert-request.ts'
import { wireProtocols, type Tool, type WireProtocol } from '../request.ts'
import { convertToBody, convertToStream } from '../testing/convert-bytes.ts'
import { adaptTools } from './adapt-tools.ts'

const fn = (name: string, namespace?: string): Tool => ({
  type: 'function',
  name,
  ...(namespace === undefined ? {} : { namespace }),
  description: null,
  parameters: { type: 'object', properties: {} },
  strict: null,
})
const exec: Tool = { type: 'custom', name: 'exec', description: null, format: null }
const plain = { toolName: /^[a-zA-Z0-9_-]{1,64}$/, namespaces: false, customTools: false }

/** The tool that a call under this name becomes. */
function called(tools: readonly Tool[], name: string, messages = plainRequest.messages): string {
  const out: AnswerEvent[] = []
  const part = { kind: 'tool-call', id: 'c', name, custom: false } as const
  adaptTools({ ...plainRequest, tools, messages }, plain).restore((event) => out.push(event))({
    type: 'begin',
    block: 0,
    part,
  })
  const [event] = out
  if (event?.type !== 'begin' || event.part.kind !== 'tool-call') throw new Error('no call')
  return `${event.part.namespace ?? ''}|${event.part.name}|${event.part.custom ? 'custom' : 'function'}`
}

describe('a name that a model guessed', () => {
  const codex = [exec, fn('wait', 'functions'), fn('create_issue', 'mcp__tracker'), fn('mcp__notes__read')]

  it.each([
    ['functions__exec', '|exec|custom'],
    ['functions.exec', '|exec|custom'],
    ['default_api:exec', '|exec|custom'],
    ['functions.wait', 'functions|wait|function'],
    ['wait', 'functions|wait|function'],
    ['mcp.tracker.create_issue', 'mcp__tracker|create_issue|function'],
    ['functions.mcp__tracker__create_issue', 'mcp__tracker|create_issue|function'],
    ['create_issue', 'mcp__tracker|create_issue|function'],
    ['functions.mcp__notes__read', '|mcp__notes__read|function'],
  ])('%s is the one tool that is meant', (name, tool) => {
    expect(called(codex, name)).toBe(tool)
  })

  it.each(['mcp__elsewhere__exec', 'functions.delete', 'read', 'exec_command', 'functions.', ''])(
    '%s is left as it is, for no tool or another one is meant',
    (name) => {
      expect(called(codex, name)).toBe(`|${name}|function`)
    },
  )

  it('is left where two tools could be meant, unless one is named with its group', () => {
    const two = [fn('read', 'files'), fn('read', 'mail')]
    expect(called(two, 'functions.read')).toBe('|functions.read|function')
    expect(called(two, 'read')).toBe('|read|function')
    expect(called(two, 'mail.read')).toBe('mail|read|function')
  })

  it('is that of a tool where a tool has it', () => {
    expect(called([fn('exec'), fn('functions__exec')], 'functions__exec')).toBe('|functions__exec|function')
  })

  it('is no tool for having been called before', () => {
    const id = 'c0'
    const before = { type: 'tool-call', id, name: 'functions__exec', arguments: '', custom: false, seal: null } as const
    expect(called([exec], 'functions__exec', [{ role: 'assistant', parts: [before] }])).toBe('|exec|custom')
  })
})

const pairs = wireProtocols.flatMap((from) =>
  wireProtocols.filter((to) => to !== from).map((to) => [from, to] as const),
)
const context = (protocol: WireProtocol, tools: readonly Tool[]): WriteContext => ({
  model: 'm',
  request: { ...plainRequest, model: 'm', tools, messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] },
  nowMs: 0,
  newId: (prefix) => `${prefix}${protocol}`,
  dropped: () => undefined,
})

it.each(pairs)('an answer of %s for a client of %s names the tool, streamed and whole', (from, to) => {
  const events: AnswerEvent[] = [
    { type: 'start', model: 'm', usage: null },
    { type: 'begin', block: 0, part: { kind: 'tool-call', id: 'c1', name: 'functions__look', custom: false } },
    { type: 'delta', block: 0, text: '{"at":1}' },
    { type: 'end', block: 0 },
    { type: 'finish', reason: 'tool-calls', stopSequence: null, usage: null },
  ]
  const tools = [fn('look')]
  const stream = conversionOf[from].writeStream(context(from, tools))
  const body = conversionOf[from].writeBody(context(from, tools))
  const bytes = Buffer.from(events.map((event) => stream.write(event)).join(''))
  for (const event of events) body.add(event)
  const client = context(to, tools)
  const { restore } = writeCanonical(client.request, conversionOf[from], { model: 'm', maxOutput: 100 })
  const conversion = { from: conversionOf[from], to: conversionOf[to], restore, context: client }
  const streamed = convertToStream(conversion)
  const whole = convertToBody(conversion).whole(Buffer.from(JSON.stringify(body.body())))
  const texts = [Buffer.concat([streamed.push(bytes), streamed.end()]).toString(), JSON.stringify(whole, asText)]
  for (const text of texts) {
    expect(text).toMatch(/"name\\?":\\?"look\\?"/)
    expect(text).not.toContain('functions__look')
  }
})

/** The bytes of a body as text. */
function asText(this: { body?: unknown }, key: string, value: unknown): unknown {
  return key === 'body' && Buffer.isBuffer(this.body) ? this.body.toString() : value
}
