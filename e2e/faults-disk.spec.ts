/**
 * A disk that takes no more: requests are answered, what can't be kept is refused with the reason, and once it is well
 * it goes on.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { fileNameOf, scopeFile } from '../electron/engine/store/disk-files.ts'
import type { OutboxState } from '../electron/engine/terminals/outbox/outbox-file.ts'
import { bodyOf, bodyEntries, providersFor } from './support/entries.ts'
import { newHome, removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { gate, say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { noOwnDisk, ownDisk, type OwnDisk } from './support/own-disk.ts'
import { post } from './support/post.ts'
import { startTmux } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

afterAll(removeHomes)
const skip = (context: TestContext) => context.skip(noOwnDisk !== null, noOwnDisk ?? '')

interface Trouble {
  what: string
  /** in the sentence a person gets */
  why: string
  begin(disk: OwnDisk): void | Promise<void>
  end(disk: OwnDisk): void
}
const readOnly: Trouble = {
  what: 'read-only',
  why:
    'the disk is read-only. Mount it writable, or choose another ' +
    'folder by --home or ROUTECODEX_SESSION_DIR (EROFS).',
  begin: (disk) => disk.readOnly(),
  end: (disk) => disk.writable(),
}
const full: Trouble = {
  what: 'full',
  why: 'the disk is full. Free some space; Onward tries again at the next change (ENOSPC).',
  begin: (disk) => disk.fill(),
  end: (disk) => disk.free(),
}

