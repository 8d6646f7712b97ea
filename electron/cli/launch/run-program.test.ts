import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { onWindows, unless } from '../../../shared/testing/unless.ts'
import { waitFor } from '../../../shared/testing/wait-for.ts'
import { runProgram } from './run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'onward-run-program-'))
const lock = join(folder, 'lock')
const isGone = (pid: string) => {
  try {
    process.kill(Number(pid), 0)
    return false
  } catch {
    return true
  }
}
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a login shell that takes too long', unless(onWindows), () => {
  // as pyenv's does: others wait for its lock for a minute
  const inner = `trap 'rm -f ${lock}; exit' HUP; echo > ${lock}; while :; do sleep 0.05; done`
  const late = (script: string) =>
    runProgram('/bin/sh', ['-c', `echo $$; ${script}`], { ownSession: true, timeoutMs: 1_000, graceMs: 1_000 })

  it('may tidy up what its start files began', async () => {
    const { late: tooLate, code, stdout } = await late(`/bin/sh -c "${inner}"`)
    expect([tooLate, code]).toEqual([true, null])
    await waitFor('its end', () => isGone(stdout.trim()))
    await waitFor('its lock to be gone', () => !existsSync(lock))
  })

  it('is ended all the same where it does not listen', async () => {
    const { stdout } = await late(`trap '' HUP; while :; do sleep 0.05; done`)
    await waitFor('its end', () => isGone(stdout.trim()))
  })
})
