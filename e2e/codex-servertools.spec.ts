/** Onward's own tools inside the answers a real Codex gets: it works on and never hears of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexWorld, type CodexWorld } from './support/codex-world.ts'
import { workingConfig } from './support/codex.ts'
import { heard } from './support/heard.ts'
import { at } from './support/mock-upstream/json-path.ts'
import { say, type AnswerPlan, type MockReply, type MockRequest } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { conversationOf, expectOneHistory, expectReasoningFollowed, toolsOf } from './support/provider-history.ts'
import { tmuxMissing } from './support/tmux.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'

const config = (model = 'gpt-5.5') => workingConfig(model)
const clock = { name: 'clock', input: { action: 'get', items: [], taskId: '' } }
const run = (cmd: string) => ({ name: 'exec_command', input: { cmd } })
const answer = (plan: Omit<AnswerPlan, 'kind'>): AnswerPlan => ({ kind: 'answer', piece: 7, ...plan })

/**
 * One answer of Codex's loop, made of as many of the provider's as its tools ask for; each but the last of them is
 * hidden.
 */
const kinds: readonly ((i: number) => readonly AnswerPlan[])[] = [
  // both in one answer, ours first
  (i) => [
    answer({
      thinking: `Thought ${i}.`,
      text: `Step ${i}: time and work.`,
      toolCalls: [clock, run(`echo step ${i} >> steps`)],
    }),
  ],
  // only ours, then Codex's
  (i) => [
    answer({ thinking: `Thought ${i}.`, text: `Step ${i}: first the time.`, toolCalls: [clock] }),
    answer({ thinking: `Then ${i}.`, toolCalls: [run(`echo step ${i} >> steps`)] }),
  ],
  // several of ours, then both, Codex's first
  (i) => [
    answer({ thinking: `Thought ${i}.`, toolCalls: [clock, clock, clock] }),
    answer({ text: `Step ${i}: again.`, toolCalls: [run(`echo step ${i} >> steps`), clock] }),
  ],
  // ours alone without a word, twice
  (i) => [
    answer({ toolCalls: [clock] }),
    answer({ toolCalls: [clock] }),
    answer({ thinking: `Thought ${i}.`, text: `Step ${i}.`, toolCalls: [run(`echo step ${i} >> steps`)] }),
  ],
  // none of ours
  (i) => [
    answer({ thinking: `Thought ${i}.`, text: `Step ${i}: no clock.`, toolCalls: [run(`echo step ${i} >> steps`)] }),
  ],
  // ours between two of Codex's
  (i) => [answer({ thinking: `Thought ${i}.`, toolCalls: [run(`echo step ${i} >> steps`), clock, run('true')] })],
]
const loop = (steps: number): MockReply[] =>
  Array.from({ length: steps }, (_, i) => kinds[i % kinds.length]?.(i) ?? []).flat()
const clocksIn = (plans: readonly MockReply[]): number =>
  plans.flatMap((plan) => (plan.kind === 'answer' ? (plan.toolCalls ?? []) : [])).filter(({ name }) => name === 'clock')
    .length
const thoughtsIn = (plans: readonly MockReply[]): number =>
  plans.filter((plan) => plan.kind === 'answer' && plan.thinking !== undefined).length

/** Plays the loop, and a second turn behind it. @returns what the provider got */
async function play({ mock, engine, start }: CodexWorld, steps: number): Promise<readonly MockRequest[]> {
  const answers = loop(steps)
  mock.queue(
    ...answers,
    say('Every step is done.'),
    answer({ thinking: 'Late?', toolCalls: [clock] }),
    say('It is late now.'),
  )
  const codex = await start({ how: 'pane', config: config() })
  await codex.say('Take the steps.')
  await mock.turn(answers.length + 1)
  await codex.shows('Every step is done.')
  await codex.say('Tell me the time.')
  const requests = [...Array.from({ length: answers.length + 3 }).keys()].map((i) => mock.turn(i + 1))
  await Promise.all(requests)
  await codex.shows('It is late now.')
  await nothingMore(mock, engine)

  expect(readFileSync(join(codex.cwd, 'steps'), 'utf8')).toBe(
    Array.from({ length: steps }, (_, i) => `step ${i}\n`).join(''),
  )
  const turns = mock.turns()
  expect(turns).toHaveLength(answers.length + 3)
  expectOneHistory(turns)
  for (const request of turns) {
    const { calls, results, tools } = heard(request)
    expect(results.map(({ id }) => id).toSorted()).toEqual(calls.map(({ id }) => id).toSorted())
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['exec_command', 'clock', 'continue_execution']),
    )
    expect(request.body.toString()).not.toMatch(/unsupported call/i)
  }
  const last = heard(turns.at(-1) as MockRequest)
  expect(last.results.filter(({ text }) => text.includes('nowMs'))).toHaveLength(clocksIn(answers) + 1)
  // thinking of hidden rounds, too
  expect(last.seals).toHaveLength(thoughtsIn(answers) + 1)
  expect(codex.screen()).not.toMatch(/unsupported/i)
  const ran = engine.control.events.filter(({ body }) => body.type === 'servertool-ran')
  expect(ran).toHaveLength(clocksIn(answers) + 1)
  expect(engine.control.events.filter(({ body }) => /^servertool-(failed|stripped)|problem/.test(body.type))).toEqual(
    [],
  )
  expect(mock.problems).toEqual([])
  return turns
}

