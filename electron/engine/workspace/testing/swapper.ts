import { spawn } from 'node:child_process'

const script = `
const { renameSync, symlinkSync, rmSync } = require('node:fs')
const [inside, away] = process.argv.slice(1)
for (const end = Date.now() + 20_000; Date.now() < end;) {
  renameSync(inside, inside + '.kept')
  symlinkSync(away, inside)
  rmSync(inside)
  renameSync(inside + '.kept', inside)
}`

/**
 * A process in which a name is the real thing and a link elsewhere in turns, without a moment in which it is missing
 * for long: what a swap between a check and a read is made of. Ends by itself.
 */
export const startSwapper = (inside: string, away: string) =>
  spawn(process.execPath, ['-e', script, inside, away], { stdio: 'ignore' })
