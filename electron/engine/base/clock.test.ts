import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { unless } from '../../../shared/testing/unless.ts'
import { atTime, keptZone, nowFacts, systemClock } from './clock.ts'
import { virtualClock } from './testing/virtual-clock.ts'

it.each([20, 400])('after %d ms without a turn the sockets go before the timers that are late', async (ms) => {
  const server = createServer((socket) => socket.on('data', () => order.push('bytes'))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(server, 'connection')
  const order: string[] = []
  client.write('an answer')
  const done = new Promise((resolve) => systemClock('awake').after(1, () => resolve(order.push('timer'))))
  // The process is stopped, as far as its sockets can tell.
  for (const until = performance.now() + ms; performance.now() < until;);
  await done
  client.destroy()
  server.close()
  expect(order).toEqual(['bytes', 'timer'])
})

it('gives up a timer also while it lets the sockets go first', async () => {
  const clock = systemClock('awake')
  const given = clock.after(1, () => expect.unreachable())
  setTimeout(() => given.dispose(), 1)
  for (const until = performance.now() + 400; performance.now() < until;);
  await new Promise((resolve) => clock.after(2, () => setImmediate(resolve)))
})

it('what waits for a time of the day comes at that time, also where it came in a sleep or is put off', async () => {
  const clock = virtualClock()
  const hour = 3_600_000
  const [start, came] = [clock.now(), [] as [string, number][]]
  const wait = (name: string, hours: number) =>
    atTime(clock, start + hours * hour, () => came.push([name, (clock.now() - start) / 60_000]))
  for (const hours of [-1, 1, 3]) wait(`${hours}`, hours)
  wait('given up', 2).dispose()
  await clock.advance(hour)
  expect(came).toEqual([
    ['-1', 0],
    ['1', 60],
  ])
  clock.sleep(5 * hour)
  await clock.advance(15_000)
  expect(came.at(-1)?.[0]).toBe('3')
  expect([came.length, clock.pending()]).toEqual([3, 0])
  wait('set back', 7)
  clock.sleep(-hour)
  await clock.advance(hour)
  expect(came).toHaveLength(3)
  await clock.advance(hour)
  expect(came.at(-1)).toEqual(['set back', 7 * 60])
})

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
    const source = readFileSync(join(import.meta.dirname, 'clock.ts'), 'utf8')
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

describe('an instant as a model reads it', () => {
  it.each([
    ['2026-11-21T14:00:00Z', 'UTC', '2026-11-21T14:00:00+00:00'],
    ['2026-11-21T14:00:00Z', 'Europe/Berlin', '2026-11-21T15:00:00+01:00'],
    ['2026-07-01T14:00:00Z', 'Europe/Berlin', '2026-07-01T16:00:00+02:00'],
    // The hour that comes twice, and the one that never comes.
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T02:30:00+01:00'],
    ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29T01:59:59+01:00'],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29T03:00:00+02:00'],
    ['2026-11-21T20:00:00Z', 'Asia/Kolkata', '2026-11-22T01:30:00+05:30'],
    ['2026-11-21T20:00:00Z', 'Asia/Kathmandu', '2026-11-22T01:45:00+05:45'],
    ['2026-11-21T14:00:00Z', 'America/St_Johns', '2026-11-21T10:30:00-03:30'],
    ['2026-07-01T14:00:00Z', 'Australia/Lord_Howe', '2026-07-02T00:30:00+10:30'],
    ['2026-12-31T23:30:00Z', 'Pacific/Kiritimati', '2027-01-01T13:30:00+14:00'],
    ['2026-01-01T00:00:00Z', 'America/Los_Angeles', '2025-12-31T16:00:00-08:00'],
    ['2026-11-21T00:00:00Z', 'Asia/Shanghai', '2026-11-21T08:00:00+08:00'],
    ['2026-11-20T16:00:00Z', 'Asia/Shanghai', '2026-11-21T00:00:00+08:00'],
  ])('%s in %s is %s', (utc, zone, local) => {
    const ms = Date.parse(utc)
    expect(nowFacts(ms, zone)).toEqual({ nowMs: ms, utc: new Date(ms).toISOString(), local, timezone: zone })
    expect(Date.parse(local)).toBe(ms)
  })

  it.each(['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Gaza', 'America/St_Johns', 'Asia/Kathmandu', 'UTC'])(
    'is the same in %s whatever was asked before',
    (zone) => {
      const since = Date.UTC(2010, 2, 1)
      fc.assert(
        fc.property(fc.nat(16 * 365 * 24 * 60), fc.nat(119_999), (minutes, ms) => {
          const begin = since + minutes * 60_000
          nowFacts(begin, zone)
          const asked = nowFacts(begin + ms, zone)
          // Another year's minute in between makes it look at the zone anew.
          nowFacts(0, zone)
          nowFacts(begin - 3_600_000, zone)
          expect(asked).toEqual(nowFacts(begin + ms, zone))
          expect(Math.floor(Date.parse(asked.local) / 1_000)).toBe(Math.floor((begin + ms) / 1_000))
        }),
        runs(300),
      )
    },
  )
  it('is told where a zone was off by seconds', () => {
    expect(nowFacts(Date.UTC(1971, 0), 'Africa/Monrovia').local).toBe('1970-12-31T23:15:30-00:44')
    expect(nowFacts(Date.UTC(1971, 0) + 1_000, 'Africa/Monrovia').local).toBe('1970-12-31T23:15:31-00:44')
  })
})
