/** The built page in a real Chromium, on the scene of the mocks. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright'
import { buildPage } from '../../../renderer/dev/build.ts'
import { startFakeEngine, type FakeEngine, type FakeEngineOptions } from '../../../renderer/dev/fake-engine.ts'

/** Saturday 21 November 2026, 14:12:32 in Berlin: the moment of the mocks. */
export const mockMoment = Date.UTC(2026, 10, 21, 13, 12, 32)

export const chromiumPath: string | null =
  [
    process.env.CHROMIUM_BIN,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    chromium.executablePath(),
  ].find((path) => path !== undefined && existsSync(path)) ?? null

/** Why browser tests can't run here; null when they can. In CI that is a failure, not a skip. */
export const noBrowser: string | null = chromiumPath === null ? 'no Chromium found (set CHROMIUM_BIN)' : null

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface OpenOptions {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  locale?: string
  place?: string
  token?: boolean
  reducedMotion?: boolean
}

export interface Dashboard {
  engine: FakeEngine
  open(options?: OpenOptions): Promise<Page>
  /** what the pages complained about: uncaught errors, console errors, refused loads */
  complaints(): readonly string[]
  close(): Promise<void>
}

/** @param options `now` stands still at the moment of the mocks unless given */
export async function startDashboard(options: Partial<FakeEngineOptions> = {}): Promise<Dashboard> {
  if (chromiumPath === null) throw new Error(noBrowser ?? 'no browser')
  const page = await builtPage()
  const engine = await startFakeEngine({ dir: page.dir, now: () => mockMoment, ...options })
  const browser: Browser = await chromium.launch({ executablePath: chromiumPath, args: flags })
  const contexts: BrowserContext[] = []
  const complaints: string[] = []
  return {
    engine,
    complaints: () => complaints,
    async open({
      width = 1440,
      height = 900,
      theme = 'light',
      locale = 'en-GB',
      place,
      token = true,
      reducedMotion = false,
    } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        locale,
        timezoneId: 'Europe/Berlin',
        reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      contexts.push(context)
      const tab = await context.newPage()
      tab.setDefaultTimeout(20_000)
      await tab.clock.setFixedTime(mockMoment)
      tab.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`))
      tab.on('console', (message) => {
        if (message.type() === 'error' && !/WebSocket connection to/.test(message.text()))
          complaints.push(message.text())
      })
      await tab.goto(token ? engine.url(place) : `${engine.origin}/dashboard/`)
      return tab
    },
    async close() {
      for (const context of contexts) await context.close()
      await browser.close()
      await engine.dispose()
      await page.remove()
    },
  }
}

/** `npm test` builds first; a single spec run by hand builds for itself. */
async function builtPage(): Promise<{ dir: string; remove(): Promise<void> }> {
  const built = resolve(import.meta.dirname, '../../..', process.env.ONWARD_OUT ?? 'out', 'renderer')
  if (process.env.ONWARD_BUILD_PAGE === undefined && existsSync(join(built, 'index.html')))
    return { dir: built, remove: async () => undefined }
  const dir = await mkdtemp(join(tmpdir(), 'onward-page-'))
  await buildPage(dir)
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}
