import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { unless } from '../../../shared/testing/unless.ts'
import { keptZone } from './local-zone.ts'
import { virtualClock } from './testing/virtual-clock.ts'

describe('the zone that is kept', () => {
  it('is asked for again after a minute', async () => {
    const clock = virtualClock()
    const zones = ['Europe/Paris', 'Asia/Tokyo']
    const zone = keptZone(clock, () => zones.shift() ?? 'UTC')
    expect([zone(), zone()]).toEqual(['Europe/Paris', 'Europe/Paris'])
    await clock.advance(59_999)
    expect(zone()).toBe('Europe/Paris')
    await clock.advance(1)
    expect([zone(), zone()]).toEqual(['Asia/Tokyo', 'Asia/Tokyo'])
  })
})

/** A mount namespace of its own, in which another /etc can be put. */
const noNamespace =
  spawnSync('unshare', ['-rm', 'mount', '--bind', '/etc', '/etc'], { stdio: 'ignore' }).status === 0
    ? null
    : 'no mount namespace can be made here'

describe('the zone of this computer', unless(noNamespace), () => {
  it('is followed while the process runs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'onward-zone-'))
    const source = readFileSync(join(import.meta.dirname, 'local-zone.ts'), 'utf8')
    writeFileSync(join(folder, 'zone.mjs'), ts.transpile(source, { target: ts.ScriptTarget.ES2022 }))
    writeFileSync(
      join(folder, 'run.mjs'),
      "import { rmSync, symlinkSync } from 'node:fs'\nimport { localZone } from './zone.mjs'\n" +
        "const before = localZone()\nrmSync('/etc/localtime')\n" +
        "symlinkSync('/usr/share/zoneinfo/Asia/Tokyo', '/etc/localtime')\n" +
        'console.log(before, localZone(), new Date(0).getHours())\n',
    )
    symlinkSync('/usr/share/zoneinfo/Europe/Berlin', join(folder, 'localtime'))
    const { TZ: _set, NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env
    const { stdout, stderr } = spawnSync(
      'unshare',
      ['-rm', 'sh', '-c', 'mount --bind "$1" /etc && exec "$2" "$1/run.mjs"', 'sh', folder, process.execPath],
      { encoding: 'utf8', env },
    )
    rmSync(folder, { recursive: true })
    expect(`${stdout}${stderr}`).toBe('Europe/Berlin Asia/Tokyo 9\n')
  })
})
