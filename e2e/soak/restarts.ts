/**
 * `npm run soak -- --restarts 30`: an engine that is restarted under eight real agents, 64 streams of other clients and
 * two dashboards, in each way it may be.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { findRunningEngine } from '../../electron/engine/control/attach.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { openPage, type BrowserPage } from '../support/browser.ts'
import { removeHomes, type EngineProcess } from '../support/engine-process.ts'
import { say } from '../support/mock-upstream/index.ts'
import { agentMissing, realAgents, type RealAgent } from '../support/real/index.ts'
import { places, startAgent, type Person, type PlaceKind } from '../support/real/person.ts'
import { told } from '../support/real/told.ts'
import { closeWorld, openWorld } from '../support/real/world.ts'
import { seeded } from '../support/seeded.ts'
import { atRest } from '../support/nothing-more.ts'

const restarts = Number(process.env.ONWARD_SOAK_RESTARTS)
const everyMs = Number(process.env.ONWARD_SOAK_EVERY) * 1000
const seed = Number(process.env.ONWARD_SEED ?? 20_261_127)
const streams = 64
/** longer than any answer takes that an engine would cut */
const longestAnswerMs = 12_000
const names = ['work', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'] as const
/** No two parts are alike: Gemini CLI asks its person what to do about an answer that repeats itself. */
const words = Array.from({ length: 40 }, (_, n) => `Part no. ${n * 7919 + 101} is written. `).join('')
const lastWord = 'All of it is here.'

interface AgentPlace {
  agent: RealAgent
  how: PlaceKind
  name: (typeof names)[number]
}

/** The ways of an engine to make room for the next one. */
const ways = {
  /** a person starts the next one at once */
  async signal(engine: EngineProcess) {
    process.kill(engine.pid, 'SIGTERM')
  },
  /** a service manager waits for the end */
  service: (engine: EngineProcess) => engine.stop(),
  async handOver(engine: EngineProcess) {
    await engine.control.api.handOver.mutate()
  },
}

/** What has to end also where the test does before its end: eight agents would go on for ever. */
const open: (() => unknown)[] = []
const endAll = async () => {
  while (open.length > 0) await open.pop()?.()
}
afterAll(async () => {
  await endAll()
  removeHomes()
})

it('cuts nothing, loses nothing and asks nobody for a link', async () => {
  const random = seeded(seed)
  const world = await openWorld('anthropic')
  const { mock, tmux } = world
  let { engine } = world
  open.push(() => closeWorld({ ...world, engine }))
  const all = placesFor(names)
  const ownOf = ({ name }: AgentPlace) => `go on, ${name}`
  mock.otherwise = say('One part is written.')
  mock.script(({ auxiliary, lastUserText }) => {
    if (auxiliary !== null || !/go on, |^stream /.test(lastUserText ?? '')) return undefined
    const pieces = 10 + random.int(100)
    return say(`${words.slice(0, pieces * 10)}${lastWord}`, {
      piece: 10,
      pauseMs: Math.min(100, longestAnswerMs / (pieces * 1.5)),
    })
  })

  const people: { at: AgentPlace; person: Person }[] = []
  for (const at of all) {
    const person = await startAgent(at.agent, { engine, tmux, ...at })
    people.push({ at, person })
    open.push(() => person.dispose())
  }
  for (const { at, person } of people) await person.say(`Write the parts. <**stopMessage:"${ownOf(at)}",999**>`)
  letOthersGoFirst()
  const pages: BrowserPage[] = []
  for (let n = 0; n < 2; n++) {
    const opened = await openPage({}, /WebSocket|Failed to load|ERR_CONNECTION/)
    await opened.page.goto(await engine.dashboard())
    pages.push(opened)
    open.push(() => opened.close())
  }

  const counted = { whole: 0, refused: 0, cut: [] as string[], backMs: [] as number[] }
  let over = false
  open.push(() => (over = true))
  const client = async (n: number): Promise<void> => {
    for (let i = 1; !over; i++) {
      const outcome = await oneStream(`${engine.baseUrl}/v1/messages`, `stream ${n}, no. ${i}`)
      if (outcome === 'whole') counted.whole++
      else if (outcome === 'refused') {
        counted.refused++
        await pause(500)
      } else counted.cut.push(outcome)
    }
  }
  const clients = Array.from({ length: streams }, (_, n) => client(n))

  for (let n = 1; n <= restarts; n++) {
    await pause(everyMs)
    const before = engine
    const way = Object.keys(ways)[n % 3] as keyof typeof ways
    await ways[way](before)
    await waitFor(
      'its word that it ends',
      async () =>
        (await findRunningEngine(before.home))?.pid !== before.pid ||
        (await findRunningEngine(before.home))?.endsBy !== undefined,
    )
    engine = await before.restart()
    await before.stop()
    for (const { person } of people) person.follow(engine)
    const ready = performance.now()
    for (const { page } of pages) await page.locator('.app:not(.stale) .statusbar').getByText('Engine on').waitFor()
    counted.backMs.push(Math.round(performance.now() - ready))
    console.log(`restart ${n} (${way}): ${JSON.stringify({ ...counted, backMs: counted.backMs.at(-1) })}`)
  }
  over = true
  await Promise.all(clients)
  const says = Array.from(engine.control.sessions.values(), ({ client, say }) => `${client}: ${JSON.stringify(say)}`)
  console.log(says.join('\n'))
  for (const session of engine.control.sessions.values())
    if (session.stopMessage) await engine.control.api.clearStopMessage.mutate(session.id)
  await atRest(engine)
  await waitFor('all answers to be out', () => mock.requests.every(({ outcome }) => outcome !== null))

  const turns = mock.turns()
  const table = all.map((at) => {
    const own = ownOf(at)
    const mine = turns.filter((turn) => turn.lastUserText?.includes(own) && !turn.lastUserText.includes('stopMessage'))
    const events = engine.control.events
    return {
      at: `${at.agent.name} (${at.how})`,
      turns: mine.length,
      alone: mine.filter((turn) => told(turn) === own).length,
      left: mine.filter(({ outcome }) => outcome === 'left').length,
      // the same round asked twice: an answer that was cut, or a text typed twice
      doubled: mine.length - new Set(mine.map(({ body }) => body.toString().split(own).length)).size,
      events: events.length,
    }
  })
  console.table(table)
  console.log(JSON.stringify({ ...counted, cut: counted.cut.length }))
  await endAll()
  expect(counted.cut).toEqual([])
  for (const row of table) expect(row).toMatchObject({ alone: row.turns, left: 0, doubled: 0 })
  for (const row of table) expect(row.turns).toBeGreaterThan(0)
  expect(Math.max(...counted.backMs)).toBeLessThan(2_000)
  expect(mock.problems).toEqual([])
})

/**
 * Eight agents that draw take all of two cores. Engine and page are measured as they are where a person has cores for
 * their agents: the agents get what is left.
 */
function letOthersGoFirst(): void {
  const agents = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes('/e2e/agents/'))
  expect(agents.length).toBeGreaterThanOrEqual(names.length)
  for (const pid of agents) {
    setPriority(Number(pid), 19)
    // Linux weighs whole sessions against each other where it groups them: a process's own place counts within its own.
    if (existsSync(`/proc/${pid}/autogroup`)) writeFileSync(`/proc/${pid}/autogroup`, '19')
  }
}
/** empty for a process that has ended meanwhile */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

