import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../base/clock.ts'
import { virtualClock } from '../../../base/testing/virtual-clock.ts'
import { MOST_MS, pageReader } from './page-reader.ts'

let folder: string
let program: URL
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onward-page-thread-'))
  const file = join(folder, 'page-thread.mjs')
  const bundle = await rolldown({
    input: resolve(import.meta.dirname, 'thread.ts'),
    platform: 'node',
    logLevel: 'silent',
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  program = pathToFileURL(file)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const never = new AbortController().signal
const ask = (html: string) => ({ html, url: 'https://x.example/', format: 'markdown' as const, maxChars: 1000 })
/** the parser compares each attribute with all before it: minutes */
const endless = `<p ${Array.from({ length: 200_000 }, (_, index) => `a${index}=1`).join(' ')}>`

describe('a thread that reads a page', () => {
  it('gives title and text', async () => {
    expect(await pageReader(virtualClock(), program)(ask('<title>T</title><p>Hello <b>you</b>'), never)).toEqual({
      title: 'T',
      text: 'Hello **you**',
      left: 0,
    })
  })

  it('is ended when its time is over, and the next page is read', async () => {
    const clock = virtualClock()
    const read = pageReader(clock, program)
    const late = read(ask(endless), never).catch((error: { code: string }) => error.code)
    const next = read(ask('<p>next'), never)
    await clock.advance(MOST_MS)
    expect([await late, (await next).text]).toEqual(['page-unreadable', 'next'])
    expect(clock.pending()).toBe(0)
  })

  it('is ended when the client leaves, and never begun after that', async () => {
    const leaving = new AbortController()
    const read = pageReader(systemClock(), program)
    const left = read(ask(endless), leaving.signal).catch((error: { code: string }) => error.code)
    const after = read(ask('<p>x'), leaving.signal).catch((error: { code: string }) => error.code)
    await new Promise((soon) => {
      setImmediate(soon)
    })
    leaving.abort()
    expect([await left, await after]).toEqual(['aborted', 'aborted'])
  })

  it('gets 256 MB and no more', async () => {
    const file = join(folder, 'says-its-bounds.mjs')
    writeFileSync(
      file,
      "import { parentPort, resourceLimits } from 'node:worker_threads'\n" +
        'parentPort.postMessage(resourceLimits.maxOldGenerationSizeMb)\n',
    )
    expect(await pageReader(systemClock(), pathToFileURL(file))(ask('x'), never)).toBe(256)
  })

  it("takes what can't be started for unreadable", async () => {
    await expect(pageReader(virtualClock(), new URL('./nowhere.mjs', program))(ask('x'), never)).rejects.toMatchObject({
      code: 'page-unreadable',
    })
  })
})
