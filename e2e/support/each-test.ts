import type { BrowserContextOptions, Page } from 'playwright'
import { afterEach, expect } from 'vitest'
import { openPage, type BrowserPage } from './browser.ts'
import {
  removeHomes,
  startEngine,
  type EngineOptions,
  type EngineProcess,
  type RunningEngine,
} from './engine-process.ts'
import { endTerminalHosts } from './hosted-agent-driver.ts'
import { startMockUpstream, type MockOptions, type MockUpstream } from './mock-upstream/index.ts'
import { startTmux, type TestTmux } from './tmux.ts'

/**
 * Starts real parts for each test of a file. They end with it, last first, also where a start fails half-way; then its
 * homes go, and none of its pages may have complained.
 */
export function eachTest() {
  const ends: (() => unknown)[] = []
  const pages: BrowserPage[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
    removeHomes()
    expect(pages.splice(0).flatMap(({ complaints }) => complaints)).toEqual([])
  })
  function running<E extends RunningEngine>(engine: E): E {
    ends.push(async () => {
      await engine.stop()
      endTerminalHosts(engine.home)
    })
    return engine
  }
  return {
    /** done at the test's end */
    ends: (end: () => unknown): void => void ends.push(end),
    async mock(options?: MockOptions): Promise<MockUpstream> {
      const mock = await startMockUpstream(options)
      ends.push(() => mock.dispose())
      return mock
    },
    tmux(): TestTmux {
      const tmux = startTmux()
      ends.push(() => tmux.dispose())
      return tmux
    },
    engine: async (options: EngineOptions = {}): Promise<EngineProcess> => running(await startEngine(options)),
    /** an engine that was started in another way */
    running,
    /** @param link leads a browser of its own to the dashboard */
    async page(link: string, browser?: BrowserContextOptions, ignore?: RegExp): Promise<Page> {
      const opened = await openPage(browser, ignore)
      pages.push(opened)
      ends.push(() => opened.close())
      await opened.page.goto(link)
      return opened.page
    },
  }
}
