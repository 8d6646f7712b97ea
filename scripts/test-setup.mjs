// Finds or gets what the tests need beyond `npm ci`: a Chromium, tmux and a keyring. Says what it does.
// What it can't get is left to the tests, which report themselves as skipped with the reason (an error when CI is set).
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findChromium } from '../e2e/support/chromium.cjs'

const say = (line) => process.stdout.write(`setup: ${line}\n`)
const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0
const canApt = process.platform === 'linux' && process.getuid?.() === 0 && has('apt-get')
let aptUpdated = false

function apt(...packages) {
  if (!canApt) return false
  const run = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  say(`apt-get install ${packages.join(' ')}`)
  aptUpdated ||= run('update', '-qq')
  return run('install', '-y', '-qq', '--no-install-recommends', ...packages)
}

/** what a Secret Service of the tests' own needs */
const keyring = ['gnome-keyring-daemon', 'dbus-daemon', 'dbus-send']

/** The system's Chromium or Chrome, else Playwright's own. */
function chromiumPath() {
  const found = findChromium()
  if (found) return found
  try {
    const own = createRequire(import.meta.url)('playwright').chromium.executablePath()
    if (existsSync(own)) return own
  } catch (error) {
    say(`playwright does not know a Chromium of its own (${error.message})`)
  }
  return null
}

export function setUp() {
  const missing = []
  const found = chromiumPath()
  // The one without the parts of a desktop browser takes a fifth less CPU, so it is got where another one stands, too.
  if (!found || (found === '/usr/bin/chromium' && canApt)) {
    // On Debian the distribution's Chromium brings its libraries along; Playwright's download does not.
    if (!apt('chromium-headless-shell') && !found && !apt('chromium')) {
      say('playwright install chromium')
      spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' })
    }
  }
  const chromium = chromiumPath()
  if (chromium) say(`Chromium: ${chromium}`)
  else missing.push('Chromium (dashboard and desktop tests); install it or set CHROMIUM_BIN')

  if (!has('tmux')) apt('tmux')
  if (has('tmux')) say(`tmux: ${execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim()}`)
  else missing.push('tmux (terminal tests); install it with the system package manager')

  if (process.platform === 'linux') {
    if (!keyring.every(has)) apt('gnome-keyring', 'dbus', 'dbus-bin')
    if (keyring.every(has)) say('GNOME Keyring: for a Secret Service of its own')
    else missing.push('GNOME Keyring and a D-Bus (keychain tests); install gnome-keyring and dbus')
  }

  for (const what of missing) say(`missing: ${what}`)
  if (missing.length > 0 && process.env.CI) throw new Error(`CI needs ${missing.join('; ')}`)
  return { chromium, tmux: has('tmux') }
}

if (import.meta.filename === process.argv[1]) setUp()
