/** A second browser, with a profile of its own, as a paired phone at a real engine. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { selfSigned } from '../electron/engine/base/network/self-signed.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'
import { noBrowser, openPage, type BrowserPage } from './support/browser.ts'
import { removeHomes, startEngine, type EngineProcess, type RunningEngine } from './support/engine-process.ts'
import { say } from './support/mock-upstream/index.ts'
import { onward } from './support/onward-cli.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { agentWorld } from './support/real/world.ts'

const opened: BrowserPage[] = []
const closeAll = async () => {
  for (const one of opened.splice(0)) await one.close()
}
/** Of a context of its own: what it keeps is in no other page. */
const phone = async (link: string): Promise<Page> => {
  const made = await openPage(
    // its person has compared the fingerprint
    { viewport: { width: 390, height: 844 }, hasTouch: true, ignoreHTTPSErrors: true },
    /WebSocket|Failed to load/,
  )
  opened.push(made)
  await made.page.goto(link)
  return made.page
}
const codeOf = async ({ home }: RunningEngine, ...more: string[]): Promise<string> => {
  const run = await onward(['phone', 'pair', '--json', '--home', home, ...more])
  return (JSON.parse(run.out) as { url: string }).url
}
const pair = async (engine: RunningEngine, name: string, ...more: string[]): Promise<Page> => {
  const page = await phone(await codeOf(engine, ...more))
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Pair', exact: true }).click()
  await isIn(page)
  return page
}
const isIn = (page: Page) =>
  page.getByRole('tree', { name: 'Sessions' }).or(page.getByText('No agent has talked to Onward yet')).first().waitFor()
const pauseAll = (page: Page) => page.getByRole('button', { name: 'Pause all' })
const isRevoked = (page: Page) => page.getByText('This device is not paired any more').first().waitFor()

