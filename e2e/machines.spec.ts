/** Another machine's engine over the system's own ssh: asked, lost, not there, and not to be tricked. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { firstOf, unless } from '../shared/testing/unless.ts'
import type { Notice } from '../shared/state.ts'
import { controlTokenFile } from '../electron/engine/control/token.ts'
import { axeViolations } from './dashboard/support/axe.ts'
import { noBrowser, openPage } from './support/browser.ts'
import { newHome, removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { endTerminalHosts } from './support/hosted-agent-driver.ts'
import { onward, type CliRun } from './support/onward-cli.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { noSshd, startSshMachine, type SshMachine } from './support/ssh-machine.ts'

const pictures = resolve(import.meta.dirname, '.artifacts/dashboard')
const key = 'local-test-key'
const conversation = '0a1b2c3d-1111-4222-8333-944455556666'
let there: SshMachine
/** of this machine: no engine runs here */
let home: string
beforeAll(async () => {
  if (noSshd !== null) return
  there = await startSshMachine()
})
afterAll(async () => {
  await there?.dispose()
  removeHomes()
})
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const run = (...words: readonly string[]): Promise<CliRun> => onward(['--home', home, ...words], there.env)
const json = async (...words: readonly string[]): Promise<unknown> => {
  const ran = await run('--json', ...words)
  expect(ran).toMatchObject({ code: 0, err: '' })
  return JSON.parse(ran.out)
}
const refusal = async (...words: readonly string[]): Promise<unknown> => {
  const ran = await run('--json', ...words)
  expect(ran.out).toBe('')
  return (JSON.parse(ran.err) as { error: unknown }).error
}
/** A home here that knows the machine, and an engine there. */
async function linked(providers: Record<string, unknown> = {}): Promise<EngineProcess> {
  await fresh()
  const engine = await startEngine({ home: there.home, config: { providers, server: { keys: [key] } } })
  ends.push(async () => {
    await engine.stop()
    endTerminalHosts(engine.home)
  })
  return engine
}
/** A turn of a client there, which makes a session. The engine answers it itself: it has no provider. */
async function turn(engine: EngineProcess): Promise<void> {
  const answer = await fetch(`${engine.baseUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'x-claude-code-session-id': conversation },
    body: JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}
/** Takes a question and never answers. */
async function silentProvider(): Promise<{ url: string; asked: Promise<void> }> {
  let told: () => void = () => undefined
  const asked = new Promise<void>((done) => {
    told = done
  })
  const server = createServer(() => told())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  ends.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}
async function fresh(): Promise<void> {
  home = newHome()
  // a connection that is kept for the next command
  ends.push(() => there.endShared(home))
  writeFileSync(join(home, 'machines.json'), JSON.stringify({ machines: [{ name: 'devbox', target: 'devbox' }] }))
}

describe('a machine over ssh', unless(noSshd), () => {
  it('is added under a name, tried at once, listed, and forgotten', async () => {
    const engine = await linked()
    const added = await run('remote', 'add', 'box', 'devbox')
    expect(added).toMatchObject({ code: 0, err: '' })
    expect(added.out).toContain('Added box devbox')
    expect(added.out).toMatch(new RegExp(`box answers in \\d+ ms\\n +Engine +Onward \\S+, pid ${engine.pid}, `))
    expect(await json('remote', 'list')).toEqual([
      { name: 'box', target: 'devbox', program: null },
      { name: 'devbox', target: 'devbox', program: null },
    ])
    expect(await json('remote', 'remove', 'box')).toEqual({ removed: 'box' })
    expect(await refusal('--on', 'box', 'status')).toMatchObject({ code: 'machine-unknown', exit: 5 })
  })

  it('has its engine asked as one here is: status, sessions, terminals, say, alarms', async () => {
    const engine = await linked()
    const local = (...words: readonly string[]) => onward(['--home', engine.home, ...words])
    expect(await json('--on', 'devbox', 'status')).toMatchObject({ running: true, pid: engine.pid, home: engine.home })
    const opened = (await json('--on', 'devbox', 'terminals', 'open', '--name', 'shell', 'other', '--', 'cat')) as {
      id: string
      cwd: string
    }
    expect(await engine.control.api.terminals.query()).toMatchObject([{ id: opened.id, name: 'shell', alive: true }])
    expect(await json('say', '--on=devbox', 'shell', 'run the tests')).toMatchObject({ text: 'run the tests' })
    await turn(engine)
    await json('alarm', 'add', conversation, 'in 20 min', 'check CI', '--on', 'devbox')
    for (const words of [['sessions'], ['terminals'], ['alarm', 'list']]) {
      const [far, near] = [await run(...words, '--json', '--on', 'devbox'), await local(...words, '--json')]
      expect(far).toEqual(near)
      expect(far.out).toMatch(/shell|check CI/)
    }
    expect((await local('alarm', 'list', '--json')).out).toContain('check CI')
    // refused there as here, with the same code
    expect(await run('--on', 'devbox', 'stop-message', 'nobody')).toEqual(await local('stop-message', 'nobody'))
  })

  it('has its engine say what is wrong there, and what it logged', async () => {
    const engine = await linked()
    const local = (...words: readonly string[]) => onward(['--home', engine.home, ...words])
    const found = (await json('--on', 'devbox', 'doctor')) as { check: string; say: string }[]
    expect(found.find(({ check }) => check === 'engine')?.say).toContain(`pid ${engine.pid}`)
    const near = JSON.parse((await local('doctor', '--json')).out) as unknown[]
    for (const one of found.filter(({ check }) => check !== 'engine')) expect(near).toContainEqual(one)
    const said = await run('--on', 'devbox', 'logs', '-n', '20')
    expect(said).toEqual(await local('logs', '-n', '20'))
    expect(said.out).toContain('engine ready')
  })

  it('is logged in to once for several commands', async () => {
    await linked()
    await json('--on', 'devbox', 'sessions')
    const sockets = () => readdirSync(join(home, 'run'))
    const shared = sockets()
    expect(shared).toHaveLength(1)
    await json('--on', 'devbox', 'sessions')
    expect(sockets()).toEqual(shared)
    expect(statSync(join(home, 'run')).mode & 0o077).toBe(0)
  })

  it('leaves its control token nowhere here: in no file, and in no argv', async () => {
    const engine = await linked()
    const token = readFileSync(controlTokenFile(engine.home), 'utf8').trim()
    const tested = await run('remote', 'test', 'devbox', '--json')
    expect(JSON.parse(tested.out)).toMatchObject({ machine: 'devbox', engine: { pid: engine.pid }, fit: 'same' })
    await json('--on', 'devbox', 'status')
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name))
    const kept = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'utf8'))
    for (const text of [...kept, there.words(), tested.out, tested.err]) expect(text).not.toContain(token)
    expect(there.words()).toContain('onward link')
  })

  it.each(['ssh itself', 'the connection that several share'])(
    'that loses its line in the middle of a command says so, and the next command has a new one: %s',
    async (what) => {
      const provider = await silentProvider()
      const engine = await linked({ silent: { type: 'openai-chat', baseUrl: provider.url, auth: 'none' } })
      const asked = refusal('--on', 'devbox', 'providers', 'test', 'silent')
      await provider.asked
      if (what === 'ssh itself') process.kill(there.newest(), 'SIGKILL')
      else there.endShared(home)
      expect(await asked).toMatchObject({ code: 'machine-line-lost', exit: 3 })
      expect(await json('--on', 'devbox', 'status')).toMatchObject({ pid: engine.pid })
    },
  )

  it('whose engine ends in the middle of a command says that', async () => {
    const provider = await silentProvider()
    const engine = await linked({ silent: { type: 'openai-chat', baseUrl: provider.url, auth: 'none' } })
    const asked = refusal('--on', 'devbox', 'providers', 'test', 'silent')
    await provider.asked
    await engine.kill()
    expect(await asked).toMatchObject({ code: 'machine-engine-ended', exit: 3 })
    expect(await refusal('--on', 'devbox', 'status')).toMatchObject({ code: 'machine-no-engine', exit: 3 })
  })

  it('without an engine says so, and has one started when it is asked to', async () => {
    await fresh()
    expect(await refusal('--on', 'devbox', 'status')).toEqual({
      code: 'machine-no-engine',
      exit: 3,
      message: `No engine runs on devbox, for ${there.home}. Start it with ` + '`onward remote test devbox --start`.',
    })
    const started = (await json('remote', 'test', 'devbox', '--start')) as { started: boolean; engine: { pid: number } }
    ends.push(() => process.kill(started.engine.pid, 'SIGTERM'))
    expect(started.started).toBe(true)
    expect(await json('--on', 'devbox', 'status')).toMatchObject({ pid: started.engine.pid, home: there.home })
    expect(await json('remote', 'test', 'devbox', '--start')).toMatchObject({ started: false })
  })
})

describe('the engine here', unless(noSshd), () => {
  it('lists the sessions of the machines, and one that went away comes back by itself', async () => {
    const far = await linked()
    await turn(far)
    const near = await startEngine({ home, env: there.env })
    ends.push(() => near.stop())
    expect(await json('sessions')).toEqual([])
    expect(await json('sessions', '--everywhere')).toMatchObject([{ id: conversation, machine: 'devbox' }])
    // By itself: of one that is killed a session that has just begun may not be on the disk yet.
    await far.stop()
    const state = async () => (await near.control.api.machines.query())[0]?.state
    await waitFor('it to be away', async () => (await state())?.kind === 'away')
    const said = await run('sessions', '--everywhere')
    expect(said.out).toMatch(/ devbox .*\n◌ devbox {2}away since \d\d:\d\d: (The|No) engine /)
    const again = await far.restart()
    ends.push(() => again.stop())
    await waitFor('it to be back', async () => (await state())?.kind === 'there')
    // It answers before it has read its sessions.
    const listed = async () => (await near.control.api.machines.query())[0]?.sessions.map(({ id }) => id)
    await waitFor('its session', async () => (await listed())?.includes(conversation) === true)
    expect(await json('sessions', '--everywhere')).toMatchObject([{ id: conversation, machine: 'devbox' }])
  })
})

const heard = () => join(there.person, 'heard')
/** One that sends a turn by itself, from a terminal of that machine, and then says what is typed. */
async function speaking(engine: EngineProcess): Promise<void> {
  const body = JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] })
  const script =
    "const { ONWARD_KEY: key, ANTHROPIC_BASE_URL: base } = process.env; process.stdout.write('ready> ');" +
    `fetch(base + '/v1/messages', { method: 'POST', body: ${JSON.stringify(body)}, headers: { 'x-api-key': key, ` +
    `'content-type': 'application/json', 'x-claude-code-session-id': '${conversation}' } }).then((a) => a.text());` +
    `process.stdin.on('data', (text) => require('fs').appendFileSync('${heard()}', text))`
  await engine.control.api.openTerminal.mutate({
    client: 'other',
    name: 'etl-nightly',
    args: [process.execPath, '-e', script],
    cwd: there.person,
    cols: 80,
    rows: 24,
  })
  await waitFor('its session', async () =>
    (await engine.control.api.sessions.query()).some(({ id, terminalId }) => id === conversation && terminalId),
  )
}

describe('a notification of another machine', unless(noSshd), () => {
  it('comes here once, with its name, to all who look, and not at all where that is not wanted', async () => {
    const far = await linked()
    await turn(far)
    const near = await startEngine({ home, env: there.env })
    ends.push(() => near.stop())
    await waitFor('it to be there', async () => (await near.control.api.machines.query())[0]?.state.kind === 'there')
    const heard: Notice[][] = [[], []]
    for (const notices of heard)
      await new Promise<void>((begun) => {
        const following = near.control.api.follow.subscribe(undefined, {
          onData(update) {
            if (update.type === 'snapshot') begun()
            if (update.type === 'notice') notices.push(update.notice)
          },
        })
        ends.push(() => following.unsubscribe())
      })
    const ring = (task: string) =>
      far.control.api.addAlarm.mutate({ session: conversation, dueAt: Date.now() + 500, task })
    await ring('check CI')
    await waitFor('its notice', () => heard.every(({ length }) => length > 0))
    await json('remote', 'notices', 'devbox', 'off')
    await ring('quiet one')
    await waitFor(
      'it to ring there',
      async () =>
        (await far.control.api.timeline.query({ session: null, limit: 50 })).filter(
          ({ body }) => body.type === 'notified' && body.class === 'alarm-due',
        ).length === 2,
    )
    await json('remote', 'notices', 'devbox', 'on')
    await ring('last one')
    await waitFor('the next', () => heard.every(({ length }) => length > 1))
    for (const notices of heard) {
      expect(notices.map(({ machine, title }) => [machine, title.startsWith('devbox: ')])).toEqual([
        ['devbox', true],
        ['devbox', true],
      ])
      expect(notices.map(({ body }) => body).join()).not.toContain('quiet one')
    }
  })
})

describe('the dashboard here', unless(firstOf(noSshd, noBrowser)), () => {
  async function opened(
    size: BrowserContextOptions,
    begin: (engine: EngineProcess) => Promise<void>,
  ): Promise<{ far: EngineProcess; near: EngineProcess; page: Page }> {
    const far = await linked()
    await begin(far)
    const near = await startEngine({ home, env: there.env })
    ends.push(() => near.stop())
    const { page, complaints, close } = await openPage(size)
    ends.push(async () => {
      await close()
      expect(complaints).toEqual([])
    })
    await page.goto(await near.dashboard())
    return { far, near, page }
  }

  it('shows a session of another machine, and each act on it is done there', async () => {
    const { far, near, page } = await opened({ viewport: { width: 1440, height: 900 } }, speaking)
    await mkdir(pictures, { recursive: true })
    const { api } = far.control
    const ask = () => api.session.query(conversation)
    await page.getByRole('treeitem').filter({ hasText: 'devbox' }).click()
    await page.getByRole('heading', { name: 'etl-nightly' }).waitFor()
    expect(new URL(page.url()).hash).toBe(`#/on/devbox/session/${conversation}`)
    expect(await axeViolations(page)).toEqual([])

    await page.keyboard.press('p')
    await waitFor('it to be paused there', async () => (await ask()).paused)
    await page
      .getByRole('button', { name: /^Resume/ })
      .first()
      .click()
    await waitFor('it to go on there', async () => !(await ask()).paused)

    await page.getByRole('tab', { name: 'Alarms' }).click()
    await page.getByRole('button', { name: /^Set alarm/ }).click()
    await page.getByLabel('When').fill('in 2 h')
    await page.getByLabel('What to tell the agent').fill('check CI')
    await page.keyboard.press('Control+Enter')
    await waitFor('the alarm there', async () => (await api.alarms.query()).alarms[0]?.task === 'check CI')
    await page.getByText('check CI').first().waitFor()

    // the terminal there, watched and typed into over the line
    await page.getByRole('tab', { name: 'Terminal' }).click()
    await page.getByText('ready>').waitFor()
    await page.locator('.term').click()
    await page.keyboard.type('run the tests')
    await page.keyboard.press('Enter')
    await waitFor(
      'it to be heard there',
      () => existsSync(heard()) && readFileSync(heard(), 'utf8').includes('run the tests'),
    )

    // changes come by themselves
    await api.renameSession.mutate({ session: conversation, name: 'etl-weekly' })
    await page.getByRole('heading', { name: 'etl-weekly' }).waitFor({ timeout: 5_000 })
    // a terminal opens there, and stands in the list before its first turn
    await page.getByRole('button', { name: 'New terminal' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Where').selectOption('devbox')
    await dialog.getByLabel('Command').fill('cat')
    await dialog.getByLabel(/^Name/).fill('scratch')
    await dialog.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('treeitem').filter({ hasText: 'scratch' }).waitFor()
    expect((await api.terminals.query()).map(({ alive }) => alive)).toEqual([true, true])
    await page.waitForURL(/#\/on\/devbox\/terminal\//)

    // what else is told of one machine at a time is told of any
    for (const [view, name] of [
      ['alarms', 'Alarms'],
      ['activity', 'Activity'],
      ['providers', 'Providers & routing'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click()
      // the view before stays until this one is there
      await page.getByRole('main').getByRole('heading', { level: 1, name: view }).waitFor()
      await page.getByLabel('Machines').first().selectOption('devbox')
      await page.waitForURL((url) => url.hash === `#/on/devbox/${view}`)
      await page
        .getByText({ alarms: 'check CI', activity: 'etl-weekly', providers: 'simulator' }[view])
        .first()
        .waitFor()
      expect(await axeViolations(page)).toEqual([])
      for (const width of [390, 900, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await page.screenshot({ path: join(pictures, `machines-${view}-${width}.png`) })
        // nothing is pushed out of sight
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      }
    }

    // nothing of all this was done here
    expect(await near.control.api.sessions.query()).toEqual([])
    expect((await near.control.api.alarms.query()).alarms).toEqual([])
  })

  it.each([
    ['en-GB', 'has been away since', 'Start its engine'],
    ['zh-CN', '联系不上', '启动那边的引擎'],
  ])('says since when one is away, and why, and starts its engine, in %s', async (locale, away, start) => {
    const { far, page } = await opened({ locale, viewport: { width: 390, height: 844 } }, turn)
    await mkdir(pictures, { recursive: true })
    const shown = async (what: string) => {
      for (const [width, height] of [
        [390, 844],
        [900, 800],
        [1440, 900],
      ] as const)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height })
          await page.emulateMedia({ colorScheme })
          await page.screenshot({ path: join(pictures, `machines-${what}-${width}-${colorScheme}-${locale}.png`) })
          // a list that lies over the detail is no main part of its own
          if (width === 1440 || (what !== 'list' && colorScheme === 'dark'))
            expect(await axeViolations(page)).toEqual([])
        }
    }
    const row = page.getByRole('treeitem').filter({ hasText: 'devbox' })
    await row.waitFor()
    await shown('list')
    await row.click()
    await page.getByRole('tabpanel').getByRole('listitem').first().waitFor()
    await shown('session')
    await far.kill()
    await page.getByText(away).waitFor()
    await shown('away')
    await page.getByRole('button', { name: start }).click()
    await page.getByText(away).waitFor({ state: 'detached' })
    const { pid } = JSON.parse(readFileSync(join(far.home, 'engine.json'), 'utf8')) as { pid: number }
    ends.push(() => process.kill(pid, 'SIGTERM'))
  })
})

describe('the settings here', unless(firstOf(noSshd, noBrowser)), () => {
  it('add a machine, say what is in the way, start its engine, and forget it', async () => {
    home = newHome()
    const near = await startEngine({ home, env: there.env })
    ends.push(
      () => there.endShared(home),
      () => near.stop(),
    )
    const { page, complaints, close } = await openPage()
    ends.push(close)
    await page.goto(`${await near.dashboard()}&place=settings`)
    await page.getByRole('button', { name: 'Add a machine' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('box')
    await dialog.getByLabel('Address for ssh').fill('-oProxyCommand=x')
    await dialog.getByRole('button', { name: 'Add and try' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'is no address for ssh' }).waitFor()
    await dialog.getByLabel('Address for ssh').fill('devbox')
    await dialog.getByRole('button', { name: 'Add and try' }).click()
    await dialog.getByText('No engine runs there.').waitFor()
    await mkdir(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, 'machines-add.png') })
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Start its engine' }).click()
    await dialog.getByText(/It answers in \d+ ms/).waitFor()
    const { pid } = JSON.parse(readFileSync(join(there.home, 'engine.json'), 'utf8')) as { pid: number }
    ends.push(() => process.kill(pid, 'SIGTERM'))
    await dialog.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('listitem', { name: 'box', exact: true })
    await row.getByText(/reached, Onward/).waitFor()
    for (const [width, colorScheme] of [
      [390, 'light'],
      [900, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await row.scrollIntoViewIfNeeded()
      await page.screenshot({ path: join(pictures, `machines-settings-${width}-${colorScheme}.png`) })
    }
    await row.getByRole('switch').click()
    await waitFor('it to be kept', () => readFileSync(join(home, 'machines.json'), 'utf8').includes('"quiet": true'))
    // what the command line does is seen at once, and the other way round
    expect(await json('remote', 'list')).toMatchObject([{ name: 'box', quiet: true }])
    await json('remote', 'add', 'devbox')
    await page.getByRole('listitem', { name: 'devbox' }).waitFor()
    await row.getByRole('button', { name: 'Remove box' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await json('remote', 'list')).toMatchObject([{ name: 'devbox' }])
    expect(complaints).toEqual([])
  })
})

describe('what is in the way', unless(noSshd), () => {
  afterEach(() => {
    there.sshConfig([])
    there.program('built')
  })

  it.each([
    ['a key that is refused', ['IdentityFile stranger'], 'machine-auth-refused', /Permission denied.*ssh-add/],
    ['a host key nobody knows', ['UserKnownHostsFile no-known'], 'machine-host-key', /Run `ssh devbox` once/],
    ['a port where nothing listens', ['Port 1'], 'machine-unreachable', /Connection refused/],
    ['a name nobody knows', ['HostName nowhere.invalid'], 'machine-host-unknown', /“devbox”/],
    ['a config that ssh does not take', ['Frobnicate yes'], 'machine-ssh-failed', /Try `ssh devbox`/],
  ] as const)('%s', async (_what, lines, code, sentence) => {
    await fresh()
    there.sshConfig(lines)
    const error = await refusal('--on', 'devbox', 'status')
    expect(error).toMatchObject({ code, exit: 3, message: expect.stringMatching(sentence) })
  })

  it('no ssh here', async () => {
    await fresh()
    const ran = await onward(['--home', home, '--on', 'devbox', 'status', '--json'], { PATH: home })
    expect(JSON.parse(ran.err)).toMatchObject({ error: { code: 'machine-no-ssh', exit: 3 } })
  })

  it('no Onward there, or only where the login shell finds it', async () => {
    const engine = await linked()
    there.program(null)
    expect(await refusal('--on', 'devbox', 'status')).toMatchObject({ code: 'machine-no-onward', exit: 3 })
    there.program('for login shells')
    expect(await json('--on', 'devbox', 'status')).toMatchObject({ pid: engine.pid })
  })

  it('an Onward that knows no machines yet, and what is none', async () => {
    await fresh()
    there.program('echo "onward: unknown command \'link\'" >&2; exit 2')
    expect(await refusal('--on', 'devbox', 'status')).toMatchObject({ code: 'machine-contract', exit: 1 })
    there.program('echo hello')
    expect(await refusal('--on', 'devbox', 'status')).toMatchObject({ code: 'machine-no-answer', exit: 3 })
  })

  it.each([
    [undefined, 'machine-contract', /too old/],
    [{ version: 9, oldest: 9 }, 'machine-contract', /too new.*Update Onward here/],
    [{ version: 9, oldest: 1 }, null, null],
  ] as const)('an engine whose contract is %j', async (contract, code, sentence) => {
    const engine = await linked()
    const note = join(engine.home, 'engine.json')
    const written = JSON.parse(readFileSync(note, 'utf8')) as object
    writeFileSync(note, JSON.stringify({ ...written, contract }))
    if (code === null) {
      expect(await json('remote', 'test', 'devbox')).toMatchObject({ fit: 'newer' })
      expect(await json('--on', 'devbox', 'status')).toMatchObject({ pid: engine.pid })
    } else
      expect(await refusal('--on', 'devbox', 'status')).toMatchObject({
        code,
        exit: 1,
        message: expect.stringMatching(sentence),
      })
  })

  it('an address that ssh would read as an option, or a shell as a command, wherever it comes from', async () => {
    await fresh()
    const trap = join(home, 'trap')
    const words = there.words()
    for (const target of [`-oProxyCommand=touch ${trap}`, `x;touch ${trap}`, `$(touch ${trap})@x`, `ssh://-oX=y`]) {
      expect(await refusal('remote', 'add', 'evil', '--', target)).toMatchObject({ code: 'machine-target', exit: 2 })
      writeFileSync(join(home, 'machines.json'), JSON.stringify({ machines: [{ name: 'evil', target }] }))
      expect(await refusal('--on', 'evil', 'status')).toMatchObject({ code: 'machine-target', exit: 2 })
      writeFileSync(join(home, 'machines.json'), JSON.stringify({ machines: [] }))
    }
    expect((await run('remote', 'add', 'evil', `-oProxyCommand=touch ${trap}`)).code).toBe(2)
    expect(await refusal('--on', `-oProxyCommand=touch ${trap}`, 'status')).toMatchObject({ exit: 5 })
    expect(existsSync(trap)).toBe(false)
    expect(there.words()).toBe(words)
  })
})
