/**
 * Real agents read no less from a provider's cache through Onward than without it. Each says the same twice: straight
 * to a provider, where a person types every message, and through Onward, whose followups and alarms do.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { promptCache } from '../electron/engine/pipeline/testing/prompt-cache.ts'
import { agents } from '../electron/engine/terminals/agents/index.ts'
import { writeLaunchFiles } from '../electron/engine/terminals/launch-files.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import type { EntryProtocol } from '../shared/words.ts'
import { tmuxDriver } from './support/agent-driver.ts'
import { installAgents } from './support/agents.ts'
import { typedAlarm, userTexts } from './support/alarm-story.ts'
import { eachTest } from './support/each-test.ts'
import { cleanEnv, newHome, projectsOf } from './support/engine-process.ts'
import { callTool, say, type AnswerPlan, type MockRequest, type MockUpstream } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { endAgents } from './support/real/end-agents.ts'
import { agentMissing, realAgents, type RealAgent } from './support/real/index.ts'
import { personAt, startAgent } from './support/real/person.ts'
import { startSkewedEngine } from './support/skewed-engine.ts'
import { tmuxMissing } from './support/tmux.ts'

const minute = 60_000
const followup = 'carry on with the next part'
const task = 'look at the tests'
const messages = { first: 'Write the parts.', last: 'Now look at the notes again.' } as const

const entries: Readonly<Record<RealAgent['provider'], EntryProtocol>> = {
  anthropic: 'messages',
  gemini: 'gemini',
  'openai-chat': 'chat',
  'openai-responses': 'responses',
}

/** The model reads the notes of the project, in the agent's own words. */
const reads: Readonly<Record<RealAgent['client'], (file: string) => AnswerPlan>> = {
  claude: (file_path) => callTool('Read', { file_path }),
  codex: (file) => callTool('exec_command', { cmd: `cat ${file}` }),
  gemini: (file_path) => callTool('read_file', { file_path }),
  opencode: (filePath) => callTool('read', { filePath }),
  qwen: (file_path) => callTool('read_file', { file_path }),
}

/** Characters of a turn's requests; Onward's own calls make further ones. */
interface TurnReads {
  /** what its first request reads from the cache */
  first: number
  read: number
  all: number
}

const each = eachTest()
const homes: string[] = []
afterEach(() => homes.splice(0).forEach(endAgents))

/** A provider with a cache. @returns what each turn reads; a turn is over with its plan's last answer */
function playing(mock: MockUpstream, agent: RealAgent, plan: readonly (readonly AnswerPlan[])[]): TurnReads[] {
  const cache = promptCache(entries[agent.provider])
  const answers = plan.flatMap((turn, at) => turn.map((answer) => ({ answer, at })))
  const turns: TurnReads[] = []
  mock.script((request) => {
    const next = request.auxiliary === null ? answers.shift() : undefined
    if (!next) return undefined
    const { read, all } = cache.ask(request.json)
    const turn = (turns[next.at] ??= { first: read, read: 0, all: 0 })
    turn.read += read
    turn.all += all
    return { ...next.answer, usage: { input: Math.ceil(all / 4), cachedInput: Math.floor(read / 4) } }
  })
  return turns
}

function place(home: string): { cwd: string; notes: string } {
  homes.push(home)
  const cwd = join(projectsOf(home), 'work')
  mkdirSync(cwd, { recursive: true })
  const notes = join(cwd, 'notes.txt')
  writeFileSync(notes, 'A note on one of the parts.\n'.repeat(100))
  return { cwd, notes }
}

async function throughOnward(agent: RealAgent): Promise<{ turns: TurnReads[]; alarm: string }> {
  const mock = await each.mock()
  const tmux = each.tmux()
  const engine = each.running(
    await startSkewedEngine({
      env: { PATH: `${installAgents().path}:${cleanEnv().PATH ?? ''}` },
      config: {
        providers: {
          mock: {
            type: agent.provider,
            baseUrl: agent.provider.startsWith('openai-') ? `${mock.baseUrl}/v1` : mock.baseUrl,
            keys: [{ alias: 'main', value: 'mock-key' }],
            models: { 'mock-model': {} },
          },
        },
        routes: { default: ['mock.mock-model'] },
      },
    }),
  )
  const { notes } = place(engine.home)
  const read = reads[agent.client](notes)
  const clock = callTool('clock', { action: 'get', items: [], taskId: '' })
  // Codex has a tool of that name itself.
  const own = agent.client === 'codex' ? [] : [clock]
  const one = say('One part is written.')
  const turns = playing(mock, agent, [[...own, read, one], [one], [one], [say('They are green.')], [read, one]])
  const person = await startAgent(agent, { engine, tmux, how: 'pane', name: 'work' })
  each.ends(() => person.dispose())
  await person.say(`${messages.first} <**stopMessage:"${followup}",2**>`)
  await mock.waitFor('the followups', () => turns[2], 240_000)
  await nothingMore(mock, engine)
  const { id: session } = await engine.control.session(({ scope }) => scope !== null)
  const dueAt = engine.clock.now() + 30 * minute
  await engine.control.api.addAlarm.mutate({ session, dueAt, task })
  engine.clock.jump(30 * minute)
  await mock.waitFor('the alarm', () => turns[3], 120_000)
  await nothingMore(mock, engine)
  const alarm = (userTexts(mock.turns().at(-1) as MockRequest).at(-1) ?? '').trim()
  expect(alarm).toMatch(typedAlarm(task))
  await person.say(messages.last)
  await mock.waitFor(
    'the last turn',
    () => (turns[4] && mock.turns().length >= 7 + own.length ? true : undefined),
    120_000,
  )
  await nothingMore(mock, engine)
  expect(mock.problems).toEqual([])
  // by the provider's own count, too
  expect(engine.control.sessions.get(session)?.cold).toBeUndefined()
  return { turns, alarm }
}

