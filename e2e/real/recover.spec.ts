/** Real agents whose provider fails while nobody looks: each goes on once, by itself, and not where a person is. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { everything } from '../../shared/testing/runs.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { projectsOf } from '../support/engine-process.ts'
import { auxiliaryText } from '../support/mock-upstream/auxiliary.ts'
import { fail, gate, say, type MockReply } from '../support/mock-upstream/index.ts'
import { nothingMore } from '../support/nothing-more.ts'
import { contextFull } from '../support/real/context-full.ts'
import { agentMissing, realAgents } from '../support/real/index.ts'
import type { Person, PlaceKind } from '../support/real/person.ts'
import { agentsIn, signal } from '../support/real/processes.ts'
import { allTold, followup, PATIENT_MS, seenTask, task, type Stage } from '../support/real/scenarios/stage.ts'
import { told } from '../support/real/told.ts'
import type { RealAgent } from '../support/real/types.ts'
import { agentWorld, type AgentWorld } from '../support/real/world.ts'
import { tmuxMissing } from '../support/tmux.ts'

const text = 'Continue where you left off.'
const rounds = 2

/**
 * Agents ask again for minutes; with these settings of a project they give up soon. The others have none: Qwen Code
 * 0.24.4 ignores its `maxRetries` for a model of the system's settings, as Onward names one.
 */
const givesUpSoon: Partial<Record<RealAgent['client'], readonly [path: string, settings: unknown]>> = {
  claude: ['.claude/settings.json', { env: { CLAUDE_CODE_MAX_RETRIES: '1' } }],
}

async function start({ agent, world, how }: Stage, patient?: 'patient'): Promise<Person> {
  const [path, settings] = (patient ? undefined : givesUpSoon[agent.client]) ?? []
  if (path !== undefined) {
    const file = join(projectsOf(world.engine.home), 'work', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(settings))
  }
  const person = await world.start(agent, { how })
  await person.say(task(rounds))
  return person
}

/** From the first followup on, or a task, everything that is asked of the provider fails. */
function breaks(
  { mock }: AgentWorld,
  reply: () => MockReply | Promise<MockReply>,
  from: string = followup,
): { over(): void } {
  let broken: boolean | null = null
  mock.script((request) => {
    broken ??= request.auxiliary === null && told(request) === from ? true : null
    return broken ? reply() : undefined
  })
  return {
    over() {
      broken = false
    },
  }
}
/** Whoever calls the provider next shows that it is back. */
const isBack = ({ engine }: AgentWorld) => engine.control.api.testProvider.mutate('mock')

/** Onward's own test of a provider asks for its models, which this mock has for other protocols only. */
const problems = ({ world }: Stage) => world.mock.problems.filter((one) => !one.endsWith('GET /v1beta/models'))

const inOrder = (texts: readonly string[]): string[] => texts.filter((one, at) => one !== texts[at - 1])
/** What a person or Onward said, without the agent's own tries and Onward's own calls. */
const said = (stage: Stage): string[] =>
  inOrder(allTold(stage).filter((one) => [seenTask, followup, text].includes(one)))

/** It asks again until a server that fails answers: nobody has to do anything (0.61.0). */
const asksForever: ReadonlySet<RealAgent['client']> = new Set(['gemini'])
/** After a 429 it asks ten times more, up to minutes apart, whatever the provider says of the time (0.24.4). */
const asksWhenSlowed: ReadonlySet<RealAgent['client']> = new Set(['gemini', 'qwen'])

type Failing = 'server' | 'connection' | 'slowed'
/** The agent has given up, or has tried in vain and goes on trying. @returns how many texts of ours it needs */
async function hasFailed({ agent, world }: Stage, who: Failing = 'server'): Promise<0 | 1> {
  const { control } = world.engine
  const asks = who === 'slowed' ? asksWhenSlowed : asksForever
  if (who === 'connection' || !asks.has(agent.client)) {
    await control.event('recover-waits', () => true, PATIENT_MS)
    return 1
  }
  await control.session(({ say: now }) => now.code === 'retrying' && now.tries > 1, PATIENT_MS)
  return 0
}