describe('a phone', unless(noBrowser), () => {
  let engine: EngineProcess
  beforeAll(async () => {
    engine = await startEngine()
  })
  afterEach(closeAll)
  afterAll(async () => {
    await engine?.stop()
    removeHomes()
  })

  it('is paired by a code, once, and finds back over a reload and a restart of the engine', async () => {
    const link = await codeOf(engine)
    const page = await phone(link)
    await page.getByLabel('Name').fill('Pocket')
    await page.getByRole('button', { name: 'Pair', exact: true }).click()
    await isIn(page)
    expect(page.url()).not.toContain(new URL(link).hash)
    expect((await onward(['phone', '--home', engine.home])).out).toMatch(/● Pocket +look answer .* connected/)
    expect(statSync(join(engine.home, 'devices.json')).mode & 0o777).toBe(0o600)
    await page.reload()
    await isIn(page)
    await engine.stop()
    engine = await engine.restart()
    await isIn(page)
    // a stale link, in whatever browser
    const late = await phone(link)
    await late.getByRole('button', { name: 'Pair', exact: true }).click()
    await late.getByText('This code has been used or is too old').waitFor()
    expect((await engine.control.api.devices.query()).map(({ name }) => name)).toEqual(['Pocket'])
  })

  it('holds a key that no script in its browser can read', async () => {
    const page = await pair(engine, 'Closed')
    const { kind, read } = await page.evaluate(async () => {
      const opening = indexedDB.open('onward')
      await new Promise((resolve) => (opening.onsuccess = resolve))
      const asked = opening.result.transaction('device').objectStore('device').get('own')
      await new Promise((resolve) => (asked.onsuccess = resolve))
      const { own } = asked.result as { own: CryptoKey }
      opening.result.close()
      const tried = await crypto.subtle.exportKey('pkcs8', own).then(
        () => 'read',
        (error: Error) => error.name,
      )
      return { kind: own.type, read: tried }
    })
    expect([kind, read]).toEqual(['private', 'InvalidAccessError'])
  })

  it('is offered what its rights allow, and what is not there it is told', async () => {
    const looking = await pair(engine, 'Looking', '--rights', 'look')
    await looking.getByRole('link', { name: /^Settings/ }).click()
    await looking.getByText('It may look. Settings of the engine are changed at the computer.').waitFor()
    expect(await looking.getByRole('region', { name: 'Phones' }).count()).toBe(0)
    await looking.getByRole('link', { name: /^Sessions/ }).click()
    expect(await pauseAll(looking).count()).toBe(0)
    const arming = await pair(engine, 'Arming', '--rights', 'arm')
    await pauseAll(arming).click()
    await arming.getByRole('button', { name: 'Resume all' }).waitFor()
    expect((await engine.control.api.status.query()).paused).toBe(true)
    await engine.control.api.resume.mutate(null)
  })

  it('is put out while it is connected, and stays out over a reload', async () => {
    const [lost, other] = [await pair(engine, 'Lost'), await pair(engine, 'Other')]
    const run = await onward(['phone', 'revoke', 'Lost', '--home', engine.home])
    expect([run.code, run.out]).toEqual([0, '✓ Lost is revoked. Its connections have ended.\n'])
    await isRevoked(lost)
    await lost.reload()
    await isRevoked(lost)
    expect(await other.getByText('This device is not paired any more').count()).toBe(0)
    expect(readFileSync(join(engine.home, 'devices.json'), 'utf8')).not.toContain('"Lost"')
  })

  it('is paired from the settings, listed and revoked there', async () => {
    const desk = await openPage({}, /WebSocket|Failed to load/)
    opened.push(desk)
    await desk.page.goto(await engine.dashboard())
    await desk.page.getByRole('link', { name: /^Settings/ }).click()
    await desk.page.getByRole('button', { name: 'Pair a phone' }).click()
    await desk.page.getByRole('button', { name: 'Show the code' }).click()
    await desk.page.getByRole('img', { name: 'Pairing code' }).waitFor()
    const link = await desk.page.getByRole('dialog').locator('code').first().textContent()
    const page = await phone(link ?? '')
    await page.getByLabel('Name').fill('From the settings')
    await page.getByRole('button', { name: 'Pair', exact: true }).click()
    await isIn(page)
    await desk.page.getByRole('button', { name: 'Done' }).click()
    const row = (name: string) => desk.page.getByRole('listitem').filter({ hasText: name })
    await row('From the settings').getByText('look, answer · connected').waitFor()
    await desk.page.getByRole('button', { name: 'Edit From the settings' }).click()
    await desk.page.getByLabel('set goals and alarms, pause and resume').check()
    await desk.page.getByRole('button', { name: 'Save' }).click()
    await row('From the settings').getByText('look, answer, arm · connected').waitFor()
    await pauseAll(page).waitFor()
    // elsewhere
    const changed = await onward(['phone', 'rights', 'From the settings', 'say', '--home', engine.home])
    expect([changed.code, changed.out]).toEqual([0, 'From the settings may look, say now.\n'])
    await row('From the settings').getByText('look, say · connected').waitFor()
    await pauseAll(page).waitFor({ state: 'detached' })
    const wrong = await onward(['phone', 'rights', 'From the settings', 'own', '--home', engine.home])
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Rights are look, answer, say, arm')])
    await desk.page.getByRole('button', { name: 'Revoke From the settings' }).click()
    await isRevoked(page)
  })
})

