/** Real agents tell Onward by hooks of their process when they rest and ask, beside their person's own hooks. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstOf, notOnLinux, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { say } from './support/mock-upstream/index.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import type { Person } from './support/real/person.ts'
import type { RealAgent } from './support/real/types.ts'
import { agentWorld, type AgentWorld } from './support/real/world.ts'
import { tmuxMissing } from './support/tmux.ts'

const { claude, qwen } = realAgents
/** when a terminal is read first after an answer that calls a tool, in milliseconds */
const FIRST_LOOK_MS = 1_500
/** a person's own */
const hook = (file: string) => ({ Stop: [{ hooks: [{ type: 'command', command: `echo ran >>'${file}'` }] }] })

/**
 * How soon a question was told after the answer that led to it, in milliseconds: of three at most, since a busy machine
 * draws one late.
 */
async function soonest({ mock, engine }: AgentWorld, person: Person, { dialog }: RealAgent): Promise<number> {
  const { events } = engine.control
  const asked = () => events.filter(({ body }) => body.type === 'needs-you')
  let least = Infinity
  for (let i = 0; i < 3 && least >= FIRST_LOOK_MS; i++) {
    const before = asked().length
    mock.queue(dialog.reply(`file-${i}`), say('Done.'))
    await person.say('Make the file.')
    await waitFor('the question', () => asked().length > before)
    const ended = events.findLast(({ body }) => body.type === 'turn-ended' && body.kind === 'turn')
    least = Math.min(least, (asked().at(-1)?.at ?? NaN) - (ended?.at ?? NaN))
    await waitFor('the question to go', () => {
      if (!dialog.shows.test(person.screen())) return true
      person.press(...dialog.yes)
      return false
    })
  }
  return least
}

describe('hooks of Claude Code', unless(firstOf(notOnLinux, tmuxMissing, agentMissing(claude))), () => {
  const world = agentWorld(claude)
  /** settings of the person's own, in their file and as an argument, each with a hook that writes into a file */
  function persons(): { args: string[]; ran: readonly string[] } {
    const { home } = world.engine
    const [inFile, given] = [join(home, 'in-file'), join(home, 'given')]
    const folder = join(home, 'agent-home', '.claude')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ hooks: hook(inFile) }))
    writeFileSync(join(home, 'own.json'), JSON.stringify({ hooks: hook(given) }))
    return { args: ['--settings', join(home, 'own.json')], ran: [inFile, given] }
  }

  it.each(['pane', 'hosted'] as const)('a question is told before the screen would be read (%s)', async (how) => {
    const person = await world.start(claude, { how })
    expect(await soonest(world, person, claude)).toBeLessThan(FIRST_LOOK_MS)
  })

  it('an idle screen is believed without the settle time, and the person’s own hooks run', async () => {
    const { mock, engine } = world
    const config = join(engine.home, 'config.json')
    const settings = { ...JSON.parse(readFileSync(config, 'utf8')), stopMessage: { settleMs: 60_000 } }
    const revision = async () => (await engine.control.api.status.query()).configRevision
    const before = await revision()
    writeFileSync(config, JSON.stringify(settings))
    await waitFor('the config', async () => (await revision()) !== before)
    const { args, ran } = persons()
    const person = await world.start(claude, { how: 'pane', args })
    await person.say('Write the parts.')
    const session = (await mock.turn(1)).headers['x-claude-code-session-id'] ?? ''
    await waitFor('the person’s own hooks', () => ran.every((file) => existsSync(file)))
    // drawn as at rest by now: only the hook has seen it come to rest
    await person.shows(/ for \d+s · done /)
    await person.ready()
    const { id } = await engine.control.api.say.mutate({ session, text: 'go on' })
    const confirmed = await engine.control.event('confirmed', (body) => body.entryId === id, 30_000)
    expect(confirmed).toBeDefined()
  })

  it('an engine that is away costs the agent nothing, and it shows nothing of it', async () => {
    const { engine } = world
    const person = await world.start(claude, { how: 'pane' })
    await person.say('Write the parts.')
    await person.shows('One part is written.')
    await engine.kill()
    person.type(claude.quit)
    person.press('Enter')
    await person.until('the shell', person.atShell, 20_000)
    expect(person.screen()).not.toMatch(/hook/i)
  })
})

describe('hooks of Qwen Code', unless(firstOf(notOnLinux, tmuxMissing, agentMissing(qwen))), () => {
  const world = agentWorld(qwen)

  it('a question is told before the screen would be read, and the person’s own hooks run', async () => {
    const { mock, engine } = world
    const ran = join(engine.home, 'ran')
    const person = await world.start(
      {
        ...qwen,
        ownOfStart(home) {
          const path = join(home, '.qwen/settings.json')
          writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), hooks: hook(ran) }))
          return {}
        },
      },
      { how: 'pane' },
    )
    await person.say('Write the parts.')
    await waitFor('the person’s own hook', () => existsSync(ran))
    await mock.turn(1)
    expect(await soonest(world, person, qwen)).toBeLessThan(FIRST_LOOK_MS)
  })
})
