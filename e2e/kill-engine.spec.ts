import { readFileSync } from 'node:fs'
import { typedAtOf, typingsOf, type OutboxEntry } from '../electron/engine/terminals/outbox/entry.ts'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TimelineEvent } from '../shared/events.ts'
import { stepOf, steps, startCrashWorld, type CrashWorld, type Step } from './support/crash-world.ts'
import { removeHomes } from './support/engine-process.ts'
import { atOnce } from './support/outbox-files.ts'
import { createTranscript } from './support/transcript.ts'
import { seeded, type Seeded } from './support/seeded.ts'
import { tmuxMissing } from './support/tmux.ts'
import { homes, type TerminalHome, type TurnAgent } from './support/turn-agents.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { everything } from '../shared/testing/runs.ts'
import { unless } from '../shared/testing/unless.ts'

/**
 * How many times engines are killed in all, and the seed; both may be given to look for rarer moments, or one again.
 */
const kills = Number(process.env.ONWARD_KILLS ?? (everything ? 200 : 24))
const seed = Number(process.env.ONWARD_SEED ?? 20_260_801)
/** Two engines at a time, each with an agent in all three homes. */
const worlds = 2
const saying = Math.ceil((kills * 0.75) / worlds)
const goingOn = Math.ceil((kills * 0.25) / worlds)

/** When to kill: as soon as a step is seen at one agent's newest entry, or at any moment. */
type Moment = 'acknowledged' | 'typing' | 'text' | 'enter' | 'submitted' | 'confirmed' | 'asked' | 'answered' | 'random'
/** Killing at this moment meets the step. */
const momentOf: Readonly<Record<Exclude<Step, 'enter owed'>, Moment>> = {
  queued: 'acknowledged',
  'typing, nothing typed': 'typing',
  'typing, text typed': 'text',
  'typing, Enter pressed': 'enter',
  submitted: 'submitted',
  'confirmed, answer runs': 'asked',
  'confirmed, answered': 'answered',
}
const moments = ['acknowledged', 'typing', 'text', 'enter', 'submitted', 'confirmed', 'asked', 'answered'] as const

describe('kill -9 of the engine at any moment', unless(tmuxMissing), () => {
  let made: CrashWorld[]

  // Another try begins with engines of its own: what the one before left behind may not run any more.
  beforeEach(async () => {
    made = []
    await all(
      Array.from({ length: worlds }, async (_, i) => {
        made.push(await startCrashWorld({ name: `w${i}`, thinkMs: 400 }))
      }),
    )
  })
  afterEach(() => all(made.map((world) => world.dispose())))
  afterAll(removeHomes)

  it(
    `${saying * worlds} times while followups of a person are on their way: none is lost, none typed twice`,
    async () => {
      console.log(`seed ${seed}`)
      const hits = new Map<string, number>()
      const hit = (step: Step, home: TerminalHome) =>
        hits.set(`${step} ${home}`, (hits.get(`${step} ${home}`) ?? 0) + 1)
      const hitsAt = (step: Step) => homes.map((home) => hits.get(`${step} ${home}`) ?? 0).reduce((a, b) => a + b)
      const wanted = steps.filter((step): step is keyof typeof momentOf => step !== 'enter owed')
      const unmet = () => wanted.filter((step) => hitsAt(step) === 0).map((step) => momentOf[step])
      await all(made.map((world, i) => sayAndKill(world, seeded(seed + i), hit, unmet)))
      console.log(table(hits))
      for (const step of wanted) expect(hitsAt(step), step).toBeGreaterThan(0)
    },
    300_000 + saying * 10_000,
  )

  it(
    `${goingOn * worlds} times while stopMessage keeps the agents going: each round submitted is counted, once`,
    async () => {
      await all(made.map((world, i) => goOnAndKill(world, seeded(seed + 100 + i))))
    },
    300_000 + goingOn * 10_000,
  )
})

/** A machine so busy that the kills came too soon needs more time between those that follow. */
const extraMs = (n: number, planned: number): number => Math.min(5_000, 300 * Math.max(0, n - planned))