describe('a phone that is installed', unless(noBrowser), () => {
  let engine: EngineProcess
  beforeAll(async () => {
    engine = await startEngine()
  })
  afterEach(closeAll)
  afterAll(async () => {
    await engine?.stop()
    removeHomes()
  })

  it('keeps no page of an engine: it says that it is away, and comes back with the next one', async () => {
    const page = await pair(engine, 'Pocket')
    await page.locator('link[rel=manifest]').waitFor({ state: 'attached' })
    const manifest = new URL('/dashboard/manifest.webmanifest', page.url()).href
    const { icons } = (await (await page.request.get(manifest)).json()) as { icons: { src: string }[] }
    for (const { src } of icons) expect((await page.request.get(new URL(src, manifest).href)).ok(), src).toBe(true)
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    expect(await page.evaluate(() => caches.keys())).toEqual([])
    await engine.stop()
    await page.reload()
    await page.getByText(/^Onward at 127\.0\.0\.1:\d+ can’t be reached/).waitFor()
    engine = await engine.restart()
    await page.reload()
    await isIn(page)
  })

  it('has push only where its person switches it on, at a public address, and until it is revoked', async () => {
    const page = await pair(engine, 'Locked')
    await page.context().grantPermissions(['notifications'])
    // A browser without a window has not asked, whatever it says then.
    await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'default' }))
    // What a browser's vendor gives out: this one has none that tests could reach.
    const give = (endpoint: string) =>
      page.evaluate((at) => {
        const b64 = (bytes: number) => btoa('\u0004'.repeat(bytes)).replace(/=+$/, '')
        const keys = { p256dh: `B${b64(65).slice(1)}`, auth: b64(16) }
        PushManager.prototype.getSubscription = async () => null
        PushManager.prototype.subscribe = async () =>
          ({ toJSON: () => ({ endpoint: at, keys }) }) as unknown as PushSubscription
      }, endpoint)
    const lists = async () => (await onward(['notify', '--home', engine.home])).out
    await page.goto(`${new URL('/dashboard/', page.url()).href}#/settings`)
    const push = page.getByRole('switch', { name: 'Push notifications to this device' })
    await push.waitFor()
    expect([await push.isChecked(), await lists()]).toEqual([false, expect.not.stringContaining('Locked')])

    await give('https://127.0.0.1:9/send')
    await push.click({ force: true })
    await page.getByText(/127\.0\.0\.1 is not fetched/).waitFor()
    expect(await lists()).not.toContain('Locked')

    await give('https://1.1.1.1/send/secret-of-it')
    await push.click({ force: true })
    await expect.poll(() => push.isChecked()).toBe(true)
    expect(await lists()).toMatch(/Locked +push +1\.1\.1\.1 /)
    expect(await lists()).not.toContain('secret-of-it')
    await onward(['phone', 'revoke', 'Locked', '--home', engine.home])
    await isRevoked(page)
    expect(await lists()).not.toContain('Locked')
  })
})