describe.each([
  { ...readOnly, place: 'the session folder' },
  // with the log, the config and the note of where the engine is
  { ...full, place: 'the whole home' },
])('$place on a disk that becomes $what', ({ why, begin, end, place }) => {
  let disk: OwnDisk
  let mock: MockUpstream
  let engine: EngineForTest
  let agent: TurnAgent
  let sessions: string
  const until = gate()

  beforeAll(async () => {
    if (noOwnDisk !== null) return
    disk = ownDisk()
    mock = await startMockUpstream({ keys: ['sk-upstream'] })
    mock.otherwise = say('This part is done now.')
    const home = place === 'the whole home' ? join(disk.folder, 'home') : newHome()
    const elsewhere = join(disk.folder, 'sessions')
    const { providers } = providersFor(mock)
    engine = await startEngineForTest(
      {
        stopMessage: { settleMs: 100 },
        providers: Object.fromEntries(
          Object.entries(providers ?? {}).map(([id, provider]) => [
            id,
            { ...provider, models: { 'm-1': {}, 'mock-model': {} } },
          ]),
        ),
      },
      { home, ...(place === 'the whole home' ? {} : { env: { ROUTECODEX_SESSION_DIR: elsewhere } }) },
    )
    sessions = place === 'the whole home' ? join(home, 'sessions', `127.0.0.1_${engine.port}`) : elsewhere
    agent = await startTurnAgent({ home: 'hosted', engine, tmux: startTmux(), name: 'disk' })
    await agent.say(engine, 'begin')
    await waitFor('the first answer', () => agent.idle())
    // Queued while an answer runs, then the disk goes wrong, then that answer ends.
    mock.queue(say('A long one.', { piece: 1, hold: { at: 3, until } }))
    await agent.say(engine, 'something long')
    await mock.turn(2)
    await engine.control.api.say.mutate({ session: agent.session, text: 'queued in time' })
    await begin(disk)
  })
  afterAll(async () => {
    agent?.end()
    await engine?.dispose()
    if (engine) endTerminalHosts(engine.home)
    await mock?.dispose()
    await disk?.dispose()
  })

  const outbox = () =>
    (JSON.parse(readFileSync(join(sessions, 'outbox', scopeFile(agent.scope)), 'utf8')) as { state: OutboxState }).state
      .entries
  const refused = (file: string) => ({
    data: { onwardCode: 'store-failed' },
    message: expect.stringContaining(`Onward could not save ${file}: ${why}`),
  })
  const events = async () =>
    (await engine.control.api.timeline.query({ session: null, limit: 500 })).map(({ body }) => body)
  const temps = () =>
    readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp'))

  it('answers requests over every entry', async (context) => {
    skip(context)
    for (const door of bodyEntries) {
      const answer = await post(engine, door.path, bodyOf(door, ['Hi'], { model: 'm-1' }), {
        headers: { ...door.headers, 'x-session-id': `new-${door.entry}` },
      })
      expect(answer.status).toBe(200)
      expect(answer.body.toString()).toContain('This part is done now.')
    }
  })

  it('refuses what it can’t keep, and says why', async (context) => {
    skip(context)
    const { api } = engine.control
    await expect(api.setStopMessage.mutate({ session: agent.session, text: 'go on', rounds: 3 })).rejects.toMatchObject(
      refused(scopeFile(agent.scope)),
    )
    await expect(api.say.mutate({ session: agent.session, text: 'too late' })).rejects.toMatchObject(
      refused(`outbox/${scopeFile(agent.scope)}`),
    )
    await expect(api.renameSession.mutate({ session: agent.session, name: 'another' })).rejects.toMatchObject(
      refused(`session-${fileNameOf(agent.session)}.json`),
    )
    expect(await api.session.query(agent.session)).toMatchObject({
      name: expect.not.stringContaining('another'),
      stopMessage: null,
      queue: [{ text: 'queued in time', state: 'queued' }],
    })
  })

  it('refuses a marker, says so in the timeline, and sends the prompt on without it', async (context) => {
    skip(context)
    until.open()
    await waitFor('the long answer', () => agent.idle())
    await agent.say(engine, 'arm it <**stopMessage:"go on",2**>')
    await waitFor('its answer', () => agent.idle())
    expect(mock.turns().at(-1)?.lastUserText?.trim()).toBe('arm it')
    expect((await events()).filter(({ type }) => type === 'marker-refused')).toMatchObject([
      { code: 'store-failed', message: expect.stringContaining(why) },
    ])
  })

  it('types no followup that could be typed again after a crash: it waits, with the reason', async (context) => {
    skip(context)
    await waitFor('the followup to be held', async () =>
      (await events()).some(
        (body) => body.type === 'held' && body.reason.code === 'store-failed' && body.reason.message.includes(why),
      ),
    )
    expect(agent.read()).not.toContain('queued in time')
    expect(outbox()).toMatchObject([{ text: 'queued in time', phase: { state: 'queued' } }])
  })

  it('told of each file once, left nothing half-written, and lives', async (context) => {
    skip(context)
    const problems = (await events()).flatMap((body) => (body.type === 'store-problem' ? [body] : []))
    expect(problems).toEqual(
      expect.arrayContaining([
        {
          type: 'store-problem',
          file: scopeFile(agent.scope),
          code: 'store-failed',
          message: expect.stringContaining(why),
        },
      ]),
    )
    expect(new Set(problems.map(({ file }) => file)).size).toBe(problems.length)
    // the engine tries again all the while: at a moment one may be under way
    await waitFor('no half-written file', () => temps().length === 0)
    expect(await engine.control.api.status.query()).toMatchObject({ pid: engine.pid })
    if (place === 'the whole home')
      expect(engine.output()).toContain(`The log ${join(engine.home, 'logs', 'engine.log')} can't be written: `)
  })

  it('goes on once the disk is well: what waited is typed once, new orders are taken', async (context) => {
    skip(context)
    end(disk)
    await waitFor(
      'what was queued',
      () => outbox().find(({ text }) => text === 'queued in time')?.phase.state === 'confirmed',
    )
    await waitFor('its answer', () => agent.idle())
    await engine.control.api.setStopMessage.mutate({ session: agent.session, text: 'go on', rounds: 1 })
    await engine.control.api.say.mutate({ session: agent.session, text: 'in time again' })
    await waitFor('the round', () => agent.submits().includes('go on') && agent.idle())
    expect(agent.submits()).toEqual([
      'begin',
      'something long',
      'arm it <**stopMessage:"go on",2**>',
      'queued in time',
      'in time again',
      'go on',
    ])
    // What was only in memory has come to the disk as well.
    const rows = () => readFileSync(join(sessions, 'timeline.jsonl'), 'utf8')
    await waitFor(
      'the rows of the bad time',
      () => rows().includes('"type":"marker-refused"') && rows().includes('"type":"store-problem"'),
    )
    for (const { entry } of bodyEntries)
      await waitFor(`the session of ${entry}`, () =>
        readdirSync(sessions).includes(`session-${fileNameOf(`new-${entry}`)}.json`),
      )
  })

  it('has everything after a restart', async (context) => {
    skip(context)
    const before = await engine.control.api.timeline.query({ session: null, limit: 500 })
    await engine.stop()
    engine = await engine.restart()
    const after = new Set((await engine.control.api.timeline.query({ session: null, limit: 500 })).map(({ id }) => id))
    expect(before.filter(({ id }) => !after.has(id))).toEqual([])
    expect(await engine.control.api.session.query(agent.session)).toMatchObject({
      turns: 6,
      stopMessage: { status: { kind: 'done' } },
    })
    expect((await events()).filter((body) => body.type === 'store-problem' && body.code === 'store-corrupt')).toEqual(
      [],
    )
    expect(temps()).toEqual([])
  })
})

