// Chromium for figures of the dashboard's page: a fresh profile each time it is started, and every CPU there is, as on
// the computer of somebody who looks at the page.
import { createRequire } from 'node:module'
import { chromium } from 'playwright'
import { unpinned } from './children.mjs'

const { chromiumFlags, findChromium } = createRequire(import.meta.url)('../support/chromium.cjs')

/** false: there is none, and figures of the page are not measured */
export const hasBrowser = () => findChromium() !== null

/** @returns a page that has loaded nothing yet, and how to end its browser */
export async function openBrowser() {
  const browser = await unpinned(() => chromium.launch({ executablePath: findChromium(), args: chromiumFlags }))
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(30_000)
  return { page, close: () => browser.close() }
}
