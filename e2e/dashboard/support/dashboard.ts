/** The built page in a real Chromium, on the scene of the mocks. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import type { ShellState } from '../../../shared/commands/shell-calls.ts'
import { waitFor } from '../../../shared/testing/wait-for.ts'
import { openPage, type BrowserPage } from '../../support/browser.ts'
import { buildPage } from '../fake/build.ts'
import { startFakeEngine, type FakeEngine, type FakeEngineOptions } from '../fake/fake-engine.ts'

/** Saturday 21 November 2026, 14:12:32 in Berlin: the moment of the mocks. */
export const mockMoment = Date.UTC(2026, 10, 21, 13, 12, 32)

export { noBrowser } from '../../support/browser.ts'

export interface OpenOptions {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  locale?: string
  place?: string
  token?: boolean
  reducedMotion?: boolean
  /** of the browser; the engine is in Berlin */
  zone?: string
  /** what the desktop app around the page says; without it the page is in a browser */
  desktop?: ShellState
}

export interface Dashboard {
  engine: FakeEngine
  open(options?: OpenOptions): Promise<Page>
  /** what the pages complained about: uncaught errors, console errors, refused loads */
  complaints(): readonly string[]
  /** gives back every page that was opened */
  closePages(): Promise<void>
  close(): Promise<void>
}

const inDesktop = new WeakSet<Page>()

/** @param options `now` stands still at the moment of the mocks unless given */
export async function startDashboard(options: Partial<FakeEngineOptions> = {}): Promise<Dashboard> {
  const page = await builtPage()
  const engine = await startFakeEngine({ dir: page.dir, now: () => mockMoment, ...options })
  const opened: BrowserPage[] = []
  const complaints: string[] = []
  const closePages = async () => {
    for (const one of opened.splice(0)) {
      complaints.push(...one.complaints)
      await one.close()
    }
  }
  return {
    engine,
    complaints: () => [...complaints, ...opened.flatMap((one) => one.complaints)],
    async open({
      width = 1440,
      height = 900,
      theme = 'light',
      locale = 'en-GB',
      place,
      token = true,
      reducedMotion = false,
      zone = 'Europe/Berlin',
      desktop,
    } = {}) {
      const made = await openPage(
        {
          viewport: { width, height },
          colorScheme: theme,
          locale,
          timezoneId: zone,
          reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
          permissions: ['clipboard-read', 'clipboard-write'],
        },
        // A test that stops the engine sees its page look for it.
        /WebSocket connection to|Failed to load resource/,
      )
      opened.push(made)
      const tab = made.page
      await tab.clock.setFixedTime(mockMoment)
      // A page is used again, and keeps what was put into it.
      if (desktop || inDesktop.has(tab)) {
        inDesktop.add(tab)
        await tab.addInitScript((state) => {
          Reflect.deleteProperty(window, 'onwardShell')
          if (state) Object.assign(window, { onwardShell: { state: async () => state, onState: () => undefined } })
        }, desktop ?? null)
      }
      const { followed } = engine.api
      await tab.goto(token ? engine.url(place) : `${engine.origin}/dashboard/`)
      if (token) await waitFor('the page to follow its engine', () => engine.api.followed > followed)
      return tab
    },
    closePages,
    async close() {
      await closePages()
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
