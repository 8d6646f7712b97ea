import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { switchNames } from '../../../../../shared/control/switches.ts'
import { silentLog } from '../../../base/log.ts'
import { virtualClock } from '../../../base/testing/virtual-clock.ts'
import { nodeConfigFiles } from '../../../config/node-files.ts'
import { openConfig } from '../../../config/open.ts'
import { switchesApi } from './switches-api.ts'

it('every switch is one the config knows, and is written with the comments around it kept', async () => {
  const home = await mkdtemp(join(tmpdir(), 'onward-switches-'))
  await writeFile(join(home, 'config.json'), '{\n  // mine\n  "notifications": { "limit": true } // why\n}\n')
  const config = await openConfig({
    home,
    files: nodeConfigFiles(),
    env: {},
    clock: virtualClock(),
    log: silentLog,
  })
  const { setSwitch } = switchesApi(config)
  await setSwitch({ name: 'notifications.limit', on: false })
  expect(await readFile(join(home, 'config.json'), 'utf8')).toBe(
    '{\n  // mine\n  "notifications": { "limit": false } // why\n}\n',
  )
  for (const name of switchNames) await setSwitch({ name, on: false })
  const { notifications, clock } = config.current()
  expect([notifications['goal-reached'], clock.timeTag, clock.ntp.enabled]).toEqual([false, false, false])
  config.dispose()
  await rm(home, { recursive: true, force: true })
})
