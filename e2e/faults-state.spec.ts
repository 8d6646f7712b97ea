/** Damaged state files: the engine starts, sets them aside with every byte, says so, and everything else is whole. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TimelineEvent } from '../shared/events.ts'
import type { TurnRecord } from '../shared/state.ts'
import { fileNameOf, scopeFile } from '../electron/engine/store/disk-files.ts'
import { bodyOf, chatEntry, routedTo } from './support/entries.ts'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { outboxFiles } from './support/outbox-files.ts'
import { post } from './support/post.ts'
import { startTmux } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

let mock: MockUpstream
let engine: EngineForTest
/** the files of one are damaged, those of the other are not */
let harmed: TurnAgent
let whole: TurnAgent
beforeAll(async () => {
  mock = await startMockUpstream()
  mock.otherwise = say('This part is done now.')
  engine = await startEngineForTest({
    stopMessage: { settleMs: 100 },
    ...routedTo(mock, 'mock'),
  })
  const agent = async (name: string) => startTurnAgent({ home: 'hosted', engine, tmux: startTmux(), name })
  harmed = await agent('harmed')
  whole = await agent('whole')
})
afterAll(async () => {
  for (const agent of [harmed, whole]) agent?.end()
  await engine?.dispose()
  if (engine) endTerminalHosts(engine.home)
  await mock?.dispose()
  removeHomes()
})

const root = () => join(engine.home, 'sessions', `127.0.0.1_${engine.port}`)
const read = (file: string) => readFileSync(join(root(), file))
const damage = (file: string, bytes: Buffer | string) => writeFileSync(join(root(), file), bytes)
const asideOf = (file: string) =>
  readdirSync(join(root(), dirname(file))).filter((name) => name.startsWith(`${basename(file)}.corrupt-`))
const restart = async () => {
  engine = await engine.restart()
  // a terminal's host comes back by itself
  for (const { terminalId } of [harmed, whole])
    await waitFor('the terminal to be back', async () =>
      (await engine.control.api.terminals.query()).some((t) => t.id === terminalId && t.alive),
    )
}
const timeline = () => engine.control.api.timeline.query({ session: null, limit: 500 })
const problems = async () => (await timeline()).flatMap(({ body }) => (body.type === 'store-problem' ? [body] : []))
const turn = async (session: string) => {
  const answer = await post(
    engine,
    '/v1/chat/completions',
    bodyOf(chatEntry, [`hello from ${session}`], { model: 'mock-model' }),
    { headers: { 'x-session-id': session } },
  )
  expect(answer.status).toBe(200)
  expect(answer.body.toString()).toContain('This part is done now.')
}
const logged = (what: string) =>
  waitFor(`“${what}” in the log`, async () =>
    (await engine.control.api.logs.query(500)).find((line) => line.includes(what)),
  )

