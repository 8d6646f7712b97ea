/** Schedules that a real Qwen Code and a real Kimi Code set themselves are seen, come as theirs, and are stopped. */
import { describe, expect, it } from 'vitest'
import type { OwnDrive } from '../shared/drives.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { codexWorld } from './support/codex-world.ts'
import { callTool, say } from './support/mock-upstream/index.ts'
import { missing, moreAgents, startAgent } from './support/more-agents.ts'
import { startQwen } from './support/qwen.ts'
import { installAgents } from './support/agents.ts'
import { tmuxMissing } from './support/tmux.ts'

const PATIENT_MS = 240_000
const world = () => codexWorld({ type: 'openai-chat', script: true })
const each = { cron: '* * * * *', prompt: 'check the deploy', recurring: true }
const far = { cron: '3 4 * * *', prompt: 'check the backup', recurring: true }

/** Both are seen, the first comes within two minutes as what it is, and both are stopped by the agent's own tool. */
async function schedules(
  { mock, engine }: Pick<ReturnType<typeof world>, 'mock' | 'engine'>,
  begin: () => Promise<void>,
  tools: { create: string; remove: string },
): Promise<void> {
  const { control } = engine
  const drives = (): readonly OwnDrive[] => [...control.sessions.values()].flatMap((session) => session.drives ?? [])
  const calls = [callTool(tools.create, each), callTool(tools.create, far)]
  mock.script(({ auxiliary }) => (auxiliary === null ? calls.shift() : undefined))
  mock.otherwise = say('Done.')
  await begin()
  await waitFor('both', () => drives().length === 2, PATIENT_MS)
  expect(drives()).toMatchObject([
    { kind: 'schedule', what: each.prompt, cron: each.cron, once: false, source: tools.create, state: { is: 'on' } },
    { kind: 'schedule', what: far.prompt, cron: far.cron, state: { is: 'on' } },
  ])
  const [session] = control.sessions.values()
  await waitFor('the first of them to come', () => (drives()[0]?.turns ?? 0) > 0, PATIENT_MS)
  expect(drives()).toHaveLength(2)
  expect(drives()[1]?.turns).toBe(0)

  let told = false
  mock.script(({ lastUserText, auxiliary }) =>
    auxiliary === null && !told && (told = lastUserText?.includes(`with ${tools.remove}`) === true)
      ? { kind: 'answer', toolCalls: drives().map(({ id }) => ({ name: tools.remove, input: { id } })) }
      : undefined,
  )
  await control.api.stopDrive.mutate({ session: session?.id ?? '', drive: null })
  await waitFor('both stopped', () => drives().every(({ state }) => state.is === 'stopped'), PATIENT_MS)
}

describe('a real Qwen Code', unless(firstOf(tmuxMissing, installAgents().qwen ? null : 'no qwen')), () => {
  const there = world()

  it('goes on by its schedules', async () => {
    const qwen = await startQwen({
      engine: there.engine,
      tmux: there.tmux,
      how: 'wrapped',
      args: ['--approval-mode', 'yolo'],
    })
    await schedules(there, () => qwen.say('begin'), { create: 'cron_create', remove: 'cron_delete' })
    qwen.dispose()
  })
})

const [kimi] = moreAgents
describe('a real Kimi Code', unless(firstOf(tmuxMissing, kimi ? missing(kimi) : 'no kimi')), () => {
  const there = world()

  it('goes on by its schedules', async () => {
    if (!kimi) throw new Error('no Kimi Code')
    const seat = await startAgent(
      { ...kimi, args: ['--yolo'] },
      { engine: there.engine, tmux: there.tmux, how: 'wrapped' },
    )
    await schedules(there, () => seat.say('begin'), { create: 'CronCreate', remove: 'CronDelete' })
    seat.dispose()
  })
})