describe('a phone at an address of the machine', unless(noBrowser), () => {
  afterEach(closeAll)
  afterAll(removeHomes)

  it('comes by the name that Tailscale has a certificate for, with no fingerprint to compare', async () => {
    const made = selfSigned('127.0.0.1', Buffer.alloc(16, 7), Date.now() - 1e6, Date.now() + 1e10)
    const self = { DNSName: 'localhost.', TailscaleIPs: ['127.0.0.1'] }
    const status = { BackendState: 'Running', CertDomains: ['localhost'], Self: self }
    const said = { status: JSON.stringify(status), cert: made.cert + made.key }
    const folder = mkdtempSync(join(tmpdir(), 'onward-tailscale-'))
    const program = `#!${process.execPath}\nprocess.stdout.write(${JSON.stringify(said)}[process.argv[2]])\n`
    writeFileSync(join(folder, 'tailscale'), program, { mode: 0o755 })
    const env = { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` }
    const engine = await startEngine({ config: { phone: { port: 0 } }, env })
    const link = new URL(await codeOf(engine, '--at', 'tailscale'))
    expect([link.protocol, link.hostname, link.hash]).toEqual([
      'https:',
      'localhost',
      expect.not.stringContaining('fp='),
    ])
    expect(statSync(join(engine.home, 'phone-tls-tailscale.json')).mode & 0o777).toBe(0o600)
    const page = await pair(engine, 'Pocket')
    expect(new URL(page.url()).origin).toBe(link.origin)
    await engine.stop()
    rmSync(folder, { recursive: true })
  })

  it('is told where push and installing need another certificate', async () => {
    const engine = await startEngine({ config: { phone: { host: '::1', port: 0 } } })
    const page = await pair(engine, 'Pocket')
    expect(new URL(page.url()).host).toMatch(/^\[::1\]:\d+$/)
    const desk = await openPage({}, /WebSocket|Failed to load/)
    opened.push(desk)
    await desk.page.goto(await engine.dashboard())
    await desk.page.getByRole('link', { name: /^Settings/ }).click()
    await desk.page.getByText(/Installing and push need a certificate that browsers trust/).waitFor()
    await engine.stop()
  })

  it('comes over TLS to the port that its person opened, and to no other', async () => {
    const address = '127.0.0.1'
    const engine = await startEngine({ config: { phone: { host: address, port: 0 } } })
    const refused = await onward(['phone', 'pair', '--at', '203.0.113.77', '--home', engine.home])
    expect(refused.err).toContain('This machine has no address 203.0.113.77')
    const page = await pair(engine, 'Pocket')
    const { origin, protocol } = new URL(page.url())
    expect([origin.startsWith(`https://${address}:`), protocol]).toEqual([true, 'https:'])
    await page.reload()
    await isIn(page)
    for (const path of ['/v1/models', '/v1/messages'])
      expect((await page.request.get(`${origin}${path}`)).status(), path).toBe(404)
    // a link of this machine's own windows is no one's there
    const link = new URL(await engine.dashboard())
    const window = await phone(`${origin}${link.pathname}${link.hash}`)
    await window.getByText('The engine does not take this link any more').first().waitFor()
    await onward(['phone', 'close', '--home', engine.home])
    await expect(page.request.get(origin)).rejects.toThrow('ECONNREFUSED')
    await engine.stop()
  })
})

const asking = [realAgents.codex, realAgents.claude]
describe.each(asking)('a question of a real $name on a phone', (agent) => {
  const world = agentWorld(agent)
  afterEach(closeAll)

  it(
    'is answered there with its exact words; the second of two is told that it is over',
    unless(firstOf(noBrowser, agentMissing(agent))),
    async () => {
      const { mock, engine } = world
      mock.script((turn) => {
        if (turn.auxiliary !== null) return undefined
        return mock.turns().length === 1 ? agent.dialog.reply('made-by-tool') : say('It is there.')
      })
      const person = await world.start(agent, { how: 'hosted' })
      const [page, looking] = [await pair(engine, 'Pocket'), await pair(engine, 'Looking', '--rights', 'look')]
      const second = await pair(engine, 'Tablet')
      await person.say('Make the file.')
      const { id, say: asking, terminalId } = await engine.control.session((s) => s.shape === 'needs', 60_000)
      const asked = asking.code === 'needs-you' ? asking.asked : undefined
      if (!asked || terminalId === null) throw new Error('nothing is asked')
      const card = (on: Page) => on.getByRole('region', { name: 'What needs you' })
      const choice = (on: Page) =>
        card(on)
          .getByRole('button', { name: asked.choices[0]?.label ?? '' })
          .first()
      for (const one of [page, looking, second]) {
        await one.getByRole('treeitem', { name: / work / }).click()
        await card(one)
          .getByText(asked.choices[0]?.label ?? '')
          .first()
          .waitFor()
        expect(await card(one).textContent()).toContain(asked.about)
      }
      await card(looking).getByText('This device may look, not answer. Answer at the computer.').waitFor()
      expect(await choice(looking).count()).toBe(0)

      await Promise.all([choice(page).click(), choice(second).click()])
      await expect.poll(() => existsSync(join(person.cwd, 'made-by-tool'))).toBe(true)
      const told = (on: Page) => on.getByText('The agent does not ask that any more.').count()
      await expect.poll(async () => (await told(page)) + (await told(second))).toBe(1)
      await engine.control.session((s) => s.id === id && s.shape === 'idle', 60_000)
    },
  )
})
