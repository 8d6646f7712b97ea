import { describe, expect, it } from 'vitest'
import { conversionOf } from '../../conversions.ts'
import { asked } from '../../testing/asked.ts'
import { asList, asObject, type JsonObject } from '../../values.ts'
import type { AnswerEvent } from '../answer.ts'
import { readCanonical, writeCanonical } from '../convert-request.ts'
import type { WireProtocol } from '../request.ts'

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
