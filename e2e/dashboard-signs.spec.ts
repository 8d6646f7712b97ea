import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { noBrowser } from './support/browser.ts'
import type { EngineProcess } from './support/engine-process.ts'
import { unless } from '../shared/testing/unless.ts'

const pictures = resolve(import.meta.dirname, '.artifacts/dashboard')
/** of Claude Code's footer and lists, of other agents, and one that no font of a system has */
const signs = [...'⏵⏺⎿✻✳✶✽✢⏸☐☒◉✔✦⚠⠋➜🯅']

describe('signs that agents draw', unless(noBrowser), () => {
  let engine: EngineProcess
  let page: Page
  const each = eachTest()

  beforeEach(async () => {
    engine = await each.engine()
    page = await each.page(await engine.dashboard())
  })

  const fetched = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /\.woff2?$/.test(name)),
    )
  /** Signs that are drawn like one that no font has. */
  const boxes = () =>
    page.evaluate(async (all) => {
      await document.fonts.ready
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      if (!canvas) throw new Error('no canvas')
      const family = getComputedStyle(document.documentElement).getPropertyValue('--font-mono')
      const drawn = (text: string) => {
        canvas.reset()
        canvas.font = `40px ${family}`
        canvas.fillText(text, 10, 60)
        return canvas.getImageData(0, 0, 100, 100).data.join()
      }
      const box = drawn('\u{10FFFE}')
      return all.filter((sign) => drawn(sign) === box)
    }, signs)
  /** How far the bar behind two of a sign is from where two cells end, in pixels. */
  const offBy = () =>
    page.evaluate(() => {
      const cols = Number(/(\d+) × \d+/.exec(document.querySelector('.t-bar')?.textContent ?? '')?.[1])
      const cell = (document.querySelector('.xterm-screen')?.getBoundingClientRect().width ?? NaN) / cols
      return Array.from(document.querySelectorAll('.xterm-rows > div'), (row) => {
        const text = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
        for (let node = text.nextNode(); node; node = text.nextNode()) {
          const at = node.textContent?.indexOf('|') ?? -1
          if (at < 0) continue
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          return Math.abs(range.getBoundingClientRect().left - row.getBoundingClientRect().left - 2 * cell)
        }
        return null
      }).filter((off) => off !== null)
    })

  it('are drawn in a terminal, each one cell wide, by a font that comes when it is needed', async () => {
    expect(await fetched(), 'nothing of it before').toEqual([])
    await engine.control.api.openTerminal.mutate({
      client: 'other',
      args: ['sh', '-c', `printf '%s|\\n' ${signs.map((sign) => sign + sign).join(' ')}; exec sleep 600`],
      name: 'signs',
    })
    await page.getByRole('treeitem', { name: 'signs' }).click()
    await page.locator('.xterm-rows').getByText('🯅').waitFor()
    // '🯅' is in its second part; a system's fonts may have all of the first.
    await expect.poll(async () => (await fetched()).length).toBeGreaterThan(0)
    const parts = await fetched()
    expect(parts, 'each part of it once').toEqual([...new Set(parts)])
    expect(await boxes()).toEqual([])
    await expect.poll(async () => Math.max(...(await offBy()))).toBeLessThan(1)
    expect(await offBy()).toHaveLength(signs.length)
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, 'signs-light-1440.png') })
  })

  it('come with the license of their font', async () => {
    const link = new URL(page.url())
    const license = await fetch(new URL('licenses/noto-sans-symbols-2.txt', link))
    expect(await license.text()).toContain('SIL OPEN FONT LICENSE')
  })
})
