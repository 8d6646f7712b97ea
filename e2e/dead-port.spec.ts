/** docs/security.md: whoever listens on the port after the engine has died. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { controlPath } from '../shared/control/address.ts'
import { homeId } from '../shared/control/proof.ts'
import { proveToEngine, type PlainSocket } from '../shared/control/prove-to-engine.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'
import { noBrowser, openPage, type BrowserPage } from './support/browser.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { onward } from './support/onward-cli.ts'
import { noOtherUser, startSquatter, type Squatter } from './support/squatter.ts'
import { startTmux, tmuxMissing, type TestTmux } from './support/tmux.ts'
import { startTurnAgent, type TurnAgent } from './support/turn-agents.ts'

/** Hosts look for an engine at least this often (terminals/host/stay-connected.ts). */
const hostsTryWithinMs = 2_000

describe('a port whose engine was killed', unless(firstOf(noOtherUser, tmuxMissing, noBrowser)), () => {
  let engine: EngineProcess
  let tmux: TestTmux
  let squatter: Squatter
  let agents: readonly TurnAgent[] = []
  let opened: BrowserPage | null = null
  let unusedLink = ''
  let token = ''
  /** what the page keeps for a reload */
  let kept: Record<string, string> = {}
  const folder = mkdtempSync(join(tmpdir(), 'onward-dead-port-'))
  const obeyed = join(folder, 'obeyed')
  /** what was said to the squatter before any page of its own ran */
  let heardAtFirst = ''

  beforeAll(async () => {
    engine = await startEngine()
    tmux = startTmux()
    agents = await Promise.all(
      (['wrapped', 'hosted'] as const).map((home) => startTurnAgent({ home, engine, tmux, name: 'port' })),
    )
    token = readFileSync(join(engine.home, 'control-token'), 'utf8').trim()
    opened = await openPage({}, /WebSocket|Content Security Policy|favicon|Failed to load/)
    await opened.page.goto(await engine.dashboard())
    await opened.page.locator('.statusbar').getByText(`127.0.0.1:${engine.port}`).waitFor()
    kept = await opened.page.evaluate(() => ({ ...sessionStorage }))
    unusedLink = await engine.dashboard()

    await engine.kill()
    squatter = await startSquatter(engine.port, {
      type: 'open',
      call: 1,
      spec: {
        terminalId: 'squatted',
        client: 'other',
        argv: ['touch', obeyed],
        env: {},
        cwd: '/tmp',
        cols: 80,
        rows: 24,
      },
    })
  })
  afterAll(async () => {
    await squatter?.stop()
    for (const agent of agents) agent.end()
    tmux?.dispose()
    await opened?.close()
    await engine?.stop()
    removeHomes()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is taken by another user, whom nobody tells anything', async () => {
    const since = performance.now()
    expect(squatter.uid).toBe(65_534)

    // The open page comes by itself, and sees that this is not its engine.
    await opened?.page.getByText('Something else answers at the engine’s address').first().waitFor()
    expect(squatter.events.filter((event) => event.kind === 'websocket')).toEqual([
      { kind: 'websocket', path: controlPath },
    ])

    // The command line does not come at all.
    const port = String(engine.port)
    for (const words of [
      ['status'],
      ['status', '--port', port],
      ['dashboard'],
      ['dashboard', '--port', port],
      ['terminals'],
      ['pause', '--port', port],
    ]) {
      const ran = await onward([...words, '--home', engine.home])
      expect([words, ran.code]).toEqual([words, 3])
      expect(ran.err).toContain('No engine runs')
    }

    // Neither do the terminal host and the wrapper, which look for an engine all the while.
    await waitFor('the hosts to have tried', () => performance.now() - since > 2 * hostsTryWithinMs)
    expect(squatter.events.filter((event) => event.kind === 'websocket')).toHaveLength(1)
    expect(existsSync(obeyed)).toBe(false)
    for (const agent of agents) expect(agent.alive()).toBe(true)

    heardAtFirst = squatter.heard()
    expect(heardAtFirst).toContain('GET /control')
    expect(heardAtFirst).not.toContain(token)
  })

  it('shows a page of its own on reload, which finds what no engine takes any more', async () => {
    const page = opened?.page
    if (!page) throw new Error('no page')
    const [, key = ''] = Object.values(kept).join(' ').split('.')
    expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(heardAtFirst, 'the page’s key was never sent').not.toContain(key)
    expect(await page.evaluate(() => sessionStorage.length), 'it has forgotten what was good for that engine').toBe(0)
    // A page that is reloaded before it looked has it still.
    await page.evaluate((items) => {
      for (const [name, value] of Object.entries(items)) sessionStorage.setItem(name, value)
    }, kept)
    await page.reload()
    await waitFor('what the page found', () => squatter.events.some((event) => event.kind === 'loot'))
    await page.goto(unusedLink)
    await waitFor('what the link was', () => squatter.events.filter((event) => event.kind === 'loot').length === 2)
    const loot = squatter.heard()
    expect(loot, 'the page is its own now').toContain(key)
    expect(loot).toContain(new URL(unusedLink).hash.slice('#token='.length))
    expect(loot).not.toContain(token)
  })

  it('gives the squatter nothing that opens the next engine, whose terminals are as they were', async () => {
    const heard = squatter.heard()
    await squatter.stop()
    engine = await engine.restart()

    const words = [...new Set(heard.match(/[A-Za-z0-9_-]{16,}/g))]
    expect(words.length).toBeGreaterThan(3)
    for (const word of words)
      for (const credential of [
        { id: word, key: word },
        { id: homeId, key: word },
      ])
        expect(await tried(engine.port, credential)).toBe('closed')
    const loot = squatter.events.flatMap((event) => (event.kind === 'loot' ? [event.text] : []))
    for (const [, id = '', key = ''] of loot.join('\n').matchAll(/([A-Za-z0-9_-]{16,})\.([A-Za-z0-9_-]{16,})/g))
      expect(await tried(engine.port, { id, key })).toBe('closed')

    // Byte for byte as it came, too.
    const connections = squatter.events.flatMap((event) =>
      event.kind === 'connection' ? [Buffer.from(event.base64, 'base64')] : [],
    )
    expect(connections.filter((bytes) => bytes.toString('latin1').startsWith('GET /control'))).toHaveLength(1)
    for (const bytes of connections) expect(await replayed(engine.port, bytes)).not.toContain('auth-challenge')

    // A used link and one that nobody used open nothing either.
    const page = opened?.page
    await page?.goto('about:blank')
    await page?.goto(unusedLink)
    await page?.getByText('The engine does not take this link any more').first().waitFor()

    for (const agent of agents) {
      const known = await waitFor('its terminal', async () =>
        (await engine.control.api.terminals.query()).find((t) => t.id === agent.terminalId && t.alive),
      )
      expect(known.scope).toBe(agent.scope)
      await waitFor('its host to be back', () =>
        engine.control.api.writeTerminal.mutate({ terminalId: agent.terminalId, data: 'x' }).then(
          () => true,
          () => false,
        ),
      )
      await waitFor('what was typed', () => agent.composer().endsWith('x'))
    }
    expect((await engine.control.api.terminals.query()).map((t) => t.id).sort()).toEqual(
      agents.map((agent) => agent.terminalId).sort(),
    )
  })
})

/** How far one gets with this at the engine's port. */
async function tried(port: number, credential: { id: string; key: string }): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${controlPath}`)
  try {
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    // ws has everything of a browser's socket that is used
    return (await proveToEngine(socket as unknown as PlainSocket, credential, controlPath)).kind
  } finally {
    socket.terminate()
  }
}

/** Everything the engine answers to these bytes. */
function replayed(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
    })
    socket.on('error', reject).on('close', () => resolve(answer))
  })
}
