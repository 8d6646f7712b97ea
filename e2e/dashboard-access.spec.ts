/** How a page of a real engine gets in, stays in, and is put out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { controlPath } from '../shared/control/address.ts'
import { homeId } from '../shared/control/proof.ts'
import { proveToEngine, type PlainSocket } from '../shared/control/prove-to-engine.ts'
import { unless } from '../shared/testing/unless.ts'
import { noBrowser, openPage, type BrowserPage } from './support/browser.ts'
import { removeHomes, startEngine, type EngineProcess } from './support/engine-process.ts'
import { onward } from './support/onward-cli.ts'

describe('a dashboard page', unless(noBrowser), () => {
  let engine: EngineProcess
  const opened: BrowserPage[] = []
  beforeAll(async () => {
    engine = await startEngine()
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })
  afterAll(async () => {
    await engine?.stop()
    removeHomes()
  })

  const open = async (link: string): Promise<Page> => {
    const made = await openPage({}, /WebSocket|Failed to load/)
    opened.push(made)
    await made.page.goto(link)
    return made.page
  }
  const isIn = (page: Page) => page.locator('.statusbar').getByText(`127.0.0.1:${engine.port}`).waitFor()
  const isOut = (page: Page) => page.getByText('The engine does not take this link any more').first().waitFor()
  const printed = async () => {
    const run = await onward(['dashboard', '--json', '--home', engine.home])
    return (JSON.parse(run.out) as { url: string }).url
  }

  it('comes by what `onward dashboard` prints, once, and stays over a reload', async () => {
    const link = await printed()
    const page = await open(link)
    await isIn(page)
    const secret = new URL(link).hash.slice('#token='.length)
    expect(page.url()).not.toContain(secret)
    expect(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))).not.toContain(
      secret.split('.')[1],
    )
    await page.reload()
    await isIn(page)
    const late = await open(link)
    await isOut(late)
    await late.getByText('node bin/onward.mjs dashboard').first().waitFor()
    await isIn(page)
  })

  it('has a place in the browser’s cache that nobody can have filled before', async () => {
    const paths = (await Promise.all([printed(), printed(), engine.dashboard()])).map((link) => new URL(link).pathname)
    expect(new Set(paths).size).toBe(3)
    for (const path of paths) expect(path).toMatch(/^\/dashboard\/~[\w-]{12}\/$/)
  })

  it('is put out by `onward dashboard --sign-out`, with every link that was not used', async () => {
    const page = await open(await printed())
    await isIn(page)
    const unused = await printed()
    const run = await onward(['dashboard', '--sign-out', '--home', engine.home])
    expect([run.code, run.err]).toEqual([0, ''])
    await isOut(page)
    await isOut(await open(unused))
    await isIn(await open(await printed()))
  })

  it('is greyed while its engine is away, and finds back to the next one at the same address', async () => {
    const page = await open(await printed())
    await isIn(page)
    const unused = await printed()
    const before = await page.evaluate(() => sessionStorage.getItem('onward-page'))
    await engine.stop()
    await page.locator('.app.stale').waitFor()
    await page
      .locator('.statusbar')
      .getByText(/Last seen \d\d:\d\d/)
      .waitFor()
    engine = await engine.restart()
    await isIn(page)
    expect(await page.locator('.app.stale').count()).toBe(0)
    await page.reload()
    await isIn(page)
    await isOut(await open(unused))
    // what a stranger at the port could have read of a reload is good for nothing now
    const stranger = await open(`${engine.baseUrl}/dashboard/#token=${before}`)
    await isOut(stranger)
  })

  it('finds no way back once all windows were signed out', async () => {
    const [signedOut, page] = [await open(await printed()), await open(await printed())]
    await isIn(signedOut)
    await isIn(page)
    const kept = readFileSync(join(engine.home, 'tabs.json'), 'utf8')
    await onward(['dashboard', '--sign-out', '--home', engine.home])
    await engine.stop()
    engine = await engine.restart()
    await isOut(signedOut)
    expect(JSON.parse(readFileSync(join(engine.home, 'tabs.json'), 'utf8'))).toMatchObject({ tabs: [] })
    expect((JSON.parse(kept) as { tabs: unknown[] }).tabs.length).toBeGreaterThan(1)
  })

  it('is not let in by the token of the home, in whatever form it comes over TCP', async () => {
    const token = readFileSync(join(engine.home, 'control-token'), 'utf8').trim()
    const dial = async (query = '') => {
      const socket = new WebSocket(`ws://127.0.0.1:${engine.port}${controlPath}${query}`)
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      return socket
    }
    for (const credential of [
      { id: homeId, key: token },
      { id: token, key: token },
    ])
      // ws has everything of a browser's socket that is used
      expect((await proveToEngine((await dial()) as unknown as PlainSocket, credential, controlPath)).kind).toBe(
        'closed',
      )
    for (const query of ['', '?connectionParams=1', `?connectionParams=1&token=${token}`]) {
      const socket = await dial(query)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.send(JSON.stringify({ method: 'connectionParams', data: { token } }))
      expect(await closed).toBe(4401)
    }
    await isOut(await open(`http://127.0.0.1:${engine.port}/dashboard/#token=${token}`))
    const hosts = new WebSocket(`ws://127.0.0.1:${engine.port}/hosts`)
    const refused = await new Promise((resolve) => {
      hosts.once('unexpected-response', (_request, response) => resolve(response.statusCode))
      hosts.once('open', () => resolve('open'))
      hosts.once('error', resolve)
    })
    expect(refused).toBe(404)
  })
})