/** Where a text was needed it went out once, was confirmed by its request, and was no round. */
async function wentOn(stage: Stage, texts: 0 | 1, from: string = followup): Promise<void> {
  const { mock, engine } = stage.world
  const session = await engine.control.session((s) => s.shape === 'done', PATIENT_MS)
  expect(session.stopMessage).toMatchObject({ used: rounds, max: rounds, status: { reason: { code: 'rounds-used' } } })
  await nothingMore(mock, engine)
  const before = from === followup ? [seenTask, followup] : [seenTask]
  expect(said(stage)).toEqual(inOrder([...before, ...(texts > 0 ? [text] : []), followup]))
  expect(mock.turns().filter((turn) => told(turn) === text)).toHaveLength(texts)
  const bodies = engine.control.events.map(({ body }) => body)
  const typed = bodies.flatMap((body) =>
    body.type === 'queued' && body.source === 'recover' && body.text === text ? [body.entryId] : [],
  )
  expect(typed).toHaveLength(texts)
  expect(bodies.filter((body) => body.type === 'confirmed' && typed.includes(body.entryId))).toHaveLength(texts)
  expect(problems(stage)).toEqual([])
}

const halfAnAnswer = say('This part is only half written.', { piece: 4, breakOff: { after: 4, how: 'cut' } })
const soon = { headers: { 'retry-after': '1' } }
const failsWith =
  (reply: () => MockReply, { from = followup, who }: { from?: string; who?: Failing } = {}) =>
  async (stage: Stage) => {
    const { world } = stage
    const down = breaks(world, reply, from)
    await start(stage)
    const texts = await hasFailed(stage, who)
    if (texts > 0)
      expect(await world.engine.control.session((s) => s.say.code === 'turn-failed')).toMatchObject({
        recovers: true,
        stopMessage: { used: from === followup ? 1 : 0, max: rounds },
      })
    down.over()
    await isBack(world)
    await wentOn(stage, texts, from)
  }

const failures = {
  'is overloaded at its first message': failsWith(() => fail(529, soon), { from: seenTask }),
  'says nothing': failsWith(() => say('One part is written.', { hold: { at: 'head', until: gate() } })),
  'cuts its answer': failsWith(() => halfAnAnswer, { who: 'connection' }),
  'cuts its first answer': failsWith(() => halfAnAnswer, { from: seenTask, who: 'connection' }),
  'asks to go slower': failsWith(() => fail(429, { headers: { 'retry-after': '2' } }), { who: 'slowed' }),

  async 'refuses connections'(stage: Stage) {
    const { mock } = stage.world
    const down = breaks(stage.world, async () => {
      await mock.refuse()
      return fail(503)
    })
    await start(stage)
    const texts = await hasFailed(stage)
    down.over()
    await mock.accept()
    await isBack(stage.world)
    await wentOn(stage, texts)
  },

  async 'fails, and the engine dies meanwhile'(stage: Stage) {
    const { world } = stage
    const down = breaks(world, () => fail(500, soon))
    await start(stage)
    const texts = await hasFailed(stage)
    await world.engine.kill()
    world.replace(await world.engine.restart())
    down.over()
    await isBack(world)
    await wentOn(stage, texts)
  },

  async 'goes while the machine sleeps'(stage: Stage) {
    const { agent, world } = stage
    const asleep = gate()
    const down = breaks(world, () =>
      say('This part is only half written.', {
        piece: 4,
        hold: { at: 3, until: asleep },
        breakOff: { after: 4, how: 'reset' },
      }),
    )
    const { cwd } = await start(stage)
    const asked = await world.mock.waitFor(
      'the followup',
      (requests) => requests.find((one) => one.auxiliary === null && told(one) === followup),
      PATIENT_MS,
    )
    const all = [world.engine.pid, ...agentsIn(cwd, world.engine.home)]
    expect(all.length, agent.name).toBeGreaterThan(1)
    signal(all, 'SIGSTOP')
    asleep.open()
    await asked.over
    signal(all, 'SIGCONT')
    await hasFailed(stage, 'connection')
    down.over()
    await isBack(world)
    await wentOn(stage, 1)
  },

  async 'says that the context is full'(stage: Stage) {
    const { agent, world } = stage
    let compacted = 0
    let full: boolean | null = null
    world.mock.script((request) => {
      if (request.auxiliary === 'compaction') {
        compacted++
        full = false
        return say(auxiliaryText('compaction', request.json))
      }
      full ??= request.auxiliary === null && told(request) === followup ? true : null
      return full ? contextFull[agent.provider] : undefined
    })
    await start(stage)
    await wentOn(stage, compactsByItself.has(agent.client) ? 0 : 1)
    expect(compacted).toBeGreaterThan(0)
  },
} satisfies Record<string, (stage: Stage) => Promise<void>>

