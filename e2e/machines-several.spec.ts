/**
 * Three other machines over the system's own ssh: a real Codex on two of them, which know each other as machines, too;
 * the third at the end of a slow line, which then goes to sleep.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineUpdate, Notice } from '../shared/state.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { installAgents } from './support/agents.ts'
import { noBrowser, openPage } from './support/browser.ts'
import { newHome, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { nothingMore } from './support/nothing-more.ts'
import { onward } from './support/onward-cli.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { startAgent } from './support/real/person.ts'
import { closeWorld, openWorld } from './support/real/world.ts'
import { noSshd, reaching, startSshMachine, type SshMachine } from './support/ssh-machine.ts'

const { codex } = realAgents
type World = Awaited<ReturnType<typeof openWorld>>
const names = ['ada', 'bob', 'cleo'] as const
const machines: SshMachine[] = []
const worlds: World[] = []
let near: EngineProcess
let env: Record<string, string> = {}
const at = <T>(list: readonly T[], name: (typeof names)[number]): T => {
  const found = list[names.indexOf(name)]
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}
const engineOf = (name: (typeof names)[number]) => at(worlds, name).engine

const know = (home: string, ...known: readonly string[]) => {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const list = known.map((name) => ({ name, target: name }))
  writeFileSync(join(home, 'machines.json'), JSON.stringify({ machines: list }))
}

beforeAll(async () => {
  if (noSshd !== null) return
  for (const name of names) machines.push(await startSshMachine({ name, overLine: true }))
  env = reaching(machines)
  know(at(machines, 'ada').home, 'bob')
  know(at(machines, 'bob').home, 'ada')
  const PATH = `${env.PATH}:${installAgents().path}`
  worlds.push(
    ...(await Promise.all(machines.map(({ home }) => openWorld(codex.provider, { home, env: { ...env, PATH } })))),
  )
  const home = newHome()
  know(home, ...names)
  near = await startEngine({ home, env })
  await waitFor('all to be there', async () => (await statesOf(near)).every((state) => state === 'there'))
})
afterAll(async () => {
  await near?.stop()
  await Promise.all(worlds.map(closeWorld))
  for (const machine of machines) {
    for (const home of [near?.home, ...machines.map((one) => one.home)]) if (home) machine.endShared(home)
    await machine.dispose()
  }
  removeHomes()
})

const statesOf = async (engine: EngineProcess) =>
  (await engine.control.api.machines.query()).map(({ state }) => state.kind)
const listed = async (engine: EngineProcess) =>
  Object.fromEntries(
    (await engine.control.api.machines.query()).map(({ name, sessions }) => [name, sessions.map(({ id }) => id)]),
  )
const run = (...words: readonly string[]) => onward(['--home', near.home, ...words], env)
const json = async (...words: readonly string[]): Promise<unknown> => {
  const ran = await run('--json', ...words)
  expect(ran).toMatchObject({ code: 0, err: '' })
  return JSON.parse(ran.out)
}
/** All that a viewer of an engine hears, from now on. */
async function hears(engine: EngineProcess): Promise<{ updates: EngineUpdate[]; notices: Notice[]; leave(): void }> {
  const updates: EngineUpdate[] = []
  const notices: Notice[] = []
  const following = await new Promise<{ unsubscribe(): void }>((begun) => {
    const mine = engine.control.api.follow.subscribe(undefined, {
      onData(update) {
        if (update.type === 'snapshot') begun(mine)
        else updates.push(update)
        if (update.type === 'notice') notices.push(update.notice)
      },
    })
  })
  return { updates, notices, leave: () => following.unsubscribe() }
}
/** A turn of a client there, which makes a session of this id. */
async function turn(engine: EngineProcess, session: string): Promise<void> {
  const answer = await fetch(`${engine.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'any', 'content-type': 'application/json', 'x-claude-code-session-id': session },
    body: JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}

describe('engines that have each other as machines', unless(noSshd), () => {
  it('list and tell what is their own, once, and pass nothing on', async () => {
    const ids = { ada: '0a1b2c3d-1111-4222-8333-000000000001', bob: '0a1b2c3d-1111-4222-8333-000000000002' }
    const [ada, bob] = [engineOf('ada'), engineOf('bob')]
    await Promise.all([turn(ada, ids.ada), turn(bob, ids.bob)])
    for (const [engine, all] of [
      [ada, { bob: [ids.bob] }],
      [bob, { ada: [ids.ada] }],
      [near, { ada: [ids.ada], bob: [ids.bob], cleo: [] }],
    ] as const)
      await waitFor('their sessions', async () => JSON.stringify(await listed(engine)) === JSON.stringify(all))

    const viewers = await Promise.all([ada, bob, near].map(hears))
    const ring = (name: 'ada' | 'bob') =>
      engineOf(name).control.api.addAlarm.mutate({ session: ids[name], dueAt: Date.now() + 300, task: `for ${name}` })
    // an echo of the first would be there before the last, which goes the same ways after it
    for (const [i, name] of (['ada', 'bob', 'ada'] as const).entries()) {
      await ring(name)
      await waitFor('all to hear it', () => viewers.every(({ notices }) => notices.length > i))
    }
    expect(viewers.map(({ notices }) => notices.map(({ machine }) => machine))).toEqual([
      [undefined, 'bob', undefined],
      ['ada', undefined, 'ada'],
      ['ada', 'bob', 'ada'],
    ])
    // what one hears of the other it does not hand back
    for (const { updates, leave } of viewers) {
      leave()
      const told = updates.map((update) => JSON.stringify(update))
      expect(told.filter((text, i) => text === told[i - 1])).toEqual([])
    }
    const there = await json('--on', 'ada', 'sessions', '--everywhere')
    expect(there).toMatchObject([
      { id: ids.ada, machine: null },
      { id: ids.bob, machine: 'bob' },
    ])
  })
})

describe('at the same time', unless(firstOf(noSshd, noBrowser, agentMissing(codex))), () => {
  const stateOf = async (name: string) =>
    (await near.control.api.machines.query()).find((machine) => machine.name === name)?.state
  const away = (name: string, limitMs: number) =>
    waitFor(
      `${name} to be away`,
      async () => {
        const state = await stateOf(name)
        return state?.kind === 'away' ? state : undefined
      },
      limitMs,
    )
  const back = (name: string) =>
    waitFor(`${name} to be back`, async () => (await stateOf(name))?.kind === 'there' || undefined, 60_000)

  it.concurrent('a Codex on each of two is told, answered and stopped from here, and goes on without the line', async ({
    expect: see,
  }) => {
    const [ada, bob] = [at(worlds, 'ada'), at(worlds, 'bob')]
    bob.mock.script(({ lastUserText }) =>
      lastUserText?.includes('Make the file.') ? codex.dialog.reply('made-by-tool') : undefined,
    )
    const start = ({ engine }: World) => startAgent(codex, { engine, how: 'hosted', name: 'work' })
    const [atAda, atBob] = await Promise.all([start(ada), start(bob)])
    await Promise.all([atAda.say('Write the first part.'), atBob.say('Make the file.')])
    const [onAda, onBob] = await Promise.all([
      ada.engine.control.session((s) => s.client === 'codex' && s.shape === 'idle', 60_000),
      bob.engine.control.session((s) => s.shape === 'needs', 60_000),
    ])

    // said here, typed there, and asked of the provider of that machine alone
    await json('--on', 'ada', 'say', onAda.id, 'run the tests again')
    const asked = ({ mock }: World) => mock.turns().filter(({ body }) => body.includes('run the tests again')).length
    await waitFor('it to be asked', () => asked(ada) === 1 || undefined, 60_000)
    see(asked(bob)).toBe(0)

    // its dialog is answered in the dashboard here
    const views = await Promise.all([openPage(), openPage()])
    const choices = await Promise.all(
      views.map(async ({ page }) => {
        await page.goto(await near.dashboard())
        await page
          .getByRole('treeitem')
          .filter({ hasText: 'bob' })
          .filter({ hasText: /Asks to run/ })
          .click()
        return page.getByRole('list', { name: 'Choices' })
      }),
    )
    const [first, second] = choices
    await second?.waitFor()
    const file = join(atBob.cwd, 'made-by-tool')
    see(existsSync(file)).toBe(false)
    await first?.getByText('Yes, proceed (y)', { exact: true }).click()
    await waitFor('the file there', () => existsSync(file) || undefined)
    await bob.engine.control.session((s) => s.id === onBob.id && s.shape === 'idle', 60_000)
    // two dashboards agree
    await second?.waitFor({ state: 'detached' })
    for (const { complaints, close } of views) {
      await close()
      see(complaints).toEqual([])
    }

    // what is kept going there goes on without the line, which comes back by itself
    await json('--on', 'ada', 'stop-message', onAda.id, 'go on with the next part', '--rounds', '100', '--now')
    const line = at(machines, 'ada').line
    if (!line) throw new Error('no line')
    line.frozen = true
    line.cut()
    see((await away('ada', 60_000)).seen).toBe(true)
    see(await stateOf('bob')).toMatchObject({ kind: 'there' })
    const before = ada.mock.turns().length
    await waitFor('two rounds without it', () => ada.mock.turns().length >= before + 2 || undefined, 60_000)
    line.frozen = false
    await back('ada')
    await json('--on', 'ada', 'stop-message', onAda.id, '--clear')
    await nothingMore(ada.mock, ada.engine)
    see((await ada.engine.control.session((s) => s.id === onAda.id)).stopMessage?.status.kind).not.toBe('armed')

    see(await json('--on', 'bob', 'terminals', 'close', onBob.terminalId ?? '')).toBeDefined()
    await waitFor(
      'its Codex to end',
      async () => (await bob.engine.control.api.terminals.query()).every(({ alive }) => !alive) || undefined,
    )
    atAda.dispose()
    atBob.dispose()
  }, 280_000)

  it.concurrent('a slow line is only slow; one that sleeps is noticed, shown, and comes back by itself', async ({
    expect: see,
  }) => {
    const line = at(machines, 'cleo').line
    if (!line) throw new Error('no line')
    line.delayMs = 200
    const { ms } = (await json('remote', 'test', 'cleo')) as { ms: number }
    see(ms).toBeGreaterThan(400)
    const opened = (await json('--on', 'cleo', 'terminals', 'open', '--name', 'shell', 'other', '--', 'cat')) as {
      id: string
    }
    see(await json('--on', 'cleo', 'say', 'shell', 'good night')).toMatchObject({ text: 'good night' })
    see(await engineOf('cleo').control.api.terminals.query()).toMatchObject([{ id: opened.id }])
    see((await stateOf('cleo'))?.kind).toBe('there')
    line.frozen = true
    const { since, seen } = await away('cleo', 90_000)
    see(seen).toBe(true)
    see((await run('sessions', '--everywhere')).out).toMatch(/◌ cleo {2}away since \d\d:\d\d: /)
    see(since).toBeLessThanOrEqual(Date.now())
    line.delayMs = 0
    line.frozen = false
    await back('cleo')
  }, 280_000)
})
