/**
 * Alarms of a real Codex: its model sets them by a call it never hears of, and they are typed into its terminal at
 * their time.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { alarmStory, schedule, toldAlarm, typedAlarm, userTexts } from './support/alarm-story.ts'
import { codexWorldOf } from './support/codex-world.ts'
import { workingConfig, type Codex } from './support/codex.ts'
import { heard } from './support/heard.ts'
import { callTool, say, type MockRequest } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { outboxFiles } from './support/outbox-files.ts'
import { startSkewedEngine } from './support/skewed-engine.ts'
import { tmuxMissing } from './support/tmux.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { unless } from '../shared/testing/unless.ts'

const typedWay = [
  'alarm-set',
  'servertool-ran',
  'alarm-rang',
  'alarm-claimed terminal',
  'typed',
  'submitted',
  'confirmed',
  'alarm-delivered terminal',
]
const minute = 60_000

describe('a real Codex whose model sets an alarm', unless(tmuxMissing), () => {
  const world = codexWorldOf(startSkewedEngine)

  /** its model calls, and Codex gets an answer that says so */
  async function setAlarm(codex: Codex, task: string, dueIn = 90_000): Promise<string> {
    const { mock, engine } = world
    const known = mock.turns().length
    mock.queue(schedule({ [task]: engine.clock.now() + dueIn }), say(`I will ${task} later.`))
    await codex.say(`Remember to ${task}.`)
    await codex.shows(`I will ${task} later.`)
    const { headers } = await mock.turn(known + 2)
    const sessionId = headers['session-id'] ?? ''
    await waitFor(
      'the end of the turn',
      () =>
        engine.control.sessions.get(sessionId)?.shape === 'done' ||
        engine.control.events.some(({ sessionId: id, body }) => id === sessionId && body.type === 'turn-ended'),
    )
    return sessionId
  }
  const story = (sessionId: string) => alarmStory(world.engine.control, sessionId)
  const until = (sessionId: string, step: string) =>
    waitFor(step, () => story(sessionId).includes(step)).catch((error: unknown) => {
      throw new Error(`${String(error)}; so far: ${story(sessionId).join(', ')}`)
    })
  const lastText = (request: MockRequest | undefined) => request && userTexts(request).at(-1)?.trim()

  it.each(['hosted', 'pane'] as const)(
    'never sees the call, and is typed the reminder at its time, once (%s)',
    async (how) => {
      const { mock, engine } = world
      const codex = await world.start({ how, config: workingConfig('gpt-5.5') })
      const session = await setAlarm(codex, 'look at the tests', 10 * minute)
      // Viewers are told a moment later.
      expect(
        await waitFor('the alarm in the session', () => engine.control.sessions.get(session)?.nextAlarm),
      ).toMatchObject({ task: 'look at the tests', waiting: 1 })
      // Not before its time: some minutes on, nothing has come of it.
      engine.clock.jump(5 * minute)
      await nothingMore(mock, engine)
      expect(story(session)).toEqual(typedWay.slice(0, 2))

      mock.queue(say('All tests are green.'))
      engine.clock.jump(5 * minute)
      await until(session, 'alarm-delivered terminal')
      await codex.shows('All tests are green.')
      expect(story(session)).toEqual(typedWay)

      const told = lastText(mock.turns()[2])
      expect(told).toMatch(typedAlarm('look at the tests'))
      // and the time, by the clock that was set
      const [, nowMs] = /\[Time\/Date\]: [^"]* nowMs=`(\d+)`/.exec(mock.turns()[2]?.body.toString() ?? '') ?? []
      expect(engine.clock.now() - Number(nowMs)).toBeLessThan(minute)
      const { scope } = engine.control.sessions.get(session) ?? {}
      expect(
        outboxFiles(engine.home, engine.port).entry(scope ?? '', ({ source }) => source === 'clock'),
      ).toMatchObject({ text: told, phase: { state: 'confirmed' } })
      expect(codex.screen()).toContain('[scheduled task:"look at the tests"]')

      // Further ticks, its whole time, the time after it, and all of that once more.
      for (const ms of [minute, 30 * minute, -32 * minute, 31 * minute]) {
        engine.clock.jump(ms)
        await nothingMore(mock, engine)
      }
      expect(story(session)).toEqual(typedWay)
      expect(await engine.control.api.alarms.query()).toMatchObject({
        waiting: 0,
        alarms: [],
        missed: [],
        missedTotal: 0,
        history: [{ task: 'look at the tests', setBy: 'model', end: { kind: 'delivered', route: 'terminal' } }],
      })
      expect(engine.control.notices.map((notice) => notice.class)).toEqual(['alarm-due'])

      // The model has its own call and what came of it in front of it; Codex has never heard of either.
      expect(heard(mock.turns()[2] as MockRequest)).toMatchObject({
        calls: [{ name: 'clock' }],
        results: [{ text: expect.stringContaining('"scheduled":[{"taskId":') }],
      })
      expect(historyOf(codex)).toContain('I will look at the tests later.')
      expect(historyOf(codex)).not.toMatch(
        /"(name|type)":"clock"|"scheduled":|unsupported call|custom_tool_call|function_call/,
      )
      expect(codex.screen()).not.toMatch(/unsupported|\bclock\b/)
      for (const { body } of mock.requests) expect(body.toString()).not.toMatch(/unsupported call/i)
      expect(mock.problems).toEqual([])
    },
  )

  it('is told with its next request where it is busy at that time, and nothing is typed', async () => {
    const { mock, engine } = world
    const codex = await world.start({ how: 'hosted', config: workingConfig('gpt-5.5') })
    const session = await setAlarm(codex, 'look at the tests')
    mock.queue(
      callTool('exec_command', { cmd: 'until [ -e go ]; do read -t 0.1 < /dev/zero; done; echo went' }),
      say('The long work is done, and the tests are green.'),
    )
    await codex.say('Do the long work.')
    await mock.turn(3)
    await codex.shows(/esc to interrupt/)
    engine.clock.jump(91_000)
    await until(session, 'alarm-rang')
    await until(session, 'alarm-claimed terminal')
    await nothingMore(mock, engine)
    expect(mock.turns()).toHaveLength(3)
    await writeFile(join(codex.cwd, 'go'), '')
    await codex.shows('The long work is done')
    await until(session, 'alarm-delivered request')
    await nothingMore(mock, engine)
    expect(story(session)).toEqual([
      'alarm-set',
      'servertool-ran',
      'alarm-rang',
      'alarm-claimed terminal',
      'alarm-released terminal',
      'alarm-claimed request',
      'alarm-delivered request',
    ])
    const turns = mock.turns()
    expect(turns).toHaveLength(4)
    expect(heard(turns[3] as MockRequest).results.at(-1)?.text).toContain('went')
    expect(lastText(turns[3])).toMatch(toldAlarm('look at the tests'))
    expect(codex.screen()).not.toContain('scheduled task')

    // It stays where it was read.
    await codex.say('And now?')
    const next = await mock.turn(5)
    expect(userTexts(next).filter((text) => text.includes('scheduled task'))).toHaveLength(1)
    await nothingMore(mock, engine)
    expect((await engine.control.api.alarms.query()).missed).toEqual([])
    expect(mock.problems).toEqual([])
  })

  it('misses it with a notice where its terminal is closed and nobody asks in time', async () => {
    const { mock, engine } = world
    const codex = await world.start({ how: 'hosted', config: workingConfig('gpt-5.5') })
    const session = await setAlarm(codex, 'look at the tests')
    for (const { id } of engine.control.terminals.values()) await engine.control.api.closeTerminal.mutate(id)
    await waitFor('the end of the terminal', () => [...engine.control.terminals.values()].every(({ alive }) => !alive))
    engine.clock.jump(90_000)
    await until(session, 'alarm-rang')
    engine.clock.jump(20 * minute + 1)
    await until(session, 'alarm-missed expired')
    await waitFor('the notice', () => engine.control.notices.some((notice) => notice.class === 'alarm-missed'))
    await nothingMore(mock, engine)
    expect(story(session)).toEqual(['alarm-set', 'servertool-ran', 'alarm-rang', 'alarm-missed expired'])
    expect(engine.control.notices.map((notice) => notice.class)).toEqual(['alarm-due', 'alarm-missed'])
    expect(await engine.control.api.alarms.query()).toMatchObject({
      waiting: 0,
      alarms: [],
      missed: [{ task: 'look at the tests', why: 'expired' }],
    })
    expect(mock.turns()).toHaveLength(2)
    expect(mock.problems).toEqual([])
  })

  it('hears nothing of one its model cancelled', async () => {
    const { mock, engine } = world
    const codex = await world.start({ how: 'hosted', config: workingConfig('gpt-5.5') })
    const session = await setAlarm(codex, 'look at the tests')
    const { taskId } = await waitFor('the alarm in the session', () => engine.control.sessions.get(session)?.nextAlarm)
    expect(heard(mock.turns()[1] as MockRequest).results.at(-1)?.text).toContain(taskId)
    mock.queue(callTool('clock', { action: 'cancel', items: [], taskId }), say('I will not.'))
    await codex.say('Never mind.')
    await codex.shows('I will not.')
    engine.clock.jump(2 * minute)
    await nothingMore(mock, engine)
    expect(story(session)).toEqual(['alarm-set', 'servertool-ran', 'alarm-cancelled', 'servertool-ran'])
    expect(await engine.control.api.alarms.query()).toMatchObject({
      waiting: 0,
      missed: [],
      history: [{ end: { kind: 'cancelled', by: 'model' } }],
    })
    expect(heard(mock.turns()[3] as MockRequest).results.at(-1)?.text).toBe(
      JSON.stringify({ ok: true, removed: taskId }),
    )
    expect(engine.control.notices).toEqual([])
    expect(mock.problems).toEqual([])
  })

  it.each([
    ['before', 'typed into the new one'],
    ['after', 'told with the first request from there'],
  ] as const)(
    'that comes back in another terminal %s its time is %s, and its old shell is left alone',
    async (when, _how) => {
      const { mock, engine } = world
      const old = await world.start({ how: 'pane', session: 'first', config: workingConfig('gpt-5.5') })
      const session = await setAlarm(old, 'look at the tests', 10 * minute)
      await old.quit()
      await engine.control.session((one) => one.id === session && one.shape === 'gone')
      const shell = old.screen()
      if (when === 'after') {
        engine.clock.jump(11 * minute)
        await until(session, 'alarm-rang')
        await nothingMore(mock, engine)
      }
      const fresh = await world.start({
        how: 'pane',
        session: 'second',
        person: 'first',
        cwd: old.cwd,
        args: ['resume', '--last'],
        config: workingConfig('gpt-5.5'),
      })
      mock.queue(say('Here I am again.'))
      await fresh.say('Go on.')
      await fresh.shows('Here I am again.')
      if (when === 'before') {
        await engine.control.session((one) => one.id === session && one.scope === 'tmux:second')
        mock.queue(say('All tests are green.'))
        engine.clock.jump(11 * minute)
        await until(session, 'alarm-delivered terminal')
        await fresh.shows('All tests are green.')
      } else await until(session, 'alarm-delivered request')
      await nothingMore(mock, engine)
      // The new terminal may have been about to have it when that request came.
      const ways =
        when === 'before'
          ? story(session)
          : story(session).filter((step) => step !== 'alarm-claimed terminal' && step !== 'alarm-released terminal')
      expect(ways).toEqual(
        when === 'before'
          ? typedWay
          : ['alarm-set', 'servertool-ran', 'alarm-rang', 'alarm-claimed request', 'alarm-delivered request'],
      )
      expect(lastText(mock.turns().at(-1))).toMatch((when === 'before' ? typedAlarm : toldAlarm)('look at the tests'))
      expect(mock.turns()).toHaveLength(when === 'before' ? 4 : 3)
      expect(old.screen()).toBe(shell)
      expect((await engine.control.api.alarms.query()).missed).toEqual([])
      expect(mock.problems).toEqual([])
    },
  )

  it('in two panes gets its own in each', async () => {
    const { mock, engine } = world
    const one = await world.start({ how: 'pane', session: 'first', person: 'one', config: workingConfig('gpt-5.5') })
    const two = await world.start({ how: 'pane', session: 'second', person: 'two', config: workingConfig('gpt-5.5') })
    const red = await setAlarm(one, 'paint it red')
    const blue = await setAlarm(two, 'paint it blue')
    expect(blue).not.toBe(red)
    mock.script((request) =>
      /scheduled task:"paint it (red|blue)"/.exec(lastText(request) ?? '')?.[1] === 'red'
        ? say('Now it is red.')
        : say('Now it is blue.'),
    )
    engine.clock.jump(95_000)
    await Promise.all([red, blue].map((session) => until(session, 'alarm-delivered terminal')))
    await one.shows('Now it is red.')
    await two.shows('Now it is blue.')
    await nothingMore(mock, engine)
    for (const [session, color] of [
      [red, 'red'],
      [blue, 'blue'],
    ] as const) {
      expect(story(session)).toEqual(typedWay)
      const mine = mock.turns().filter(({ headers }) => headers['session-id'] === session)
      expect(mine).toHaveLength(3)
      expect(lastText(mine[2])).toMatch(typedAlarm(`paint it ${color}`))
    }
    expect(one.screen()).not.toContain('blue')
    expect(two.screen()).not.toContain('red')
    expect((await engine.control.api.alarms.query()).missed).toEqual([])
    expect(mock.problems).toEqual([])
  })

  /** what Codex itself keeps of the conversation, and would go on with */
  function historyOf(codex: Codex): string {
    const folder = join(world.engine.home, 'codex-home', codex.cwd.split('/').at(-1) ?? '', '.codex', 'sessions')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
    expect(files).toHaveLength(1)
    return readFileSync(join(folder, files[0] ?? ''), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"response_item"') || line.includes('"event_msg"'))
      .join('\n')
  }
})
