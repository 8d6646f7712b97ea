import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OnwardError } from '../../../engine/base/errors.ts'
import { onward } from '../../testing/test-cli.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-start-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** `onward start` beside a built app, with `electron` doing what the script says. */
async function start(electron: string | null, env: Record<string, string>) {
  await mkdir(join(folder, 'out'))
  await writeFile(join(folder, 'out', 'main.js'), '')
  if (electron !== null) {
    await writeFile(join(folder, 'electron'), `#!/bin/sh\n${electron}\n`)
    await chmod(join(folder, 'electron'), 0o755)
  }
  const no = () => {
    throw new Error('not part of this test')
  }
  return onward(['start', '--home', join(folder, 'home'), '--port', '4711'], {
    platform: 'linux',
    self: [process.execPath, join(folder, 'out', 'onward.js')],
    env: { PATH: process.env.PATH, ELECTRON_BIN: join(folder, 'electron'), ...env },
    untilInterrupted: () => AbortSignal.abort(),
    parts: {
      sentencesOf: no,
      checkConfig: no,
      policiesFor: no,
      serviceSystem: no,
      installed: no,
      runWrapped: no,
      resumeArgv: no,
      openLink: no,
      installer: no,
      relay: no,
      serve: async () => {
        throw new OnwardError('served', 'The engine was asked for.')
      },
    },
  })
}

describe('onward start', () => {
  it('opens the desktop app with this home and port', async () => {
    const { code, out } = await start(`printf '%s\\n' "$@" "$ONWARD_HOME" "$ONWARD_PORT" > ${join(folder, 'seen')}`, {
      DISPLAY: ':0',
    })
    expect({ code, out }).toEqual({ code: 0, out: 'Onward is open in its own window.\n' })
    expect((await readFile(join(folder, 'seen'), 'utf8')).trim().split('\n')).toEqual([
      join(folder, 'out', 'main.js'),
      join(folder, 'home'),
      '4711',
    ])
  })
  it('serves where the app ends at once, and says why', async () => {
    const { err } = await start('echo "libnss3.so: cannot open shared object file" >&2; exit 127', { DISPLAY: ':0' })
    expect(err).toContain('did not start: libnss3.so')
    expect(err).toContain('The engine was asked for.')
  })
  it.each([
    [null, { DISPLAY: ':0' }, 'not installed'],
    ['exit 0', {}, 'no display'],
  ] as const)('serves where it can’t be opened: %j %j', async (electron, env, why) => {
    const { err } = await start(electron, env)
    expect(err).toContain(why)
    expect(err).toContain('The engine was asked for.')
  })
})