describe('an engine that starts', () => {
  let disk: OwnDisk | null = null
  afterEach(async () => {
    disk?.writable()
    await disk?.dispose()
    disk = null
  })
  const start = async (home: string, env: Record<string, string> = {}) => {
    const { code, err } = await onward(['serve', '--json', '--home', home, '--port', '0'], env)
    return { code, ...(JSON.parse(err.split('\n').find((line) => line.startsWith('{')) ?? '{}') as object) }
  }

  const couldNotSave = (folder: string) => `Onward could not save ${folder}`

  it.each([readOnly, full])('on a session folder on a $what disk says so and ends', async (trouble) => {
    disk = ownDisk('64k')
    await trouble.begin(disk)
    const folder = join(disk.folder, 'sessions')
    expect(await start(newHome(), { ROUTECODEX_SESSION_DIR: folder })).toEqual({
      code: 1,
      error: { code: 'store-failed', message: `${couldNotSave(folder)}: ${trouble.why}`, exit: 1 },
    })
  })

  it.each([
    { ...readOnly, there: [], code: 'home-unusable', say: (home: string) => `The Onward home ${home} can’t be made` },
    { ...readOnly, there: ['.'], code: 'store-failed', say: couldNotSave },
    { ...readOnly, there: ['logs'], code: 'store-failed', say: couldNotSave },
    { ...full, there: [], code: 'store-failed', say: couldNotSave },
    { ...full, there: ['logs'], code: 'store-failed', say: couldNotSave },
  ])(
    'in a home on a $what disk where $there is made already says so and ends, and starts when the disk is well',
    async ({ why, begin, end, there, code, say: told }) => {
      disk = ownDisk('256k')
      const home = join(disk.folder, 'home')
      for (const folder of there) mkdirSync(join(home, folder), { recursive: true })
      await begin(disk)
      expect(await start(home)).toEqual({ code: 1, error: { code, message: `${told(home)}: ${why}`, exit: 1 } })
      end(disk)
      const engine = await startEngineForTest({}, { home })
      await engine.dispose()
    },
  )
})

it('a format.json that was cut off is told of by doctor, and by a start that is not tried again', async () => {
  const home = newHome()
  writeFileSync(join(home, 'format.json'), '{"for')
  const serve = await onward(['serve', '--home', home, '--port', '0'])
  expect(serve).toMatchObject({ code: 4, err: expect.stringContaining('format.json is damaged') })
  const { out } = await onward(['doctor', '--json', '--home', home])
  expect(JSON.parse(out)).toContainEqual(
    expect.objectContaining({ check: 'home', ok: false, say: expect.stringContaining('format.json is damaged') }),
  )
})

describe('a home on a full disk', () => {
  it('is told of by status and doctor, which work there', async (context) => {
    skip(context)
    const disk = ownDisk()
    const home = join(disk.folder, 'home')
    const engine = await startEngineForTest({}, { home })
    try {
      disk.fill()
      const full = `The disk of ${home} is full: nothing new can be kept.`
      const status = await onward(['status', '--home', home])
      expect(status).toMatchObject({ code: 0, out: expect.stringContaining(`▲ ${full}\n`) })
      expect(JSON.parse((await onward(['status', '--json', '--home', home])).out)).toMatchObject({ diskFull: true })
      const doctor = await onward(['doctor', '--json', '--home', home])
      expect(doctor.code).toBe(1)
      const findings = JSON.parse(doctor.out) as { check: string; ok: boolean; say: string }[]
      expect(findings).toContainEqual(expect.objectContaining({ check: 'home', ok: false, say: full }))
      expect(findings).toContainEqual(expect.objectContaining({ check: 'keys' }))
      disk.free()
      expect((await onward(['status', '--home', home])).out).not.toContain('is full')
    } finally {
      await engine.dispose()
      await disk.dispose()
    }
  })
})
