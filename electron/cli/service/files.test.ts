/** The three files as their systems document them. */
import { describe, expect, it } from 'vitest'
import { launchdManager } from './launchd.ts'
import { readSeal } from './seal.ts'
import { systemdManager } from './systemd.ts'
import { taskSchedulerManager } from './task-scheduler.ts'
import { fakeSystem } from './testing/fake-system.ts'
import type { ServiceSpec } from './types.ts'

const spec = (more: Partial<ServiceSpec> = {}): ServiceSpec => ({
  name: 'onward',
  home: '/home/ada/.onward',
  version: '0.1.0',
  argv: ['/usr/bin/node', '/opt/onward/onward.mjs', 'serve', '--json', '--service'],
  env: { PATH: '/home/ada/bin:/usr/bin' },
  ...more,
})
/** Lines with a meaning, comments aside. */
const lines = (text: string) => text.split('\n').filter((line) => /^[^#]/.test(line))

describe('the systemd unit', () => {
  const manager = systemdManager(fakeSystem('linux'))
  it('runs the engine, leaves its terminals alone and gives up after a while', () => {
    expect(lines(manager.textOf(spec()))).toEqual([
      '[Unit]',
      'Description=Onward keeps coding agents going',
      'StartLimitIntervalSec=300',
      'StartLimitBurst=5',
      '[Service]',
      'Type=exec',
      'ExecStart="/usr/bin/node" "/opt/onward/onward.mjs" "serve" "--json" "--service"',
      'Environment="PATH=/home/ada/bin:/usr/bin"',
      'Restart=on-failure',
      'RestartSec=5',
      'RestartPreventExitStatus=2 4 6',
      'KillMode=process',
      'OOMPolicy=continue',
      'TimeoutStopSec=135',
      'LimitCORE=0:infinity',
      '[Install]',
      'WantedBy=default.target',
    ])
  })
  it('keeps every character of a path', () => {
    const odd = manager.textOf(
      spec({ argv: ['/opt/no de/$x/node', '/opt/100%/a "b"\\c/$HOME.mjs'], env: { ONWARD_HOME: '/d/50%$x "y"' } }),
    )
    expect(odd).toContain('ExecStart="/opt/no de/$x/node" "/opt/100%%/a \\"b\\"\\\\c/$$HOME.mjs"\n')
    expect(odd).toContain('Environment="ONWARD_HOME=/d/50%%$x \\"y\\""\n')
  })
  it('lies where systemd looks for it', () => {
    expect(manager.fileOf(spec())).toBe('/home/ada/.config/systemd/user/onward.service')
    const other = systemdManager(fakeSystem('linux', { env: { HOME: '/home/ada', XDG_CONFIG_HOME: '/cfg' } }))
    expect(other.fileOf(spec({ name: 'onward-1a2b3c4d' }))).toBe('/cfg/systemd/user/onward-1a2b3c4d.service')
  })
})

describe('the launch agent', () => {
  const manager = launchdManager(fakeSystem('darwin'))
  const text = manager.textOf(spec({ env: { PATH: '/a&b:/usr/bin', ONWARD_HOME: '/Büro <1>' } }))
  it.each([
    ['its name is its file’s', '<key>Label</key>\n  <string>dev.onward.serve</string>'],
    [
      'the command',
      '<array>\n    <string>/usr/bin/node</string>\n    ' +
        '<string>/opt/onward/onward.mjs</string>\n    <string>serve</string>',
    ],
    ['variables', '<key>PATH</key>\n    <string>/a&amp;b:/usr/bin</string>'],
    ['in ASCII', '<string>/B&#xfc;ro &lt;1&gt;</string>'],
    ['runs at login', '<key>RunAtLoad</key>\n  <true/>'],
    ['again when it failed', '<key>KeepAlive</key>\n  <dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>'],
    ['not faster than', '<key>ThrottleInterval</key>\n  <integer>30</integer>'],
    ['agents live on', '<key>AbandonProcessGroup</key>\n  <true/>'],
    ['agents are not slowed down', '<key>ProcessType</key>\n  <string>Interactive</string>'],
    ['a log', '<key>StandardErrorPath</key>\n  <string>/home/ada/.onward/logs/service.log</string>'],
  ])('%s', (_what, part) => expect(text).toContain(part))
  it('is registered for the person at the screen', () => {
    const other = spec({ name: 'onward-1a2b3c4d' })
    const file = '/home/ada/Library/LaunchAgents/dev.onward.serve-1a2b3c4d.plist'
    expect(manager.fileOf(other)).toBe(file)
    expect(manager.start(other).map(({ argv }) => argv.join(' '))).toEqual([
      'launchctl bootout gui/501/dev.onward.serve-1a2b3c4d',
      'launchctl enable gui/501/dev.onward.serve-1a2b3c4d',
      `launchctl bootstrap gui/501 ${file}`,
    ])
    expect(manager.stop(other).map(({ argv }) => argv.join(' '))).toEqual([
      'launchctl bootout gui/501/dev.onward.serve-1a2b3c4d',
    ])
  })
  it.each([
    [
      'runs',
      'gui/501/dev.onward.serve = {\n\tstate = running\n\tpid = 812\n}',
      '',
      { enabled: true, running: true, pid: 812 },
    ],
    [
      'waits',
      'gui/501/dev.onward.serve = {\n\tstate = not running\n}',
      '',
      { enabled: true, running: false, pid: null },
    ],
    [
      'is switched off',
      'gui/501/dev.onward.serve = {\n\tstate = not running\n}',
      'disabled services = {\n\t"dev.onward.serve" => disabled\n}',
      { enabled: false, running: false, pid: null },
    ],
  ])('is seen when it %s', async (_how, printed, disabled, state) => {
    const seen = launchdManager(
      fakeSystem('darwin', { answers: (line) => ({ out: line.includes('print-disabled') ? disabled : printed }) }),
    )
    expect(await seen.stateOf(spec())).toEqual(state)
  })
})

describe('the scheduled task', () => {
  const system = fakeSystem('win32', { answers: () => ({ out: 'Running\r\n' }) })
  const manager = taskSchedulerManager(system)
  const windows = spec({
    home: 'C:\\Users\\ada\\.onward',
    argv: ['C:\\Program Files\\nodejs\\node.exe', 'C:\\On ward\\onward.mjs', 'serve', '--home', 'D:\\my "x"\\b c\\'],
  })
  const text = manager.textOf(windows)
  it.each([
    ['of this person’s login', '<LogonTrigger>\n      <Enabled>true</Enabled>\n      <UserId>DESK\\ada</UserId>'],
    ['without more rights', '<RunLevel>LeastPrivilege</RunLevel>'],
    ['without an end', '<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>'],
    ['again when it failed, five times', '<Interval>PT1M</Interval>\n      <Count>5</Count>'],
    ['on battery', '<StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>'],
    ['the program', '<Command>C:\\Program Files\\nodejs\\node.exe</Command>'],
    [
      'its words',
      '<Arguments>&quot;C:\\On ward\\onward.mjs&quot; serve --home ' +
        '&quot;D:\\my \\&quot;x\\&quot;\\b c\\\\&quot;</Arguments>',
    ],
  ])('%s', (_what, part) => expect(text).toContain(part))
  it('is registered and taken away by schtasks', async () => {
    const commands = (steps: readonly { argv: readonly string[] }[]) => steps.map(({ argv }) => argv.join(' '))
    expect(commands(manager.start(windows))).toEqual([
      'schtasks /Create /TN \\onward /XML C:\\Users\\ada\\.onward\\service\\onward.xml /F',
      'schtasks /Run /TN \\onward',
    ])
    expect(commands(manager.stop(windows))).toEqual(['schtasks /End /TN \\onward', 'schtasks /Delete /TN \\onward /F'])
    expect(await manager.stateOf(windows)).toEqual({ enabled: true, running: true, pid: null })
  })
})

describe.each([
  ['linux', systemdManager(fakeSystem('linux'))],
  ['darwin', launchdManager(fakeSystem('darwin'))],
  ['win32', taskSchedulerManager(fakeSystem('win32'))],
] as const)('the file on %s', (_platform, manager) => {
  const text = manager.textOf(spec())
  it('is known as ours, and of which version', () => {
    expect(readSeal(text)).toEqual({ kind: 'ours', version: '0.1.0' })
  })
  it('is known as changed when a single character is another', () => {
    expect(readSeal(text.replace('serve', 'sErve'))).toEqual({ kind: 'changed', version: '0.1.0' })
    expect(readSeal(`${text}\n`)).toMatchObject({ kind: 'changed' })
  })
  it('is ASCII', () => expect(text).toMatch(/^[\n\x20-\x7e]*$/))
})