/** An agent waits for the end of a body: it comes at once. */
async function without(agent: RealAgent, alarm: string): Promise<TurnReads[]> {
  const mock = await each.mock({ gaps: [0] })
  const tmux = each.tmux()
  const home = newHome()
  const { cwd, notes } = place(home)
  const read = reads[agent.client](notes)
  const one = say('One part is written.')
  const turns = playing(mock, agent, [[read, one], [one], [one], [say('They are green.')], [read, one]])
  const launch = agents[agent.client].launch({
    baseUrl: mock.baseUrl,
    key: 'mock-key',
    args: [...agent.args],
    folder: join(home, 'launch'),
    cwd,
    read: () => null,
    platform: process.platform,
    root: process.getuid?.() === 0,
  })
  await writeLaunchFiles(launch)
  const agentHome = join(home, 'agent-home')
  const env = { ...agent.seedHome(agentHome, [cwd]), ...agent.ownOfStart?.(agentHome, 'work'), ...launch.env }
  const pane = tmux.session('work', 'bash --norc --noprofile', { cwd, env, cols: 120, rows: 40 })
  const driver = tmuxDriver(tmux, pane)
  driver.type(`PATH=${installAgents().path}:$PATH ${launch.argv.map((word) => `'${word}'`).join(' ')}`)
  driver.press('Enter')
  const person = personAt(agent, cwd, { ...driver, follow: () => undefined, dispose: () => undefined })
  for (const [at, text] of [messages.first, followup, followup, alarm, messages.last].entries()) {
    await person.say(text)
    const turnsSoFar = [2, 3, 4, 5, 7][at] ?? 0
    await mock.waitFor(text, () => mock.turns()[turnsSoFar - 1], 240_000)
    await waitFor('its end', () => mock.turns().at(-1)?.outcome)
  }
  return turns
}

/** What was measured, by agent: `without` Onward and `with` it. */
const found: Partial<Record<string, Record<'without' | 'with', readonly TurnReads[]>>> = {}

describe.each(Object.values(realAgents).map((agent) => [agent.name, agent] as const))('%s', (name, agent) => {
  it('reads no less with Onward, turn by turn', unless(firstOf(tmuxMissing, agentMissing(agent))), async () => {
    const { turns, alarm } = await throughOnward(agent)
    const bare = await without(agent, alarm)
    expect([bare.length, turns.length]).toEqual([5, 5])
    const less = turns.filter(
      ({ first, read }, at) => first < (bare[at]?.first ?? NaN) || read < (bare[at]?.read ?? NaN),
    )
    expect(less).toEqual([])
    found[name] = { without: bare, with: turns }
  })
})

const thousands = (characters: number): string => (characters / 1000).toFixed(1)

const short = (name: string): string => name.replace(/ (?:Code|CLI)$/, '')

/** Paths, dates and the name of the system differ from machine to machine: a figure that is as good as right stays. */
function cellOf(turn: TurnReads, cell = ''): string {
  const figures = [turn.read, turn.all - turn.read]
  const near = cell.split('+').map((figure, at) => Math.abs(Number(figure) * 1000 - (figures[at] ?? NaN)))
  return near.length === 2 && near.every((by, at) => by < Math.max(500, (figures[at] ?? NaN) / 20))
    ? cell
    : figures.map(thousands).join('+')
}

it('stands in the documents', async () => {
  const page = resolve(import.meta.dirname, '../docs/cost.md')
  const text = readFileSync(page, 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| '))
  const drawn = Object.values(realAgents).flatMap(({ name }) =>
    (['without', 'with'] as const).map((how) => {
      const head = `| ${short(name)} | ${how} |`
      const row = rows.find((line) => line.startsWith(head)) ?? `${head}  |  |  |  |`
      const cells = row.slice(head.length).split('|', 4)
      // Both followups are alike.
      const turns = found[name]?.[how].toSpliced(2, 1)
      const renewed = cells.map((cell, at) => (turns?.[at] ? cellOf(turns[at], cell.trim()) : cell.trim()))
      return `${head} ${renewed.join(' | ')} |`
    }),
  )
  const written = text.replace(
    /(<!-- cache reads: [^\n]*-->\n\n(?:\|[^\n]*\n){2})[^]*?(\n<!-- end -->)/,
    (_, before: string, after: string) => `${before}${drawn.join('\n')}\n${after}`,
  )
  await expect(written).toMatchFileSnapshot(page)
})