/** Eight of them, in terminals of all kinds. */
function placesFor(folders: readonly AgentPlace['name'][]): AgentPlace[] {
  const only = (process.env.ONWARD_SOAK_AGENTS ?? '').split(',').filter((name) => name !== '')
  const agents = Object.values(realAgents)
    .filter((agent) => agentMissing(agent) === null)
    .filter(({ client }) => only.length === 0 || only.includes(client))
  return folders.flatMap((name, i) => {
    const agent = agents[i % agents.length]
    const how = places[i % places.length]
    return agent && how ? [{ agent, how, name }] : []
  })
}

async function oneStream(url: string, text: string): Promise<string> {
  let answer: Response
  try {
    answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({
        model: 'mock-model',
        max_tokens: 4096,
        stream: true,
        messages: [{ role: 'user', content: text }],
      }),
    })
  } catch {
    return 'refused'
  }
  if (answer.status === 503) return 'refused'
  try {
    const body = await answer.text()
    const said = Array.from(body.matchAll(/"text_delta","text":"([^"]*)"/g), ([, piece]) => piece).join('')
    return answer.ok && said.endsWith(lastWord) && body.includes('message_stop')
      ? 'whole'
      : `${text}: ${body.slice(-300)}`
  } catch (error) {
    return `${text}: ${String(error)}`
  }
}
