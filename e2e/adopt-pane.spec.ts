/** An agent that a person started in tmux without Onward is registered at their word, and only while it is there. */
import { mkdtempSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, chatEntry, providersFor } from './support/entries.ts'
import { noBrowser, openPage } from './support/browser.ts'
import { removeHomes } from './support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from './support/engine.ts'
import { say, startMockUpstream, type MockUpstream } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { post } from './support/post.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

const program = resolve(import.meta.dirname, 'support/turn-agent.mjs')
const pictures = resolve(import.meta.dirname, '.artifacts/dashboard')

describe('an agent started by hand in tmux', unless(tmuxMissing), () => {
  let mock: MockUpstream
  let engine: EngineForTest
  let tmux: TestTmux
  let folder: string
  beforeAll(async () => {
    mock = await startMockUpstream()
    mock.otherwise = say('All is well.')
    tmux = startTmux()
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'onward-adopt-')))
    engine = await startEngineForTest(providersFor(mock, 'sk-upstream', [chatEntry]), { env: inTmux() })
    mkdirSync(join(folder, 'bin'))
    symlinkSync(program, join(folder, 'bin/codex'))
  })
  afterAll(async () => {
    tmux?.dispose()
    await engine?.dispose()
    await mock?.dispose()
    rmSync(folder, { recursive: true, force: true })
    removeHomes()
  })

  /** the stand-in agent under the name of Codex, as a person starts it at their prompt */
  const start = async (name: string) => {
    const log = join(folder, `${name}.jsonl`)
    const pane = tmux.session(name, 'env PS1=ready\\> bash --norc --noprofile -i', { cwd: folder })
    await waitFor('a prompt', () => tmux.screen(pane).includes('ready>'))
    const command =
      `OPENAI_BASE_URL=${engine.baseUrl}/v1 ONWARD_KEY=${engine.key} ` +
      `${folder}/bin/codex --log ${log} --session ${name}`
    tmux.type(pane, command)
    tmux.key(pane, 'Enter')
    await waitFor('the agent', () => tmux.screen(pane).includes('stand-in agent'))
    const pid = Number(tmux.run('display-message', '-p', '-t', pane, '#{pane_pid}'))
    return { pane, pid, name, log, socket: tmux.socket }
  }
  const listed = () => engine.control.api.adoptablePanes.query({ sockets: [tmux.socket] })
  const here = async () => (await listed()).filter(({ socket }) => socket === tmux.socket)
  const adopt = ({ socket, pane, pid }: { socket: string; pane: string; pid: number }) =>
    engine.control.api.adoptPane.mutate({ socket, paneId: pane, pid })
  const inTmux = () => ({ TMUX: `${tmux.socket},1,0` })

  it('is listed and adopted on the command line, and what is said to it is typed there', async () => {
    const agent = await start('by-command')
    const cli = (...words: string[]) => onward(['terminals', 'adopt', ...words, '--home', engine.home], inTmux())
    const list = await cli()
    expect(list.out).toContain(`${agent.pane}  codex  by-command`)
    // what is only listed is not registered
    expect(await engine.control.api.terminals.query()).toEqual([])

    const done = await cli(agent.pane)
    expect(done).toMatchObject({ code: 0, err: '' })
    expect(done.out).toContain(`Adopted codex in by-command ${agent.pane}`)
    const [terminal] = await engine.control.api.terminals.query()
    expect(terminal).toMatchObject({ client: 'codex', home: 'pane', alive: true, cwd: folder })
    expect(await here()).toEqual([])
    expect((await cli(agent.pane)).code).toBe(5)
    // a second click finds it as it is
    expect((await adopt(agent)).id).toBe(terminal?.id)

    await engine.control.api.say.mutate({ session: terminal?.id ?? '', text: 'look around' })
    await waitFor('the text in the agent', () => readFileSync(agent.log, 'utf8').includes('"submit","at"'))
    expect(readFileSync(agent.log, 'utf8')).toMatch(/"type":"submit".*"text":"look around"/)
    await waitFor('its answer in the pane', () => tmux.screen(agent.pane).includes('All is well.'))
  })

  it('is refused when another program has its pane by now, or the agent is gone from it', async () => {
    const before = (await engine.control.api.terminals.query()).length
    const agent = await start('by-now')
    tmux.key(agent.pane, 'C-c')
    await waitFor('the shell', async () => (await here()).length === 0)
    await expect(adopt(agent)).rejects.toMatchObject({ data: { onwardCode: 'pane-no-agent' } })
    tmux.run('respawn-pane', '-k', '-t', agent.pane, 'sleep 600')
    await expect(adopt(agent)).rejects.toMatchObject({ data: { onwardCode: 'pane-changed' } })
    tmux.killPane(agent.pane)
    await expect(adopt(agent)).rejects.toMatchObject({ data: { onwardCode: 'pane-unknown' } })
    expect(await engine.control.api.terminals.query()).toHaveLength(before)
  })

  it('is adopted on the dashboard, where a session has no terminal', unless(noBrowser), async () => {
    const session = 'lonely-session'
    await post(engine, chatEntry.path, bodyOf(chatEntry, ['hello']), { headers: { session_id: session } })
    const { name } = await engine.control.session((s) => s.id.endsWith(session) && s.terminalId === null)
    const agent = await start('by-click')
    const { page, complaints, close } = await openPage()
    try {
      await page.goto(await engine.dashboard())
      await page.getByRole('treeitem', { name }).click()
      await page.getByRole('tab', { name: 'Terminal' }).click()
      const button = page.getByRole('button', { name: `Adopt codex in by-click, ${agent.pane}` })
      await button.waitFor()
      await mkdir(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, 'adopt-light-1440.png') })

      // another program is in the pane before the click
      tmux.run('respawn-pane', '-k', '-t', agent.pane, 'sleep 600')
      await button.click()
      await page.getByText(`The tmux pane ${agent.pane} at ${tmux.socket} is another one now.`).waitFor()
      await button.waitFor({ state: 'detached' })

      const other = await start('by-second-click')
      await page.getByRole('button', { name: 'Look again' }).click()
      await page.getByRole('button', { name: `Adopt codex in by-second-click, ${other.pane}` }).click()
      await page.getByText('watched, type in tmux').waitFor()
      await page.getByRole('button', { name: 'Copy attach command' }).waitFor()
      await waitFor('the pane in the page', async () =>
        (await page.locator('.xterm-rows').textContent())?.includes('stand-in'),
      )
      expect(complaints).toEqual([])
    } finally {
      await close()
    }
  })
})