async function sayAndKill(
  world: CrashWorld,
  random: Seeded,
  hit: (step: Step, home: TerminalHome) => void,
  unmet: () => readonly Moment[],
): Promise<void> {
  const { agents, files } = world
  const pids = agents.map((agent) => agent.pid)
  const transcript = createTranscript()
  // A few kills may miss a step: they go on until each was met.
  for (let n = 1; n <= saying || (unmet().length > 0 && n <= 10 * saying); n++) {
    const watched = random.pick([agents[0], ...agents.slice(1)] as [TurnAgent, ...TurnAgent[]])
    // Each moment once, then as it comes; once the kills that were planned are over, the moments still missed.
    const planned: Moment = moments[n - 1] ?? (random.chance(0.5) ? 'random' : random.pick(moments))
    const missed = unmet()
    const moment = n <= saying ? planned : (missed[random.int(missed.length)] ?? planned)
    const said: Promise<void>[] = []
    for (const agent of agents) {
      // One behind the other now and then; else there is one on its way to every agent.
      if (agent === watched || transcript.pending(files, agent).length === 0 || random.chance(0.1))
        said.push(transcript.say(world.engine, agent, `followup ${n} for the ${agent.home} agent`))
    }
    await untilMoment(moment, watched, world, said, random, 10_000)
    await world.kill()
    await Promise.race([Promise.all(said), new Promise((resolve) => setTimeout(resolve, 200))])
    for (const agent of agents) {
      const newest = world.newest(agent)
      const step = newest && stepOf(newest, agent)
      if (step) hit(step, agent.home)
    }
    transcript.check(files)
    await world.restart(random.chance(0.1) ? { endAfterMs: random.int(450) } : {})
    for (const agent of agents) await tidyComposer(world, agent, random)
  }
  // Left alone, everything that waits goes out, one after the other: kills on a slow machine leave many.
  const waiting = () => agents.flatMap((agent) => transcript.pending(files, agent).map((entry) => ({ agent, entry })))
  const told = () => waiting().map(({ agent, entry }) => `${JSON.stringify(entry)}\n${story(world, agent, entry.text)}`)
  for (let left = Infinity; left > 0; left = waiting().length) {
    const isThrough = async () => {
      for (const agent of agents) await tidyComposer(world, agent, random)
      const now = waiting().length
      return now === 0 ? agents.every((agent) => agent.idle()) : now < left
    }
    await waitFor('the next of what was said to be through', isThrough).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${told().join('\n')}`)
    })
  }
  transcript.check(files)

  const acknowledged = transcript.all().filter((s) => s.entryId !== null)
  for (const one of transcript.all()) {
    // Whatever the agent has was asked of the model, and that request proves it, however late.
    if (one.agent.submits().includes(one.text))
      expect(one.state, `${one.text}\n${story(world, one.agent, one.text)}`).toBe('confirmed')
    else if (one.entryId !== null) expect(['unknown', 'failed'], `${one.text} was never submitted`).toContain(one.state)
  }
  const ends = acknowledged.map(
    (s) =>
      `${s.state}` +
      (s.state === 'unknown' ? (s.agent.read().includes(s.text) ? ', taken out by the person' : ', never typed') : ''),
  )
  console.log(
    `${acknowledged.length} acknowledged of ${transcript.all().length} said; ${tally(ends)}; not acknowledged: ${tally(
      transcript
        .all()
        .filter((s) => s.entryId === null)
        .map((s) => s.refused ?? 'no answer'),
    )}`,
  )
  expect(agents.map((agent) => agent.pid)).toEqual(pids)
  for (const agent of agents)
    expect(
      agent.notes().filter((note) => note.type === 'start'),
      'started once',
    ).toHaveLength(1)
  expect(world.mock.problems).toEqual([])
}

async function untilMoment(
  moment: Moment,
  agent: TurnAgent,
  world: CrashWorld,
  said: readonly Promise<void>[],
  random: Seeded,
  limitMs: number,
): Promise<void> {
  if (moment === 'random') return new Promise((resolve) => setTimeout(resolve, random.int(1_000)))
  if (moment === 'acknowledged')
    return void (await Promise.race([Promise.all(said), new Promise((resolve) => setTimeout(resolve, random.int(60)))]))
  const { home, port } = world.engine
  const before = new Map(
    ['submit', 'ask', 'answer', 'read'].map((type) => [type, agent.notes().filter((n) => n.type === type).length]),
  )
  const more = (type: string) => agent.notes().filter((n) => n.type === type).length > (before.get(type) ?? 0)
  const isIn = (state: string) =>
    world.newest(agent)?.phase.state === state &&
    world.files.of(agent.scope)?.entries.every((e) => e.phase.state !== 'queued') === true
  const look: Record<Exclude<Moment, 'random' | 'acknowledged'>, () => boolean> = {
    typing: () => isIn('typing'),
    text: () => more('read'),
    enter: () => more('submit'),
    submitted: () => isIn('submitted'),
    confirmed: () => isIn('confirmed'),
    asked: () => more('ask'),
    answered: () => more('answer'),
  }
  await Promise.all(said)
  await atOnce([`${home}/sessions/127.0.0.1_${port}/outbox`, agent.logFile], look[moment], limitMs)
}

/** A person finds a text in the composer that nobody types on: sends it, or takes it out. */
async function tidyComposer(world: CrashWorld, agent: TurnAgent, random: Seeded): Promise<void> {
  const text = agent.composer()
  if (text === '') return
  const entry = world.files.entry(agent.scope, (e) => e.text === text)
  if (entry?.phase.state !== 'unknown') return
  await agent.press(world.engine, random.chance(0.5) ? '\r' : '\u0015')
  await waitFor('an empty composer', () => agent.composer() === '')
}

async function goOnAndKill(world: CrashWorld, random: Seeded): Promise<void> {
  const { agents, files } = world
  const text = 'go on with the next part'
  const typed = new Map(agents.map((agent) => [agent, new Map<string, OutboxEntry>()]))
  const before = new Map(agents.map((agent) => [agent, { submits: agent.submits().length, read: agent.read().length }]))
  const sent = (agent: TurnAgent) =>
    agent
      .submits()
      .slice(before.get(agent)?.submits)
      .filter((s) => s === text).length
  const note = () => {
    for (const agent of agents)
      for (const entry of files.of(agent.scope)?.entries ?? []) {
        if (entry.source === 'stopMessage' && typings(entry) > 0) typed.get(agent)?.set(entry.id, entry)
      }
  }
  // a pause in the middle takes the text out again
  const typings = ({ phase }: OutboxEntry) => typingsOf(phase) + (typedAtOf(phase) === null ? 0 : 1)
  let nudges = 0
  /** Where a crash left a round unknown and the agent idle, a person speaks the next word. */
  const nudge = async (agent: TurnAgent) => {
    await tidyComposer(world, agent, random)
    const busy = () =>
      !agent.idle() ||
      agent.composer() !== '' ||
      (files
        .of(agent.scope)
        ?.entries.some(
          (e) => e.phase.state === 'queued' || e.phase.state === 'submitted' || e.phase.state === 'typing',
        ) ??
        false)
    if (busy()) return
    nudges++
    await agent.say(world.engine, `and now part ${nudges}`)
  }

  for (const agent of agents) {
    await world.engine.control.api.setStopMessage.mutate({ session: agent.session, text, rounds: 900 })
    await nudge(agent)
  }
  // On a busy machine an engine may be killed before anybody went on: the test is about those who did.
  const enough = () => agents.every((agent) => sent(agent) > 0)
  for (let n = 1; n <= goingOn || (!enough() && n <= 10 * goingOn); n++) {
    await new Promise((resolve) => setTimeout(resolve, 50 + random.int(1_500) + extraMs(n, goingOn)))
    await world.kill()
    note()
    await world.restart(random.chance(0.1) ? { endAfterMs: random.int(450) } : {})
    for (const agent of agents) await nudge(agent)
  }
  for (const agent of agents) await world.engine.control.api.pause.mutate(agent.session)
  await waitFor('everything to come to rest', async () => {
    for (const agent of agents) await tidyComposer(world, agent, random)
    return agents.every(
      (agent) =>
        agent.idle() &&
        files.of(agent.scope)?.entries.every((e) => e.phase.state !== 'typing' && e.phase.state !== 'submitted'),
    )
  })
  note()
  for (const agent of agents) {
    const { stopMessage } = await world.engine.control.api.session.query(agent.session)
    expect(sent(agent), `${agent.home}: it went on at all`).toBeGreaterThan(0)
    expect(stopMessage?.used, `${agent.home}: rounds counted, and rounds the agent was given`).toBe(sent(agent))
    const entries = Array.from(typed.get(agent)?.values() ?? [])
    expect(
      agent.read().slice(before.get(agent)?.read).split(text).length - 1,
      `${agent.home}: typed no oftener than there were rounds\n${JSON.stringify(
        entries.map((e) => [e.id, e.phase]),
      )}\n${agent
        .notes()
        .slice(-70)
        .map((n) => JSON.stringify(n))
        .join('\n')}`,
    ).toBeLessThanOrEqual(entries.map(typings).reduce((a, b) => a + b, 0))
    expect(agent.alive()).toBe(true)
  }
  console.log(
    `rounds ${agents.map((agent) => `${agent.home} ${sent(agent)}`).join(', ')}; a person had to speak ${nudges} times`,
  )
  expect(world.mock.problems).toEqual([])
}

/** What is known of a text, for whoever has to find out why. */
function story(world: CrashWorld, agent: TurnAgent, text: string): string {
  const { home, port } = world.engine
  const events = readFileSync(`${home}/sessions/127.0.0.1_${port}/timeline.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line.includes(agent.scope))
    .map((line) => JSON.parse(line) as TimelineEvent)
    .map(({ at, body }) => ({ at, line: `engine ${JSON.stringify(body)}` }))
  const notes = agent.notes().map((note) => ({ at: note.at, line: `agent  ${JSON.stringify(note)}` }))
  const from = notes.find(({ line }) => line.includes(text))?.at ?? 0
  return [...events, ...notes]
    .filter(({ at }) => at > from - 1_000 && at < from + 6_000)
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, line }) => `${at} ${line}`)
    .join('\n')
}

/** All of them to their end, also when one fails: the others still use what the test shares. */
async function all(work: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(work)) if (one.status === 'rejected') throw one.reason
}

function tally(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Array.from(counts, ([word, count]) => `${count} ${word}`).join(', ')
}

function table(hits: ReadonlyMap<string, number>): string {
  const row = (label: string, cells: readonly (string | number)[]) =>
    label.padEnd(24) + cells.map((cell) => String(cell).padStart(9)).join('')
  return [
    row('killed at', homes),
    ...steps.map((step) =>
      row(
        step,
        homes.map((home) => hits.get(`${step} ${home}`) ?? 0),
      ),
    ),
  ].join('\n')
}