describe('state files that are damaged', () => {
  let damaged: { file: string; bytes: Buffer }[]
  let told: readonly TimelineEvent[]
  let turns: readonly TurnRecord[]
  const rows = new Map<string, Buffer>()

  beforeAll(async () => {
    for (const agent of [harmed, whole]) {
      await agent.say(engine, 'begin')
      await waitFor('the first answer', () => agent.idle())
      await engine.control.api.pause.mutate(agent.session)
      await engine.control.api.setStopMessage.mutate({ session: agent.session, text: 'go on', rounds: 3 })
      await engine.control.api.say.mutate({ session: agent.session, text: 'kept for later' })
    }
    for (const session of ['half', 'empty', 'noise', 'kept']) await turn(session)
    await engine.control.api.renameSession.mutate({ session: 'kept', name: 'my work' })
    told = await timeline()
    turns = await engine.control.api.turns.query(500)
    await engine.stop()

    const half = read('session-half.json')
    damaged = [
      { file: 'session-half.json', bytes: half.subarray(0, half.length / 2) },
      { file: 'session-empty.json', bytes: Buffer.alloc(0) },
      { file: 'session-noise.json', bytes: Buffer.from([0xff, 0xfe, 0, 1, 2, 0x80]) },
      { file: `session-${fileNameOf(harmed.session)}.json`, bytes: Buffer.from('{"version":1}') },
      { file: `outbox/${scopeFile(harmed.scope)}`, bytes: Buffer.from('{"version":1,"state":{"entries":"none"}}') },
      { file: scopeFile(harmed.scope), bytes: Buffer.from('{"version":1,"state":{"scope":7}}') },
      { file: 'day-totals.json', bytes: Buffer.from('[1,2') },
    ]
    for (const { file, bytes } of damaged) damage(file, bytes)
    for (const file of ['timeline.jsonl', 'turns.jsonl']) {
      const lines = read(file).toString().split('\n')
      // one line of noise in the middle, one that is JSON and no record, and the last one cut
      rows.set(
        file,
        Buffer.from(
          [
            ...lines.slice(0, 3),
            '\u0000\u0000 noise',
            '{"seq":"one"}',
            ...lines.slice(3, -2),
            lines.at(-2)?.slice(0, 20),
          ].join('\n'),
        ),
      )
      damage(file, rows.get(file) ?? '')
    }
    await restart()
  })

  it('are set aside with every byte, and started anew', () => {
    for (const { file, bytes } of damaged) {
      const [aside, ...more] = asideOf(file)
      expect(aside, file).toMatch(/\.json\.corrupt-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/)
      expect(more).toEqual([])
      expect(read(join(dirname(file), aside ?? '')).equals(bytes), file).toBe(true)
    }
  })

  it('are named in the timeline and in the log, with where their bytes are', async () => {
    const found = await problems()
    expect(found.map(({ file }) => file).sort()).toEqual(damaged.map(({ file }) => file).sort())
    for (const { file, code, message } of found) {
      expect(code).toBe('store-corrupt')
      expect(message).toContain(
        `${file} could not be read and is started anew. It was kept as ${asideOf(file).join()}.`,
      )
      await logged(`It was kept as ${asideOf(file).join()}`)
    }
  })

  it('leave the records before and after broken lines readable, and those lines in their file', async () => {
    for (const [file, bytes] of rows) expect(read(file).subarray(0, bytes.length).equals(bytes), file).toBe(true)
    const now = await timeline()
    const known = new Set(now.map(({ id }) => id))
    expect(told.filter(({ id }) => !known.has(id))).toEqual([])
    // The last one, which was cut, was the word of the end.
    expect(now.filter(({ body }) => body.type === 'engine')).toMatchObject([
      { body: { did: 'started' } },
      { body: { did: 'started' } },
    ])
    const seqs = now.map(({ seq }) => seq)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
    const kept = new Set((await engine.control.api.turns.query(500)).map(({ requestId }) => requestId))
    expect(turns.filter(({ requestId }) => !kept.has(requestId))).toEqual(turns.slice(0, 1))
    for (const file of rows.keys())
      await logged(`"file":"${file}","lines":3,"msg":"broken lines of a record file were passed by"`)
  })

  it('cost other sessions nothing', async () => {
    expect(await engine.control.api.session.query('kept')).toMatchObject({ name: 'my work', turns: 1 })
    expect(await engine.control.api.session.query(whole.session)).toMatchObject({
      turns: 1,
      stopMessage: { text: 'go on', max: 3, used: 0 },
      queue: [{ text: 'kept for later', state: 'queued' }],
    })
  })

  it('take new turns, which are written beside what was set aside', async () => {
    for (const session of ['half', 'empty', 'noise']) {
      await turn(session)
      await waitFor(`the file of ${session}`, () => readdirSync(root()).includes(`session-${session}.json`))
      expect(await engine.control.api.session.query(session)).toMatchObject({ turns: 1 })
    }
    await waitFor('new rows behind the cut one', () =>
      read('turns.jsonl')
        .toString()
        .split('\n')
        .some((line) => line.includes('"sessionId":"noise"') && JSON.parse(line).requestId !== undefined),
    )
    expect((await engine.control.api.status.query()).today.turns).toBe(3)
    expect(damaged.every(({ file }) => asideOf(file).length === 1)).toBe(true)
  })

  it('let the terminal whose queue and goal are gone be used again', async () => {
    await harmed.say(engine, 'still here?')
    await waitFor('its answer', () => harmed.idle())
    expect(await engine.control.api.session.query(harmed.session)).toMatchObject({ stopMessage: null, queue: [] })
    await engine.control.api.setStopMessage.mutate({ session: harmed.session, text: 'anew', rounds: 1 })
    await engine.control.api.say.mutate({ session: harmed.session, text: 'go ahead' })
    await waitFor('its round', () => harmed.submits().includes('anew') && harmed.idle())
    expect(harmed.submits()).toEqual(['begin', 'still here?', 'go ahead', 'anew'])
  })

  it('let the other terminal go on with what it had, once', async () => {
    await engine.control.api.resume.mutate(whole.session)
    await waitFor(
      'its queue',
      () =>
        outboxFiles(engine.home, engine.port).entry(whole.scope, (e) => e.text === 'kept for later')?.phase.state ===
        'confirmed',
    )
    await waitFor('three rounds', () => whole.submits().filter((text) => text === 'go on').length === 3 && whole.idle())
    expect(whole.submits()).toEqual(['begin', 'kept for later', 'go on', 'go on', 'go on'])
  })
})

describe('state files of a newer Onward', () => {
  const files = () => [
    `outbox/${scopeFile(harmed.scope)}`,
    scopeFile(harmed.scope),
    `session-${fileNameOf(harmed.session)}.json`,
  ]
  const newer = '{"version":99,"state":{"from":"the future"}}'

  it('are left as they are; requests are served, and what can’t be kept is refused', async () => {
    await engine.stop()
    for (const file of files()) damage(file, newer)
    await restart()
    await harmed.say(engine, 'and now?')
    await waitFor('its answer', () => harmed.idle())
    const refused = {
      data: { onwardCode: 'store-newer' },
      message: expect.stringMatching(
        /was written by a newer Onward \(format 99, this one knows 1\)\. Update Onward, or move the file away to start anew\./,
      ),
    }
    await expect(engine.control.api.say.mutate({ session: harmed.session, text: 'no' })).rejects.toMatchObject(refused)
    await expect(
      engine.control.api.setStopMessage.mutate({ session: harmed.session, text: 'no', rounds: 1 }),
    ).rejects.toMatchObject(refused)
    for (const file of files()) expect(read(file).toString()).toBe(newer)
    expect(new Set((await problems()).filter(({ code }) => code === 'store-newer').map(({ file }) => file))).toEqual(
      new Set(files().slice(0, 2)),
    )
    expect(harmed.submits().at(-1)).toBe('and now?')
    await engine.stop()
    for (const file of files()) expect(read(file).toString()).toBe(newer)
    engine = await engine.restart()
  })
})
