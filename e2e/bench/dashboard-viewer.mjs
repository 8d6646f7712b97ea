// The dashboard of an engine, open in a browser that works on the CPU of the load, behind it.
import { createRequire } from 'node:module'
import { chromium } from 'playwright'
import { below, putBehind } from './desktop-host.mjs'
import { bundle } from './parts.mjs'

const { chromiumFlags, findChromium } = createRequire(import.meta.url)('../support/chromium.cjs')

/** @returns how to close it */
export async function openDashboard(home) {
  const part = await bundle({ viewer: 'e2e/bench/viewer-part.ts' })
  const viewer = await (await part.load('viewer')).view(home)
  const link = await viewer.link()
  viewer.stop()
  part.dispose()
  const server = await chromium.launchServer({ executablePath: findChromium(), args: chromiumFlags })
  const browser = await chromium.connect(server.wsEndpoint())
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(link)
  await page.locator('.statusbar').waitFor()
  const { pid } = server.process()
  putBehind([pid, ...below(pid)])
  return async () => {
    await browser.close()
    await server.close()
  }
}
