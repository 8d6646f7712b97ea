import { describe, expect, it } from 'vitest'
import { conversionOf } from '../../conversions.ts'
import { asked } from '../../testing/asked.ts'
import { plainRequest } from '../../testing/plain-request.ts'
import { asList, asObject, type JsonObject } from '../../values.ts'
import type { AnswerEvent } from '../answer.ts'
import { readCanonical, writeCanonical } from '../convert-request.ts'
import type { CanonicalRequest, Tool, WireProtocol } from '../request.ts'
import { adaptTools } from './adapt-tools.ts'

const functions = { toolName: /^[a-zA-Z0-9_-]{1,64}$/, namespaces: false, customTools: false }
const request = (tools: Tool[], more: Partial<CanonicalRequest> = {}): CanonicalRequest => ({
  ...plainRequest,
  tools,
  includeUsage: false,
  ...more,
})
const fn = (name: string, more: object = {}): Tool => ({
  type: 'function',
  name,
  description: null,
  parameters: null,
  strict: null,
  ...more,
})
const patch: Tool = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Patches',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
}
const call = (name: string, more: object = {}) => ({
  type: 'tool-call' as const,
  id: 'c1',
  name,
  arguments: '*** Begin',
  custom: true,
  seal: null,
  ...more,
})

function restored(adapted: ReturnType<typeof adaptTools>, events: readonly AnswerEvent[]): AnswerEvent[] {
  const out: AnswerEvent[] = []
  const emit = adapted.restore((event) => out.push(event))
  for (const event of events) emit(event)
  return out
}

describe('tools for a provider that knows plain functions only', () => {
  it('a freeform tool becomes a function of one text, in the history too, and its input comes back plain', () => {
    const adapted = adaptTools(
      request([patch], {
        messages: [
          { role: 'assistant', parts: [call('apply_patch')] },
          {
            role: 'user',
            parts: [{ type: 'tool-result', callId: 'c1', name: null, parts: [], isError: false, custom: true }],
          },
        ],
      }),
      functions,
    )
    expect(adapted.request.tools).toMatchObject([
      {
        type: 'function',
        name: 'apply_patch',
        description: expect.stringContaining('start: "x"') as string,
        parameters: { required: ['input'] },
      },
    ])
    expect(adapted.request.messages).toMatchObject([
      { parts: [{ arguments: '{"input":"*** Begin"}', custom: false }] },
      { parts: [{ name: 'apply_patch', custom: false }] },
    ])
    expect(
      restored(adapted, [
        { type: 'begin', block: 0, part: { kind: 'tool-call', id: 'c2', name: 'apply_patch', custom: false } },
        { type: 'delta', block: 0, text: '{"input":"*** Be' },
        { type: 'delta', block: 0, text: 'gin\\n"}' },
        { type: 'end', block: 0 },
      ]),
    ).toEqual([
      { type: 'begin', block: 0, part: { kind: 'tool-call', id: 'c2', name: 'apply_patch', custom: true } },
      { type: 'delta', block: 0, text: '*** Be' },
      { type: 'delta', block: 0, text: 'gin\n' },
      { type: 'end', block: 0 },
    ])
  })

  it('a tool of a namespace has a joined name, which is taken apart again', () => {
    const tools = [
      fn('read', { namespace: 'mcp.files', description: 'Reads', namespaceDescription: 'Of the file server' }),
      fn('read'),
    ]
    const messages: CanonicalRequest['messages'] = [
      { role: 'assistant', parts: [call('read', { namespace: 'mcp.files', arguments: '{}', custom: false })] },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: 'c1', name: 'read', parts: [], isError: false, custom: false }],
      },
    ]
    const adapted = adaptTools(request(tools, { messages, toolChoice: { type: 'tool', name: 'read' } }), functions)
    const [joined, plain] = adapted.request.tools.map((t) => (t.type === 'native' ? '' : t.name))
    expect(joined).toMatch(/^mcp_files__read_[0-9a-f]{8}$/)
    expect(plain).toBe('read')
    expect(adapted.request.tools[0]).toMatchObject({ description: 'Reads\n\nOf the file server' })
    expect(adapted.request.tools[0]).not.toHaveProperty('namespace')
    expect(adapted.request.messages).toMatchObject([{ parts: [{ name: joined }] }, { parts: [{ name: joined }] }])
    expect(
      restored(adapted, [
        { type: 'begin', block: 0, part: { kind: 'tool-call', id: 'x', name: joined ?? '', custom: false } },
      ]),
    ).toEqual([
      {
        type: 'begin',
        block: 0,
        part: { kind: 'tool-call', id: 'x', name: 'read', namespace: 'mcp.files', custom: false },
      },
    ])
  })

  it('names are the same every time, stay apart, and one nobody asked for passes', () => {
    const odd = [fn('a b'), fn('a.b'), fn('x'.repeat(80)), fn(`${'x'.repeat(79)}y`)]
    const names = () =>
      adaptTools(request(odd), functions).request.tools.map((t) => (t.type === 'native' ? '' : t.name))
    expect(names()).toEqual(names())
    expect(new Set(names()).size).toBe(4)
    for (const name of names()) expect(name).toMatch(functions.toolName)
    const begin: AnswerEvent = {
      type: 'begin',
      block: 0,
      part: { kind: 'tool-call', id: 'x', name: 'made_up', custom: false },
    }
    expect(restored(adaptTools(request(odd), functions), [begin])).toEqual([begin])
  })

  it('leaves everything as it is for one that knows all of it', () => {
    const tools = [patch, fn('read', { namespace: 'files', namespaceDescription: 'd' })]
    const messages: CanonicalRequest['messages'] = [{ role: 'assistant', parts: [call('apply_patch')] }]
    expect(
      adaptTools(request(tools, { messages }), { toolName: /^[a-z_]+$/, namespaces: true, customTools: true }).request,
    ).toEqual(request(tools, { messages }))
  })
})

