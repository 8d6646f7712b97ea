/**
 * One real Chromium for all files of a worker, and pages that are used again: to open one costs more than most tests.
 */
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright'
import { chromiumFlags, findChromium } from './chromium.cjs'
import { evidence } from './evidence/evidence.ts'

export const chromiumPath: string | null = findChromium()

/** Why browser tests can't run here; null when they can. */
export const noBrowser: string | null = chromiumPath === null ? 'no Chromium found (set CHROMIUM_BIN)' : null

/** A page on a busy machine may take this long to show what it is asked for. */
const PATIENCE_MS = 60_000
const usual = { viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'en-GB' } as const

export interface BrowserPage {
  page: Page
  /** what the page complained about: uncaught errors, console errors, refused loads */
  complaints: readonly string[]
  /** Forgets what it kept and leaves it for the next one who wants such a page. */
  close(): Promise<void>
}

interface Kept {
  page: Page
  /** whoever uses it now is told */
  complain(text: string): void
}

/** Playwright ends it with the worker's process. */
let running: Promise<Browser> | null = null
/** pages that nobody uses, by what they were made with */
const free = new Map<string, Kept[]>()

/** A page of its own, with nothing kept from others. @param ignore complaints that belong to what is tested */
export async function openPage(wanted: BrowserContextOptions = {}, ignore: RegExp = /^$/): Promise<BrowserPage> {
  const { viewport, colorScheme, ...fixed } = { ...usual, ...wanted }
  const kind = JSON.stringify(fixed)
  const kept = free.get(kind)?.pop() ?? (await newPage(fixed))
  const { page } = kept
  if (viewport) await page.setViewportSize(viewport)
  // whatever its last user had it show
  await page.emulateMedia({ colorScheme, forcedColors: null, reducedMotion: fixed.reducedMotion ?? null, media: null })
  const complaints: string[] = []
  kept.complain = (text) => {
    if (!ignore.test(text)) complaints.push(text)
  }
  const forget = evidence(async () => ({ 'page.png': await page.screenshot(), 'page.txt': complaints.join('\n') }))
  return {
    page,
    complaints,
    async close() {
      forget()
      kept.complain = () => undefined
      // A page of its own does not go away by itself: what a test opened beside it does.
      for (const other of page.context().pages()) if (other !== page) await other.close()
      await page.evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })
      await page.mouse.move(0, 0)
      await page.goto('about:blank')
      free.set(kind, [...(free.get(kind) ?? []), kept])
    },
  }
}

async function newPage(options: BrowserContextOptions): Promise<Kept> {
  if (chromiumPath === null) throw new Error(noBrowser ?? 'no browser')
  running ??= chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  const page = await (await (await running).newContext(options)).newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const kept: Kept = { page, complain: () => undefined }
  page.on('pageerror', (error) => kept.complain(`${error.name}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') kept.complain(message.text())
  })
  return kept
}
