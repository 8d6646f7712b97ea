// How soon a key is seen in a dashboard of 1 000 sessions, 50 of which change each second: real turns through the
// proxy. From the moment of the key, which may wait for what an update has the page do, until its frame is painted.
import { openBrowser } from './browser.mjs'
import { startWithSessions } from './dashboard-engine.mjs'
import { median } from './parts.mjs'

const SESSIONS = 1_000
const UPDATES = 50
const ROUNDS = 5
const wait = (ms) => new Promise((done) => setTimeout(done, ms))
const typed = [...'work42', ...Array(6).fill('Backspace'), ...'work7', ...Array(5).fill('Backspace')]
const walked = [...Array(16).fill('ArrowDown'), ...Array(10).fill('ArrowUp')]

/** Runs in the page: a time for each key, waiting for its turn and for the frame included. */
function watchKeys() {
  window.benchKeys = []
  window.addEventListener(
    'keydown',
    ({ timeStamp }) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => window.benchKeys.push(performance.now() - timeStamp)
        port2.postMessage(null)
      }),
    true,
  )
}

async function press(page, keys) {
  await page.evaluate(() => {
    window.benchKeys = []
  })
  for (const [i, key] of keys.entries()) {
    await page.keyboard.press(key)
    // no two at the same moment of a frame, or of a batch of updates
    await wait(110 + ((i * 37) % 60))
  }
  await page.waitForFunction((count) => window.benchKeys.length >= count, keys.length)
  return page.evaluate(() => window.benchKeys)
}

/** @returns for each round the times of keys typed into the search and pressed in the list, in milliseconds */
export async function keyRounds(upstream, { of, rounds = ROUNDS } = {}) {
  const engine = await startWithSessions(SESSIONS, upstream, of)
  const browser = await openBrowser()
  const { page } = browser
  const stop = engine.turns(UPDATES)
  try {
    await page.addInitScript(watchKeys)
    await page.goto(await engine.link())
    await page.locator('.row').first().waitFor()
    const seen = []
    // the first of each is compiled while it is pressed
    for (let i = 0; i < rounds + 1; i++) {
      engine.updates()
      const from = performance.now()
      const one = { search: await typeIntoSearch(page), list: await walkTheList(page) }
      const perSecond = (engine.updates() / (performance.now() - from)) * 1_000
      if (perSecond < UPDATES) throw new Error(`${perSecond.toFixed(0)} updates a second came, not ${UPDATES}`)
      if (i > 0) seen.push(one)
    }
    return seen
  } finally {
    await stop()
    await browser.close()
    await engine.stop()
  }
}

async function typeIntoSearch(page) {
  await page.keyboard.press('/')
  await page.locator('.list-search input').waitFor()
  const times = await press(page, typed)
  await page.keyboard.press('Escape')
  return times
}

async function walkTheList(page) {
  await page.locator('#session-list').focus()
  await page.keyboard.press('Home')
  return press(page, walked)
}

const p99 = (values) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1]

export async function keyFigures(upstream) {
  const seen = await keyRounds(upstream)
  const title = 'dashboard: key in 1 000 sessions updating 50 times a second'
  const limits = [50, 16]
  const rows = (name, of) => [
    { title: name, unit: 'ms', value: median(seen.flatMap(of)), range: seen.map((one) => median(of(one))), limits },
    { title: `${name}: p99`, unit: 'ms', value: p99(seen.flatMap(of)), range: seen.map((one) => p99(of(one))) },
  ]
  return [...rows(title, ({ search }) => search), ...rows(`${title}, an arrow in the list`, ({ list }) => list)]
}