const parameters = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }
const look = { type: 'function', name: 'look', description: 'Looks', parameters, strict: false }
const deferred = { type: 'function', name: 'look', description: 'Looks', defer_loading: true }
const group = (tool: JsonObject) => ({ type: 'namespace', name: 'mcp__x', description: 'X', tools: [tool] })
const item = (type: string, ...tools: JsonObject[]) => ({ type, tools })
const say = { type: 'message', role: 'user', content: 'go' }

/** Names and parameters of the tools a provider gets. */
const told = (to: WireProtocol, body: JsonObject): [unknown, unknown][] =>
  to === 'gemini'
    ? asList(asObject(asList(body['tools'])[0])?.['functionDeclarations']).map((tool) => [
        asObject(tool)?.['name'],
        asObject(tool)?.['parametersJsonSchema'],
      ])
    : asList(body['tools']).map((entry) => {
        const tool = asObject(asObject(entry)?.['function']) ?? asObject(entry)
        return [tool?.['name'], tool?.['parameters'] ?? tool?.['input_schema']]
      })

describe.each(['chat', 'messages', 'gemini'] as const)('a tool declared twice, for %s', (to) => {
  const ask = (tools: JsonObject[], input: JsonObject[]) => asked('responses', to, { model: 'm', tools, input })

  it.each([
    ['deferred in tools, whole in additional_tools', [deferred], [item('additional_tools', look), say]],
    ['deferred in tools, loaded by a search', [deferred], [say, item('tool_search_output', look)]],
    ['whole first, by name later', [look], [item('additional_tools', deferred), say]],
  ])('stands once, with its parameters: %s', (_, tools, input) => {
    const { body, dropped } = ask(tools, input)
    expect(told(to, body)).toEqual([['look', parameters]])
    expect(dropped).toContain('tools[] of the same name')
  })

  it('stands once and loses nothing when it is declared alike', () => {
    const { body, dropped } = ask([look], [item('additional_tools', look), say])
    expect(told(to, body)).toEqual([['look', parameters]])
    expect(dropped).toEqual([])
  })

  it('is what was said last, where the first one stood', () => {
    const newer = { ...look, parameters: { ...parameters, required: [] } }
    const other = { ...look, name: 'other' }
    expect(told(to, ask([look, other], [item('additional_tools', newer), say]).body)).toEqual([
      ['look', newer.parameters],
      ['other', parameters],
    ])
  })

  it('is another one in a namespace', () => {
    const { body } = ask([look, group(deferred)], [item('additional_tools', group(look)), say])
    expect(told(to, body)).toEqual([
      ['look', parameters],
      ['mcp__x__look', parameters],
    ])
  })

  it("gets the client's own name back, with its namespace", () => {
    const request = readCanonical(
      conversionOf.responses,
      { model: 'm', tools: [look, group(deferred)], input: [item('additional_tools', group(look)), say] },
      '/v1/responses',
    )
    const { restore } = writeCanonical(request, conversionOf[to], { model: 'm', maxOutput: null })
    const events: AnswerEvent[] = []
    const emit = restore((event) => events.push(event))
    for (const name of ['look', 'mcp__x__look'])
      emit({ type: 'begin', block: 0, part: { kind: 'tool-call', id: 'c', name, custom: false } })
    expect(events).toMatchObject([{ part: { name: 'look' } }, { part: { name: 'look', namespace: 'mcp__x' } }])
    expect(events[0]).not.toMatchObject({ part: { namespace: 'mcp__x' } })
  })
})

it('a freeform tool and a function of one name are one tool, the later', () => {
  const patch = { type: 'custom', name: 'look', description: 'Looks' }
  const { body } = asked('responses', 'chat', {
    model: 'gpt-5',
    tools: [look],
    input: [item('additional_tools', patch), say],
  })
  expect(asList(body['tools'])).toHaveLength(1)
})
