// Starts the app for a person of its own (a fresh HOME) and looks at it from outside.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { _electron } from 'playwright'
import { clickMenu, desktopOn, notifications, openBus, standInPanel, trayOf } from './bus.mjs'
import { mainFile } from './missing.mjs'

const root = resolve(import.meta.dirname, '../../..')
const patienceMs = 20_000

export async function look({ electron, specs }) {
  const linux = process.platform === 'linux'
  const bus = linux ? openBus(process.env.DBUS_SESSION_BUS_ADDRESS) : null
  const offers = bus ? await desktopOn(bus) : null
  if (bus && !offers.panel) await standInPanel(bus)
  const person = mkdtempSync(join(tmpdir(), 'onward-watch-'))
  const rows = []
  const see = async (what, doing) => {
    try {
      const detail = await doing()
      rows.push(detail === null ? { what, result: 'skipped', detail: '' } : { what, result: 'works', detail })
    } catch (error) {
      rows.push({ what, result: 'fails', detail: error.message.split('\n')[0] })
    }
  }
  const app = await start(electron, person)
  const { version, isDouble } = app
  try {
    await see('window', () => window(app))
    if (bus) await see(offers.panel ? 'tray' : 'tray without a panel', () => tray(bus, app))
    if (bus) await seeNotices(see, offers, app)
    const hasTray = rows.some(({ what, result }) => what.startsWith('tray') && result === 'works')
    if (bus) await see('login', () => (hasTray ? login(bus, app, person) : null))
    await see('link', () => link(app, electron))
  } finally {
    await app.end()
    bus?.close()
    rmSync(person, { recursive: true, force: true, maxRetries: 5 })
  }
  if (specs) await see('specs', () => runSpecs(electron))
  return { electron: `Electron ${version}`, isDouble, desktop: desktopName(offers), rows }
}

const desktopName = (offers) => {
  const { XDG_CURRENT_DESKTOP: name = 'no desktop', XDG_SESSION_TYPE: type = '' } = process.env
  const server = offers?.notices ? `, notifications by ${offers.notices.server}` : ''
  return `${process.platform === 'linux' ? `${name}${type && ` (${type})`}` : process.platform}${server}`
}

async function start(electron, person) {
  const home = join(person, '.onward')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'config.json'), JSON.stringify({ clock: { ntp: { enabled: false } } }))
  const env = {
    ...process.env,
    HOME: person,
    ONWARD_HOME: home,
    ONWARD_PORT: '0',
    XDG_CONFIG_HOME: '',
    ONWARD_TRAY: '',
  }
  const app = await _electron.launch({ executablePath: electron, args: [mainFile], env, timeout: patienceMs })
  const page = await app.firstWindow()
  const info = await until('the engine', () => {
    const file = join(home, 'engine.json')
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8'))
  })
  const child = app.process()
  const isDouble = await app.evaluate((module) => '__isDouble' in module && module.__isDouble === true)
  return {
    version: isDouble ? 'double' : await app.evaluate(() => process.versions.electron),
    isDouble,
    page,
    env,
    pid: child.pid,
    origin: `http://127.0.0.1:${info.port}`,
    async end() {
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await gone
    },
  }
}

async function until(what, check) {
  const begun = performance.now()
  for (;;) {
    const found = await check()
    if (found) return found
    if (performance.now() - begun > patienceMs) throw new Error(`${what} did not come`)
    await later(100)
  }
}

async function window({ page, origin }) {
  await page.locator('.statusbar').waitFor({ timeout: patienceMs })
  if (!page.url().startsWith(origin)) throw new Error(`the window shows ${page.url()}`)
  return page.title()
}

async function tray(bus, { pid }) {
  const found = await until('the tray', () => trayOf(bus, pid))
  if (!found.hasIcon) throw new Error('it has no icon')
  for (const label of ['Open dashboard', 'Quit'])
    if (!found.menu.some((entry) => entry.label === label)) throw new Error(`its menu has no ${label}`)
  return `“${found.title}”, ${found.menu.length} entries`
}

/** An alarm rings; what the app asks of the server goes by on the bus. */
async function seeNotices(see, offers, { env, origin, page }) {
  if (!offers.notices) {
    await see('notification', () => null)
    return see('buttons', () => null)
  }
  const asked = []
  const monitor = openBus(process.env.DBUS_SESSION_BUS_ADDRESS)
  await monitor.monitor([`interface='${notifications.name}',member='Notify'`], ({ member, body }) => {
    if (member === 'Notify') asked.push(body)
  })
  await see('notification', async () => {
    // Of a session that is on screen nothing is shown.
    await page.evaluate(() => {
      window.location.hash = '#/alarms'
    })
    const answer = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': 'watched' },
      body: JSON.stringify({ model: 'simulator', messages: [{ role: 'user', content: 'hello' }] }),
    })
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status}`)
    const added = spawnSync(
      process.execPath,
      [join(dirname(mainFile), 'onward.js'), 'alarm', 'add', 'watched', 'in 2 seconds', 'look here'],
      { env, encoding: 'utf8' },
    )
    if (added.status !== 0) throw new Error(`no alarm could be set: ${added.stderr}`)
    const [, , , title, text] = await until('a notification', () => asked.find((body) => body[4].includes('look here')))
    return `“${title}”: ${text.split('\n')[0]}`
  })
  await see('buttons', () => {
    if (!offers.notices.capabilities.includes('actions')) return null
    const labels = asked.at(-1)?.[5].filter((_, at) => at % 2 === 1 && at > 1) ?? []
    if (labels.length === 0) throw new Error('it had no buttons, and the server has them')
    return labels.join(', ')
  })
  monitor.close()
}

async function login(bus, { pid }, person) {
  const entry = join(person, '.config/autostart/onward.desktop')
  const label = 'Start at login, in the tray'
  await clickMenu(bus, await until('the tray', () => trayOf(bus, pid)), label)
  await until('the entry', () => existsSync(entry))
  const exec = /^Exec=(.*)$/m.exec(readFileSync(entry, 'utf8'))?.[1]
  const on = await until('the switch', async () => {
    const now = await trayOf(bus, pid)
    return now?.menu.some((one) => one.label === label && one.checked) && now
  })
  await clickMenu(bus, on, label)
  await until('the end of the entry', () => !existsSync(entry))
  return exec ?? ''
}

async function link({ page, env }, electron) {
  const second = spawn(electron, [mainFile, 'onward://settings'], { env, stdio: 'ignore' })
  await new Promise((done) => second.once('exit', done))
  await page.waitForURL('**/#/settings', { timeout: patienceMs })
  return 'onward://settings'
}

function runSpecs(electron) {
  const ran = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'e2e', 'e2e/desktop'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ELECTRON_BIN: electron } },
  )
  const counts = /^\d+ passed, .*$/m.exec(ran.stdout)?.[0] ?? 'see `npx vitest run --project e2e e2e/desktop`'
  if (ran.status !== 0) throw new Error(counts)
  return counts
}
