/** What real agents set themselves to go on by is seen, stops when a person stops it, and is rescued once. */
import { describe, expect, it } from 'vitest'
import { isOpen, type OwnDrive } from '../shared/drives.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { installAgents } from './support/agents.ts'
import { onwardBin } from './support/engine-process.ts'
import { callTool, gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { onward } from './support/onward-cli.ts'
import { agentsIn, signal } from './support/real/processes.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { agentWorld } from './support/real/world.ts'
import { tmuxMissing } from './support/tmux.ts'

const agent = realAgents.claude
const { codex } = realAgents
const tools = ['Bash', 'Agent', 'CronCreate', 'CronDelete', 'CronList', 'ScheduleWakeup', 'TaskStop']
const args = ['--allowedTools', tools.join(',')]
/** A far wakeup: none of these fires while a test runs. */
const far = { delaySeconds: 3600, reason: 'build', prompt: 'look at the build' }
const SECOND = 1000
const PATIENT_MS = 240_000

describe('a real Claude Code goes on by itself', unless(firstOf(tmuxMissing, agentMissing(agent))), () => {
  const world = agentWorld(agent)

  it('is seen within a second, and stopped', async () => {
    const { mock, engine } = world
    const { control } = engine
    const calls = [
      callTool('Bash', { command: 'sleep 600', description: 'waits', run_in_background: true }),
      callTool('Agent', { description: 'Counts parts', prompt: 'Count the parts', subagent_type: 'general-purpose' }),
      callTool('CronCreate', { cron: '3 4 * * *', prompt: 'check the deploy', recurring: true }),
      callTool('ScheduleWakeup', far),
    ]
    const counts = gate()
    mock.script(({ lastUserText, auxiliary }) => {
      if (auxiliary !== null) return undefined
      if (lastUserText?.includes('Count the parts')) return say('Three.', { hold: { at: 'head', until: counts } })
      return calls.shift()
    })
    const person = await world.start(agent, { how: 'wrapped', args })
    await person.say('begin')
    const lastSet = await mock.waitFor(
      'the request after the last of them',
      (requests) => requests.find(({ body }) => body.includes('Next wakeup scheduled for')),
      PATIENT_MS,
    )
    const all = ['command', 'agent', 'schedule', 'wakeup']
    const drivesNow = (): readonly OwnDrive[] => [...control.sessions.values()].flatMap(({ drives = [] }) => drives)
    const since = performance.now()
    await waitFor('all four', () => all.every((kind) => drivesNow().some((drive) => drive.kind === kind)))
    expect(performance.now() - since).toBeLessThan(SECOND)
    expect(lastSet.n).toBeGreaterThan(4)
    const by = (kind: OwnDrive['kind']) => drivesNow().filter((drive) => drive.kind === kind)
    expect(drivesNow()).toHaveLength(4)
    expect(by('command')).toMatchObject([
      { what: 'sleep 600', source: 'Bash', version: '2.1.332', state: { is: 'on' } },
    ])
    expect(by('schedule')).toMatchObject([{ what: 'check the deploy', cron: '3 4 * * *', once: false }])
    const [wakeup] = by('wakeup')
    expect(wakeup).toMatchObject({ what: 'look at the build', source: 'ScheduleWakeup', state: { is: 'on' } })
    expect(wakeup && 'next' in wakeup && (wakeup.next ?? 0) - (wakeup.since ?? 0)).toBeGreaterThan(3_400 * SECOND)
    expect(by('agent')).toMatchObject([{ what: 'Counts parts', state: { is: 'on' } }])
    counts.open()
    await waitFor('the sub-agent’s end', () =>
      by('agent').every(({ state, tokens }) => state.is === 'over' && tokens > 0),
    )
    const listed = await onward(['drives', '--home', engine.home])
    expect(listed.out).toMatch(/Schedule +check the deploy/)
    expect((await onward(['status', '--home', engine.home])).out).toMatch(/Go on by +work: /)

    // Stop: it is told in words, once it is idle, and does what they say.
    const [session] = control.sessions.values()
    const [cron] = by('schedule')
    const [shell] = by('command')
    let told = false
    mock.script(({ lastUserText, auxiliary }) =>
      auxiliary === null && !told && (told = lastUserText?.includes('Stop the scheduled prompt') === true)
        ? {
            kind: 'answer',
            toolCalls: [
              { name: 'CronDelete', input: { id: cron?.id } },
              { name: 'TaskStop', input: { task_id: shell?.id } },
              { name: 'ScheduleWakeup', input: { stop: true } },
            ],
          }
        : undefined,
    )
    const { drives = [] } = await control.api.stopDrive.mutate({ session: session?.id ?? '', drive: null })
    expect(drives.filter(isOpen).map(({ state }) => state.is)).toEqual(['stopping', 'stopping', 'stopping'])
    await waitFor('all of it stopped', () => drivesNow().every((drive) => !isOpen(drive)), PATIENT_MS)
    const states = new Map(drivesNow().map(({ kind, state }) => [kind, state.is]))
    expect(Object.fromEntries(states)).toEqual({
      command: 'stopped',
      agent: 'over',
      schedule: 'stopped',
      wakeup: 'stopped',
    })
  })
})

describe('a wakeup of a real Claude Code that was killed', unless(firstOf(tmuxMissing, agentMissing(agent))), () => {
  const world = agentWorld(agent)

  it('is rescued by an alarm, once, after the agent was resumed', async () => {
    const { mock, engine } = world
    const { control } = engine
    await control.api.setSetting.mutate({ name: 'drives.rescueWakeups', value: true })
    mock.queue(callTool('ScheduleWakeup', { ...far, delaySeconds: 60 }))
    const person = await world.start(agent, { how: 'wrapped', args })
    await person.say('begin')
    const { id } = await control.session(
      ({ drives }) => drives?.some(({ kind }) => kind === 'wakeup') ?? false,
      PATIENT_MS,
    )
    await person.ready()
    signal(agentsIn(person.cwd, engine.home), 'SIGKILL')
    await control.event('terminal-closed', () => true, PATIENT_MS)
    // Its screen stays as it was: a person clears it.
    person.press('C-c')
    person.type('clear')
    person.press('Enter')
    await person.until('the shell', person.atShell)
    await control.event('drive', ({ did, kind }) => did === 'rescued' && kind === 'wakeup', PATIENT_MS)

    const env = `PATH=${installAgents().path}:$PATH env -u TMUX -u TMUX_PANE`
    const start = `${process.execPath} ${onwardBin} claude --home ${engine.home} --port ${engine.port}`
    person.type(`${env} ${start} --resume ${id} ${args.join(' ')}`)
    person.press('Enter')
    await person.say('hello again')
    const came = () => mock.turns().filter(({ lastUserText }) => lastUserText?.includes(far.prompt))
    await waitFor('the alarm', () => came().length > 0, PATIENT_MS)
    await control.session(({ drives = [] }) => drives.every(({ state }) => state.is === 'missed' && state.rescued))
    expect(came()).toHaveLength(1)
    const rescues = control.events.filter(({ body }) => body.type === 'drive' && body.did === 'rescued')
    expect(rescues).toHaveLength(1)
  })
})

describe('a goal of a real Codex', unless(firstOf(tmuxMissing, agentMissing(codex))), () => {
  const world = agentWorld(codex)
  const objective = 'Every page has an example'
  const ownGoal = ({ kind, turns, state }: OwnDrive) => kind === 'goal' && turns > 1 && state.is === 'on'
  /** It begins each next turn by itself, as soon as one ends. */
  const going = async () => {
    world.mock.queue(callTool('create_goal', { objective }))
    const person = await world.start(codex, { how: 'wrapped' })
    await person.say('begin')
    const { id, drives } = await world.engine.control.session(({ drives: all = [] }) => all.some(ownGoal), PATIENT_MS)
    expect(drives).toMatchObject([{ kind: 'goal', what: objective, source: 'create_goal', version: '0.171.0' }])
    return { person, id, control: world.engine.control }
  }
  const ofGoal = () => world.mock.turns().filter(({ body }) => body.includes('codex_internal_context source=\\"goal'))

  it('is paused by Stop after at most the request under way, and goes on when a person lets it', async () => {
    const { person, id, control } = await going()
    const { drives = [] } = await control.api.stopDrive.mutate({ session: id, drive: 'goal' })
    expect(drives).toMatchObject([{ kind: 'goal', state: { is: 'stopped', how: 'paused' } }])
    const asked = ofGoal().length
    await nothingMore(world.mock, world.engine)
    await person.ready()
    expect(ofGoal().length - asked).toBeLessThanOrEqual(1)
    expect(control.events.filter(({ body }) => body.type === 'typed')).toEqual([])

    const { drives: again = [] } = await control.api.letDrives.mutate({ session: id, drive: 'goal' })
    expect(again).toMatchObject([{ kind: 'goal', state: { is: 'on' } }])
    const before = ofGoal().length
    await world.mock.waitFor('turns of its own again', () => ofGoal().length > before + 1, PATIENT_MS)
    await control.session(({ drives: all = [] }) => all.some(ownGoal), PATIENT_MS)
  })

  it('is refused while the session is paused, where the config says so', async () => {
    const { person, id, control } = await going()
    await control.api.setSetting.mutate({ name: 'drives.refuse', value: true })
    await control.api.pause.mutate(id)
    await person.until('the refusal', () => person.screen().includes('Onward refuses this turn'))
    const asked = world.mock.turns().length
    await nothingMore(world.mock, world.engine)
    expect(world.mock.turns()).toHaveLength(asked)
  })
})
