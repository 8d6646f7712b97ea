// `npm run desktop:check`, or `ELECTRON_BIN=/path/to/electron node e2e/desktop/watch.mjs`: the desktop app on a real
// Electron and the desktop that you sit at. Runs e2e/desktop, then looks from outside, on the session bus, at what the
// desktop got: tray, notifications, start at login, links. Ends with a table and with what the README may say.
//   --no-specs   only looks from outside
// 0: nothing failed. 1: something did. 2: something is missing to look at it.
import { missingFor } from './watch/missing.mjs'
import { look } from './watch/look.mjs'
import { reportOf } from './watch/report.mjs'

const missing = missingFor({ env: process.env, platform: process.platform })
if (missing.length > 0) {
  process.stderr.write(`Missing:\n${missing.map((line) => `  ${line}\n`).join('')}`)
  process.exit(2)
}
const found = await look({ electron: process.env.ELECTRON_BIN, specs: !process.argv.includes('--no-specs') })
const { text, works } = reportOf(found)
process.stdout.write(`\n${text}`)
process.exit(works ? 0 : 1)