describe('a real Codex over openai-responses', unless(tmuxMissing), () => {
  const world = codexWorld()

  it('works through a long loop with Onward’s tools in its answers', async () => {
    for (const request of await play(world, 20)) expectReasoningFollowed(request)
  })

  it('is offered tools beside its own where those stand in front of the conversation, and takes scripts', async () => {
    const { mock } = world
    const steps = [0, 1, 2, 3]
    mock.queue(
      ...steps.map((i) =>
        answer({
          thinking: `Thought ${i}.`,
          text: `Step ${i}.`,
          toolCalls: [
            { name: 'continue_execution', input: { summary: `step ${i}` } },
            {
              name: 'exec',
              namespace: 'functions',
              freeform: true,
              input: `text((await tools.exec_command({ cmd: "echo step ${i} >> steps" })).output)`,
            },
          ],
        }),
      ),
      say('Every step is done.'),
    )
    const codex = await world.start({ how: 'pane', config: config('gpt-6.1-sol') })
    await codex.say('Take the steps.')
    await mock.turn(5)
    await codex.shows('Every step is done.')
    await nothingMore(mock, world.engine)
    expect(readFileSync(join(codex.cwd, 'steps'), 'utf8')).toBe(steps.map((i) => `step ${i}\n`).join(''))
    const turns = mock.turns()
    expectOneHistory(turns)
    turns.forEach(expectReasoningFollowed)
    const names = at(turns[0]?.json, 'input', 0, 'tools')
    // it has a namespace `clock` of its own
    expect(Array.isArray(names) && names.map((tool) => String(at(tool, 'name')))).toEqual([
      'functions',
      'clock',
      'collaboration',
      'continue_execution',
    ])
    expect(toolsOf(turns[0] as MockRequest)).toBe('null')
    expect(heard(turns[4] as MockRequest)).toMatchObject({
      calls: steps.map((i) => ({ input: { summary: `step ${i}` } })),
      results: steps.map(() => ({ text: 'The next turn begins with your summary.' })),
    })
    for (const { body } of turns) expect(body.toString()).not.toMatch(/unsupported call/i)
    expect(mock.problems).toEqual([])
  })

  it('makes room: the summary is asked for with the whole history, and what was hidden is forgotten', async () => {
    const { mock, engine } = world
    const hidden = join(engine.home, 'sessions')
    const kept = () =>
      readdirSync(hidden, { recursive: true, encoding: 'utf8' }).filter((path) =>
        /servertool-pending\/.+\.json$/.test(path),
      )
    mock.queue(
      answer({ thinking: 'Late?', text: 'Let me see.', toolCalls: [clock] }),
      say('It is late.'),
      say('Go on then.'),
      say('Still late.'),
    )
    const codex = await world.start({ how: 'pane', config: config() })
    await codex.say('Tell me the time.')
    await codex.shows('It is late.')
    await waitFor('the hidden round on the disk', () => kept().length === 1)
    await codex.say('/compact')
    const summary = await mock.waitFor('a summary', (requests) =>
      requests.find((r) => r.auxiliary === 'compaction' && r.outcome !== null),
    )
    const [, second] = mock.turns()
    if (!second) throw new Error('no second round')
    expect(conversationOf(summary).slice(0, conversationOf(second).length)).toEqual(conversationOf(second))
    await codex.say('Tell me again.')
    await codex.shows('Go on then.')
    const last = await mock.turn(3)
    expect(heard(last)).toMatchObject({ calls: [], results: [], seals: [] })
    expect(toolsOf(last)).toBe(toolsOf(second))
    // a request without any answer in it may be a part only; the next one shows that the answer is gone
    await codex.say('Once more.')
    await codex.shows('Still late.')
    expectOneHistory([last, await mock.turn(4)])
    expect(kept()).toEqual([])
    expect(mock.problems).toEqual([])
  })
})

describe.each(['anthropic', 'openai-chat'] as const)('a real Codex over %s', unless(tmuxMissing), (type) => {
  const world = codexWorld({ type })

  it('works through a loop with Onward’s tools in its answers', async () => {
    await play(world, 6)
  })
})