/** They make room and ask once more without anybody's word. Qwen Code leaves a conversation as short as this one. */
const compactsByItself: ReadonlySet<RealAgent['client']> = new Set(['claude', 'opencode'])

/** Nothing was typed since, and nothing will be. */
async function leftAlone(stage: Stage, typed: number): Promise<void> {
  const { mock, engine } = stage.world
  await isBack(stage.world)
  await nothingMore(mock, engine)
  expect(typedTexts(stage)).toBe(typed)
  expect(said(stage)).not.toContain(text)
  expect(problems(stage)).toEqual([])
}
const typedTexts = ({ world }: Stage) => world.engine.control.events.filter(({ body }) => body.type === 'typed').length

const meanwhile = (does: (person: Person, stage: Stage) => Promise<unknown>) => async (stage: Stage) => {
  const down = breaks(stage.world, () => halfAnAnswer)
  const person = await start(stage)
  await hasFailed(stage, 'connection')
  const typed = typedTexts(stage)
  await does(person, stage)
  down.over()
  await leftAlone(stage, typed)
}

const people = {
  'has begun a message': meanwhile((person) => person.draft('wait, what about')),

  'has paused it': meanwhile(async (_, { world: { engine } }) => {
    const { id } = await engine.control.session((s) => s.say.code === 'turn-failed')
    await engine.control.api.pause.mutate(id)
  }),

  'has quit': meanwhile(async (person, { agent, world, how }) => {
    await person.say(agent.quit)
    await world.engine.control.session((s) => s.shape === 'gone' || s.shape === 'failed', PATIENT_MS)
    if (how !== 'hosted') await person.until('the shell', () => person.atShell())
  }),

  async 'has pressed Esc'(stage: Stage) {
    const { agent, world } = stage
    const { control } = world.engine
    const down = breaks(world, () => fail(529, { headers: { 'retry-after': '30' } }))
    const person = await start(stage, 'patient')
    const { id } = await control.session((s) => s.say.code === 'retrying', PATIENT_MS)
    const typed = typedTexts(stage)
    person.press('Escape')
    if (agent.escAgain) {
      await person.shows(agent.escAgain)
      person.press('Escape')
    }
    await person.ready()
    await control.session((s) => s.id === id && s.say.code !== 'retrying' && s.shape !== 'working', PATIENT_MS)
    down.over()
    await leftAlone(stage, typed)
    expect(control.events.filter(({ body }) => body.type === 'recover-waits')).toEqual([])
  },
} satisfies Record<string, (stage: Stage) => Promise<void>>

interface Row {
  agent: RealAgent
  how: PlaceKind
  /** what `.ci/run` goes through: each agent something else */
  failure: keyof typeof failures
}
const table: readonly Row[] = [
  { agent: realAgents.claude, how: 'wrapped', failure: 'is overloaded at its first message' },
  { agent: realAgents.codex, how: 'hosted', failure: 'goes while the machine sleeps' },
  { agent: realAgents.opencode, how: 'pane', failure: 'refuses connections' },
  { agent: realAgents.gemini, how: 'hosted', failure: 'says that the context is full' },
  { agent: realAgents.qwen, how: 'pane', failure: 'cuts its answer' },
]

for (const { agent, how, failure } of table) {
  const missing = unless(firstOf(tmuxMissing, agentMissing(agent)))
  describe(`a real ${agent.name} whose provider`, missing, () => {
    const world = agentWorld({ ...agent, timeouts: { firstByteMs: 3_000, idleMs: 3_000 } })
    const names = everything ? (Object.keys(failures) as (keyof typeof failures)[]) : [failure]
    it.each(names)('%s, goes on once by itself', (name) => failures[name]({ agent, world, how }))
  })
  if (everything)
    describe(`a real ${agent.name} that waits, whose person`, missing, () => {
      const world = agentWorld(agent)
      it.each(Object.keys(people) as (keyof typeof people)[])('%s, is left alone', (name) =>
        people[name]({ agent, world, how }),
      )
    })
}
