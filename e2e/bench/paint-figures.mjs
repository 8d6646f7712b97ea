// When the dashboard is seen: something of it, which is the frame that the document brings along; what the page draws
// itself, with buttons and words; and its list of sessions. Cold is a browser that was never there, with
// nothing in its cache; warm the same page loaded again. The engine has served the page before, as all but the first
// window of its life find it.
import { openBrowser } from './browser.mjs'
import { startWithSessions } from './dashboard-engine.mjs'
import { median } from './parts.mjs'

const ROUNDS = 9
const SESSIONS = 100

/** Runs in the page, before anything of it: the moment the frame with the first of these is painted. */
function watch() {
  const wanted = { own: '.pane-head', list: '.row' }
  window.benchSeen = {}
  const look = new MutationObserver(() => {
    for (const [name, selector] of Object.entries(wanted)) {
      if (!document.querySelector(selector)) continue
      delete wanted[name]
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          window.benchSeen[name] = performance.now()
        }
        port2.postMessage(null)
      })
    }
  })
  look.observe(document, { childList: true, subtree: true })
}

async function seenIn(page) {
  await page.waitForFunction(() => window.benchSeen.list !== undefined)
  return page.evaluate(async () => {
    const paint = await new Promise((done) => {
      new PerformanceObserver((list) => {
        const first = list.getEntriesByName('first-contentful-paint')[0]
        if (first) done(first.startTime)
      }).observe({ type: 'paint', buffered: true })
    })
    return { paint, ...window.benchSeen }
  })
}

async function loads(link) {
  const { page, close } = await openBrowser()
  try {
    await page.addInitScript(watch)
    await page.goto(link)
    const cold = await seenIn(page)
    // The first time after it the browser still keeps what it has compiled.
    for (let i = 0; i < 2; i++) {
      await page.waitForLoadState('networkidle')
      await page.reload()
    }
    return { cold, warm: await seenIn(page) }
  } finally {
    await close()
  }
}

/** @returns for each round what `loads` saw */
export async function paintRounds(upstream, { of, rounds = ROUNDS } = {}) {
  const engine = await startWithSessions(SESSIONS, upstream, of)
  try {
    // The first has the engine compress the page, and the system read Chromium.
    await loads(await engine.link())
    const seen = []
    for (let i = 0; i < rounds; i++) seen.push(await loads(await engine.link()))
    return seen
  } finally {
    await engine.stop()
  }
}

export async function paintFigures(upstream) {
  const seen = await paintRounds(upstream)
  const row = (title, of, more = {}) => {
    const range = seen.map(of)
    return { title, unit: 'ms', value: median(range), range, ...more }
  }
  const limits = [300, 150]
  return [
    row('dashboard: first paint', ({ cold }) => cold.paint, { limits }),
    row('dashboard: first paint, loaded again', ({ warm }) => warm.paint, { limits }),
    row('dashboard: drawn by the page itself', ({ cold }) => cold.own),
    row('dashboard: drawn by the page itself, loaded again', ({ warm }) => warm.own),
    row(`dashboard: the list of ${SESSIONS} sessions`, ({ cold }) => cold.list),
    row(`dashboard: the list of ${SESSIONS} sessions, loaded again`, ({ warm }) => warm.list),
  ]
}
