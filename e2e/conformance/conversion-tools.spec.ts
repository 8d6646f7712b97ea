/** Tools through every pair of protocols: calls, results, errors, pictures in results, long loops. */
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { conversionBench, modelOf, pairs, spoken } from '../support/conversion-bench.ts'
import { heard } from '../support/heard.ts'
import { callTool, say } from '../support/mock-upstream/index.ts'
import type { SdkTool } from '../support/sdk-clients/index.ts'
import { onePixel } from '../support/sdk-clients/pictures.ts'
import { unless } from '../../shared/testing/unless.ts'

const b = conversionBench()
const ways = [
  ['whole', false],
  ['streaming', true],
] as const
const tools: SdkTool[] = [
  {
    name: 'look',
    description: 'Looks at a place',
    parameters: {
      type: 'object',
      properties: {
        at: { type: 'string' },
        deep: { type: 'object', properties: { of: { type: 'array', items: { type: 'number' } } } },
      },
      required: ['at'],
      additionalProperties: false,
    },
  },
  {
    name: 'read',
    description: 'Reads a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
]
const input = { at: 'a "quoted"\\n\nplace 世界 👋', deep: { of: [1, -2.5e3, 0] } }

describe.each(pairs)('$title', (pair) => {
  const { client, type } = pair
  const can = (lack: (typeof client.lacks)[number]): boolean => !client.lacks.includes(lack)

  it.each(ways)('calls one tool and gets its result, %s', async (_how, stream) => {
    b.answers(callTool('look', input, { text: 'Let me look.', piece: 3 }), say('A tree.'))
    const talk = b.talk(pair)
    talk.user('What is there?')
    const first = await talk.ask({ stream, tools })
    expect(first).toMatchObject({ text: 'Let me look.', finish: 'tool-calls', calls: [{ name: 'look', input }] })
    expect(b.heard(1).tools).toEqual(
      tools.map(({ name, parameters }) => ({ name, parameters: expect.objectContaining(parameters) as unknown })),
    )
    talk.results(first.calls.map((call) => ({ call, text: 'a tree\n  with "leaves" 世界' })))
    expect(await talk.ask({ stream, tools })).toMatchObject({ text: 'A tree.', finish: 'stop', calls: [] })
    const { calls, results } = b.heard(2)
    expect(calls).toEqual([{ id: expect.stringMatching(/./) as unknown, name: 'look', input }])
    expect(results).toMatchObject([{ id: calls[0]?.id, text: 'a tree\n  with "leaves" 世界' }])
  })

  it.each(ways)('calls several at once and answers them in any order, one with an error, %s', async (_how, stream) => {
    b.answers(
      {
        kind: 'answer',
        piece: 2,
        toolCalls: [
          { name: 'look', input, id: 'call_A' },
          { name: 'read', input: {}, id: 'call_B' },
          { name: 'look', input: { at: '' }, id: 'call_C' },
        ],
      },
      say('Seen.'),
    )
    const talk = b.talk(pair)
    talk.user('Look')
    const { calls, finish } = await talk.ask({ stream, tools })
    expect(finish).toBe('tool-calls')
    expect(calls).toMatchObject([
      { name: 'look', input },
      { name: 'read', input: {} },
      { name: 'look', input: { at: '' } },
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    talk.results(calls.map((call, i) => ({ call, text: `result ${i}`, isError: i === 1 })).reverse())
    expect((await talk.ask({ stream, tools })).text).toBe('Seen.')
    const said = b.heard(2)
    expect(said.calls).toEqual([
      { id: 'call_A', name: 'look', input },
      { id: 'call_B', name: 'read', input: {} },
      { id: 'call_C', name: 'look', input: { at: '' } },
    ])
    const byId = Object.fromEntries(said.results.map((r) => [r.id, r]))
    expect(Object.keys(byId).sort()).toEqual(['call_A', 'call_B', 'call_C'])
    for (const [i, id] of ['call_A', 'call_B', 'call_C'].entries()) expect(byId[id]?.text).toContain(`result ${i}`)
    if (can('result-error') && (type === 'anthropic' || type === 'gemini'))
      expect(said.results.filter((r) => r.isError).map((r) => r.id)).toEqual(['call_B'])
  })

  it(
    'hands back a picture, byte for byte',
    unless(can('result-picture') ? null : 'this pair has no pictures in results'),
    async () => {
      b.answers(callTool('look', { at: 'x' }), say('A red dot.'))
      const talk = b.talk(pair)
      talk.user('Look')
      const [call] = (await talk.ask({ stream: true, tools })).calls
      if (!call) throw new Error('no call')
      talk.results([{ call, text: 'see below', picture: onePixel }])
      expect((await talk.ask({ stream: true, tools })).text).toBe('A red dot.')
      expect(b.request(2).body.toString().split(onePixel.base64)).toHaveLength(2)
      expect(b.heard(2).results[0]?.text).toContain('see below')
    },
  )

  it('works through twenty rounds', async () => {
    const rounds = 20
    for (let i = 0; i < rounds; i++)
      b.answers(
        callTool(
          'look',
          { at: `place ${i}` },
          {
            piece: 5,
            ...(i % 3 === 0 ? { text: `Round ${i}.` } : {}),
            ...(i % 4 === 0 ? { thinking: `Hm ${i}.` } : {}),
          },
        ),
      )
    b.answers(say('All seen.'))
    const talk = b.talk(pair, 'Look everywhere.')
    talk.user('Go')
    let n = 0
    for (
      let reply = await talk.ask({ stream: true, tools, thinking: true });
      ;
      reply = await talk.ask({ stream: n % 2 === 0, tools, thinking: true })
    ) {
      if (reply.calls.length === 0) {
        expect(reply.text).toBe('All seen.')
        break
      }
      expect(reply.calls).toMatchObject([{ name: 'look', input: { at: `place ${n}` } }])
      talk.results(reply.calls.map((call) => ({ call, text: `nothing at ${n}` })))
      n++
    }
    expect(n).toBe(rounds)
    const { calls, results } = b.heard(rounds + 1)
    expect(calls.map((c) => c.input)).toEqual(Array.from({ length: rounds }, (_, i) => ({ at: `place ${i}` })))
    expect(results.map((r) => r.text)).toEqual(Array.from({ length: rounds }, (_, i) => `nothing at ${i}`))
    expect(results.map((r) => r.id)).toEqual(calls.map((c) => c.id))
    expect(new Set(calls.map((c) => c.id)).size).toBe(rounds)
  })
})

describe.each(spoken.filter((type) => type !== 'openai-responses'))('freeform tools of Responses over %s', (type) => {
  const patch = '*** Begin Patch\n*** Update File: a "b".txt\n@@\n-世界\n+\\n👋\n*** End Patch\n'
  const tools: OpenAI.Responses.Tool[] = [
    {
      type: 'custom',
      name: 'apply_patch',
      description: 'Edits files',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' },
    },
  ]

  it.each(ways)('become a function of one string, and free text again, %s', async (_how, stream) => {
    b.answers(callTool('apply_patch', { input: patch }, { piece: 3, call: { id: 'call_P' } }), say('Edited.'))
    const openai = new OpenAI({ baseURL: `${b.engine.baseUrl}/v1`, apiKey: b.engine.key, maxRetries: 0 })
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Edit' }]
    const ask = async (): Promise<OpenAI.Responses.Response> => {
      const body = { model: modelOf(type), tools, store: false, input }
      return stream ? openai.responses.stream(body).finalResponse() : openai.responses.create(body)
    }
    const first = await ask()
    const call = first.output.find((item) => item.type === 'custom_tool_call')
    expect(call).toMatchObject({ name: 'apply_patch', input: patch, call_id: 'call_P' })
    expect(b.heard(1).tools).toMatchObject([
      { name: 'apply_patch', parameters: { type: 'object', required: ['input'] } },
    ])
    input.push(...(first.output as OpenAI.Responses.ResponseInputItem[]), {
      type: 'custom_tool_call_output',
      call_id: 'call_P',
      output: 'Done',
    })
    expect((await ask()).output_text).toBe('Edited.')
    expect(b.heard(2)).toMatchObject({
      calls: [{ id: 'call_P', name: 'apply_patch', input: { input: patch } }],
      results: [{ id: 'call_P', text: 'Done' }],
    })
  })
})

describe.each(pairs.filter(({ client }) => client.speaks === 'openai-chat' || client.speaks === 'gemini'))(
  'names over $title',
  (pair) => {
    it('that a provider refuses come back as the client gave them', async () => {
      const name = 'files.read:all'
      const own: SdkTool[] = [
        { name, description: 'Reads', parameters: { type: 'object', properties: { at: { type: 'string' } } } },
      ]
      b.mock.script((request) => {
        const heardName = heard(request).tools[0]?.name ?? ''
        return heard(request).results.length > 0 ? say('Read.') : callTool(heardName, { at: 'x' })
      })
      const talk = b.talk(pair)
      talk.user('Read')
      const { calls } = await talk.ask({ stream: true, tools: own })
      expect(calls).toMatchObject([{ name, input: { at: 'x' } }])
      talk.results(calls.map((call) => ({ call, text: 'read' })))
      expect((await talk.ask({ stream: true, tools: own })).text).toBe('Read.')
      const { calls: back, tools: declared } = b.heard(2)
      expect(back.map((c) => c.name)).toEqual(declared.map((t) => t.name))
    })
  },
)
