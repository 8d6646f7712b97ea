import { describe, expect, it } from 'vitest'
import { entryProtocols } from '../../../shared/words.ts'
import { createContinueExecution } from '../servertools/continue-execution.ts'
import { heardOf, itemsOf, problemsOf, refusedOf, requestOf, userItem } from './testing/client-view.ts'
import { roundsScene, type SceneOptions } from './testing/rounds-scene.ts'
import { jsonType } from './testing/scripted-upstream.ts'
import { lookTool } from './testing/slow-tool.ts'

const tool = createContinueExecution({ language: () => 'en', terminalAlive: () => true })
const going = { name: 'continue_execution', id: 'call_go', input: { summary: 'go on' } }
const reading = { name: 'Read', id: 'call_read', input: { path: 'x' } }

const states: readonly [string, SceneOptions][] = [
  ['no terminal', { tools: [tool] }],
  ['no terminal, beside another tool', { tools: [tool, lookTool()] }],
  [
    'switched off',
    { tools: [tool], terminalId: 't1', config: { servertools: { tools: { continue_execution: false } } } },
  ],
  ['all switched off', { tools: [tool], terminalId: 't1', config: { servertools: { enabled: false } } }],
  ['a sub-agent', { tools: [tool], terminalId: 't1', kind: 'subagent' }],
  ['a title', { tools: [tool], terminalId: 't1', kind: 'title' }],
  ['no session', { tools: [tool], sessionId: null }],
]

/** the end of a model's answer in each protocol; a response of Responses is just completed */
const stopped = {
  chat: /"finish_reason":"stop"/,
  messages: /"stop_reason":"end_turn"/,
  gemini: /"finishReason":"STOP"/,
}

describe.each(entryProtocols)('continue_execution that a %s client’s request does not declare', (entry) => {
  const hi = userItem(entry, 'Hi')
  const providers = entryProtocols.map(
    (provider) => [provider === entry ? 'passed through' : `from ${provider}`, provider] as const,
  )

  it.each(states.flatMap(([state, options]) => [true, false].map((stream) => [state, stream, options] as const)))(
    'does not reach the client: %s (stream: %s)',
    async (_, stream, options) => {
      const s = await roundsScene(entry, options)
      const { client, over } = await s.ask(requestOf(entry, [hi]), { stream })
      const first = await s.upstream.round(1)
      expect(first.body.toString()).not.toContain('continue_execution')
      first.answer({ text: 'The first part is done.', toolCalls: [going] })
      const { end, error } = await over
      expect(error).toBeNull()
      expect(problemsOf(entry, client.text, stream)).toEqual([])
      expect(client.text).not.toMatch(/continue_execution|call_go|go on/)
      expect(heardOf(entry, client.text, stream)).toMatchObject({
        text: 'The first part is done.',
        calls: [],
      })
      if (entry !== 'responses') expect(client.text).toMatch(stopped[entry])
      expect(end.summary).toMatchObject({ finish: 'stop', toolNames: [] })
      expect(s.upstream.rounds).toHaveLength(1)
    },
  )

  it.each(providers.flatMap(([how, provider]) => [true, false].map((stream) => [how, stream, provider] as const)))(
    'is taken out beside a call of the client’s own, and alone something stands in its place: %s (stream: %s)',
    async (_, stream, provider) => {
      const s = await roundsScene(entry, { tools: [tool], provider })
      const both = await s.ask(requestOf(entry, [hi]), { stream })
      ;(await s.upstream.round(1)).answer({ text: 'I look.', toolCalls: [going, reading] })
      await both.over
      expect(problemsOf(entry, both.client.text, stream)).toEqual([])
      expect(heardOf(entry, both.client.text, stream)).toMatchObject({
        text: 'I look.',
        calls: [{ name: 'Read' }],
      })
      const alone = await s.ask(requestOf(entry, [userItem(entry, 'Go.')]), { stream })
      ;(await s.upstream.round(2)).answer({ toolCalls: [going] })
      await alone.over
      expect(problemsOf(entry, alone.client.text, stream)).toEqual([])
      expect(heardOf(entry, alone.client.text, stream)).toMatchObject({
        text: '(Onward: nothing was run)',
        calls: [],
      })
      expect(s.upstream.rounds).toHaveLength(2)
    },
  )

  it('is not run, and what follows in the conversation is a history that providers take', async () => {
    const s = await roundsScene(entry, { tools: [tool, lookTool()] })
    const { over } = await s.ask(requestOf(entry, [hi]))
    ;(await s.upstream.round(1)).answer({ text: 'So.', toolCalls: [going, { name: 'look', id: 'call_a', input: {} }] })
    const second = await s.upstream.round(2)
    expect(refusedOf[entry](second.json)).toEqual([])
    second.answer({ text: 'Done.' })
    expect((await over).end.continueWith).toBeUndefined()
    expect(s.events).toContainEqual({
      type: 'servertool-stripped',
      tools: ['continue_execution'],
      why: 'not-declared',
    })
    expect(itemsOf(entry, second.json).join()).toContain('seen call_a')
  })

  it('is the client’s own where it declares one of that name', async () => {
    const s = await roundsScene(entry, { tools: [tool], terminalId: 't1' })
    const { client, over } = await s.ask(requestOf(entry, [hi], { tools: ['continue_execution'] }))
    ;(await s.upstream.round(1)).answer({ text: 'I go.', toolCalls: [going] })
    await over
    expect(heardOf(entry, client.text).calls).toMatchObject([{ name: 'continue_execution' }])
  })
})

it('does not reach a client of Gemini that gets a JSON list that grows', async () => {
  const s = await roundsScene('gemini', { tools: [tool] })
  const { client, over } = await s.ask(requestOf('gemini', [userItem('gemini', 'Hi')]), { list: true })
  const round = await s.upstream.round(1)
  round.head(200, jsonType)
  const part = (parts: readonly object[], more: object = {}) =>
    JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }] })
  const call = { functionCall: { name: 'continue_execution', args: {} } }
  for (const piece of ['[', part([{ text: 'So.' }]), ',\r\n', part([call], { finishReason: 'STOP' }), ']'])
    round.data(piece)
  round.end()
  const { end } = await over
  expect(client.text).toBe(`[${part([{ text: 'So.' }])},\r\n${part([{ text: '' }], { finishReason: 'STOP' })}]`)
  expect(end.summary).toMatchObject({ finish: 'stop', toolNames: [] })
})
