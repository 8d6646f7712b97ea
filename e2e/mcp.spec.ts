/** Other programs ask Onward over MCP: the built `onward mcp` on stdio, with the SDK's own client. */
import { readFileSync } from 'node:fs'
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notOnLinux, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { startMcp, type McpProgram } from './support/mcp-client.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { startTmux, type TestTmux } from './support/tmux.ts'
import { mockProvider } from './support/entries.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'

const yes = () => ({ action: 'accept' as const, content: { yes: true } })

describe('onward mcp', unless(notOnLinux), () => {
  let mock: MockUpstream
  let engine: EngineProcess
  let tmux: TestTmux
  let one: TurnAgent
  let two: TurnAgent
  const programs: McpProgram[] = []
  const start = async (...args: Parameters<typeof startMcp>) => {
    const program = await startMcp(...args)
    programs.push(program)
    return program
  }
  /** started by the agent itself: it has the agent's environment */
  const within = (agent: TurnAgent, more: { person?: () => ReturnType<typeof yes> } = {}) => {
    const environ = readFileSync(`/proc/${agent.pid}/environ`, 'utf8').split('\0')
    const key = environ.find((line) => line.startsWith('ONWARD_KEY='))?.slice('ONWARD_KEY='.length) ?? ''
    return start(engine.home, { env: { ONWARD_KEY: key }, ...more })
  }
  const names = (list: unknown) => (list as readonly { name: string }[]).map(({ name }) => name)

  beforeAll(async () => {
    mock = await startMockUpstream()
    mock.otherwise = say('The part is done.')
    const plan = mockProvider(mock)
    engine = await startEngine({ config: { stopMessage: { settleMs: 100 }, providers: { plan } } })
    tmux = startTmux()
    one = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'one' })
    two = await startTurnAgent({ home: 'hosted', engine, tmux, name: 'two' })
    for (const agent of [one, two]) {
      await agent.say(engine, 'begin')
      await waitFor('the first answer', () => agent.idle())
    }
  })
  afterAll(async () => {
    for (const program of programs) await program.dispose()
    one.end()
    two.end()
    tmux.dispose()
    await engine.stop()
    await mock.dispose()
    removeHomes()
  })

  it('names its tools with what they do, and says nothing beside the protocol', async () => {
    const program = await start(engine.home)
    const { tools } = await program.client.listTools()
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]))
    expect(hints).toEqual({
      status: true,
      sessions: true,
      why: true,
      report: true,
      alarms: true,
      read_time: true,
      say: false,
      add_alarm: false,
      edit_alarm: false,
      cancel_alarm: false,
      arm_goal: false,
      answer_dialog: false,
    })
    expect(tools.find(({ name }) => name === 'say')?.inputSchema).toMatchObject({
      type: 'object',
      required: ['session', 'text'],
      properties: { text: { type: 'string', minLength: 1 } },
    })
    expect(program.said()).toBe('')
  })

  it('tells of sessions and of what happened in them, as tools and as resources', async () => {
    const { call, client } = await start(engine.home)
    const sessions = await call('sessions')
    expect(names(sessions.facts.sessions).sort()).toEqual(['one-hosted', 'two-hosted'])
    expect(JSON.parse(sessions.text)).toEqual(sessions.facts)
    const why = await call('why', { session: one.session })
    expect(why.facts).toMatchObject({ session: { id: one.session, why: 'Idle: nothing is armed' } })
    expect(why.facts.events).toContainEqual(expect.objectContaining({ type: 'turn-ended', session: one.session }))
    expect((await call('status')).facts).toMatchObject({ paused: false, counts: { sessions: 2 } })
    expect(names((await call('report')).facts.sessions).sort()).toEqual(['one-hosted', 'two-hosted'])

    const { resources } = await client.listResources()
    const uris = resources.map(({ uri }) => uri)
    expect(uris).toContain(`onward://sessions/${one.session}`)
    for (const uri of [...uris, `onward://sessions/${one.session}/timeline`]) {
      const [content] = (await client.readResource({ uri })).contents
      expect(JSON.parse((content as { text: string }).text), uri).toEqual(expect.any(Object))
    }
    await expect(client.readResource({ uri: 'onward://sessions/nobody' })).rejects.toThrow('No session “nobody”')
    await expect(client.readResource({ uri: 'onward://config' })).rejects.toThrow('Onward has nothing at')
  })

  it('types what a program says, once, as words that no person wrote', async () => {
    const { call } = await start(engine.home)
    const said = await call('say', { session: one.session, text: 'Now look at the second part.' })
    expect(said.facts).toMatchObject({ source: 'program', sessionId: one.session })
    await engine.control.event('confirmed', ({ entryId }) => entryId === said.facts.id)
    expect(one.submits().filter((text) => text === 'Now look at the second part.')).toHaveLength(1)
  })

  it('sets, changes and cancels alarms', async () => {
    const { call } = await start(engine.home)
    const { facts } = await call('read_time', { text: 'in 20 min' })
    const added = await call('add_alarm', { session: one.session, dueAt: facts.at, task: 'check CI' })
    expect(added.facts).toMatchObject({ task: 'check CI', setBy: 'model', dueAt: facts.at })
    const alarm = added.facts.taskId as string
    expect((await call('edit_alarm', { alarm, task: 'check CI again' })).facts).toMatchObject({
      task: 'check CI again',
    })
    expect((await call('cancel_alarm', { alarm })).failed).toBe(false)
    expect((await call('alarms')).facts).toMatchObject({ waiting: 0 })
  })

  it('hands on what the engine refuses, with its code', async () => {
    const { call } = await start(engine.home)
    const answers = await Promise.all([
      call('say', { session: 'nobody', text: 'hello' }),
      call('say', { session: one.session }),
      call('cancel_alarm', { alarm: 'none' }),
    ])
    expect(answers.map(({ failed }) => failed)).toEqual([true, true, true])
    expect(answers.map(({ facts }) => (facts.error as { code: string }).code)).toEqual([
      'session-unknown',
      'bad-input',
      'alarm-unknown',
    ])
    expect(answers[0]?.text).toMatch(/^session-unknown: No session “nobody” is known\./)
  })

  describe('a goal', () => {
    const goal = () => ({ session: two.session, text: 'all tests "green"', rounds: 3 })
    const view = () => engine.control.api.session.query(two.session)

    it('is not set where the person says no, or only accepts', async () => {
      const answers: readonly ElicitResult[] = [
        { action: 'decline' },
        { action: 'cancel' },
        { action: 'accept', content: { yes: false } },
        { action: 'accept', content: {} },
      ]
      for (const answer of answers) {
        const { call, asked } = await start(engine.home, { person: () => answer })
        const { failed, text } = await call('arm_goal', goal())
        expect(asked).toEqual([expect.stringContaining('all tests "green"')])
        expect([failed, text]).toEqual([true, expect.stringMatching(/^person-said-no: /)])
      }
      expect((await view()).stopMessage).toBeNull()
    })

    it('waits in the dashboard where the client can ask nobody, and is set by a person there', async () => {
      const { call } = await start(engine.home)
      expect((await call('arm_goal', goal())).facts).toMatchObject({ armed: false })
      const { stopMessage, heldMarkers } = await view()
      expect(stopMessage).toBeNull()
      expect(heldMarkers).toMatchObject([{ marker: '<**sm:"all tests \\"green\\"",3,ai:on**>', why: 'program' }])
      await engine.control.api.applyMarker.mutate({ session: two.session, marker: heldMarkers?.[0]?.id ?? '' })
      expect((await view()).stopMessage).toMatchObject({ text: goal().text, max: 3, review: true })
      await engine.control.api.clearStopMessage.mutate(two.session)
    })

    it('is set where the person says yes', async () => {
      const { call } = await start(engine.home, { person: yes })
      expect((await call('arm_goal', goal())).facts).toMatchObject({ armed: true, goal: { text: goal().text } })
      expect((await view()).stopMessage).toMatchObject({ text: goal().text, max: 3, review: true })
      await engine.control.api.clearStopMessage.mutate(two.session)
    })
  })

  it('presses no choice of a dialog without a person', async () => {
    const input = { terminalId: one.terminalId, question: 'Proceed?', about: null, choice: 'Yes' }
    const { call } = await start(engine.home)
    const refused = await call('answer_dialog', input)
    expect([refused.failed, refused.text]).toEqual([true, expect.stringContaining('needs-person: ')])
    const asking = await start(engine.home, { person: yes })
    // the person said yes; what the dialog does not ask any more is not pressed all the same
    expect((await asking.call('answer_dialog', input)).text).toMatch(/^dialog-changed: /)
    expect(asking.asked).toEqual([expect.stringContaining('Answer: Yes')])
  })

  describe('within a terminal of Onward’s', () => {
    it('sees its own session and no other', async () => {
      const { call, client } = await within(one)
      expect(names((await call('sessions')).facts.sessions)).toEqual(['one-hosted'])
      expect((await call('status')).facts).not.toHaveProperty('counts')
      expect(names((await call('report')).facts.sessions)).toEqual(['one-hosted'])
      const { resources } = await client.listResources()
      expect(resources.map(({ uri }) => uri).filter((uri) => uri.includes('sessions/'))).toEqual([
        `onward://sessions/${one.session}`,
      ])
      const { facts } = await call('why', { session: null })
      const sessions = (facts.events as readonly { session: string }[]).map(({ session }) => session)
      expect(new Set(sessions)).toEqual(new Set([one.session]))
      await engine.control.api.addAlarm.mutate({ session: two.session, dueAt: Date.now() + 3_600_000, task: 'theirs' })
      expect((await call('alarms')).facts).toMatchObject({ waiting: 0, alarms: [] })
    })

    it('acts on no other, and learns nothing of whether there is one', async () => {
      const { call } = await within(one, { person: yes })
      const [theirs] = (await engine.control.api.alarms.query()).alarms
      const dueAt = Date.now() + 3_600_000
      for (const session of [two.session, two.terminalId, 'two-hosted', 'nobody']) {
        const answers = await Promise.all([
          call('why', { session }),
          call('say', { session, text: 'hello' }),
          call('add_alarm', { session, dueAt, task: 'x' }),
          call('arm_goal', { session, text: 'x' }),
        ])
        expect(answers.map(({ facts }) => (facts.error as { code: string }).code)).toEqual(
          answers.map(() => 'own-session-only'),
        )
      }
      const other = { terminalId: two.terminalId, question: null, about: null, choice: 'Yes' }
      expect((await call('answer_dialog', other)).text).toMatch(/^own-session-only/)
      expect((await call('cancel_alarm', { alarm: theirs?.taskId ?? '' })).text).toMatch(/^alarm-unknown/)
      expect(
        (await engine.control.api.session.query(two.session)).queue.filter(({ source }) => source === 'program'),
      ).toEqual([])
    })

    it('says things to itself one at a time', async () => {
      const { call } = await within(two)
      await engine.control.api.pause.mutate(two.session)
      expect((await call('say', { session: two.session, text: 'go on' })).failed).toBe(false)
      expect((await call('say', { session: two.session, text: 'go on' })).text).toMatch(/^already-said: /)
      await engine.control.api.resume.mutate(two.session)
      await engine.control.event('confirmed')
    })

    it('arms nothing for itself without a person', async () => {
      const { call } = await within(one)
      expect((await call('arm_goal', { session: one.session, text: 'never stop' })).facts).toMatchObject({
        armed: false,
      })
      expect((await engine.control.api.session.query(one.session)).stopMessage).toBeNull()
    })
  })

  it('says that the engine is away, and goes on when it is back', async () => {
    const { call } = await start(engine.home)
    expect((await call('status')).failed).toBe(false)
    await engine.stop()
    const away = await call('status')
    expect([away.failed, away.text]).toEqual([true, expect.stringMatching(/^cli-noEngine: No engine runs for .*serve/)])
    engine = await engine.restart()
    expect((await call('status')).failed).toBe(false)
  })
})
