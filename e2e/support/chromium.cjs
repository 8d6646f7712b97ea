// Which Chromium the tests drive, and how it is started. Shared by specs, set-up and the stand-in for Electron.
const { existsSync } = require('node:fs')

/**
 * Chromium without the parts of a desktop browser comes first: the same engine for less CPU. `CHROMIUM_BIN`
 * names another one.
 */
const usual = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Headless, as root, calling nobody. */
const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** null: none is installed */
const findChromium = () => [process.env.CHROMIUM_BIN, ...usual].find((path) => path && existsSync(path)) ?? null

module.exports = { chromiumFlags, findChromium }
