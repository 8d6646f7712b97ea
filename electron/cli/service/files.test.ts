/** The three files as their systems document them. */
import { describe, expect, it } from 'vitest'
import { launchdManager } from './launchd.ts'
import { readSeal } from './seal.ts'
import { letGoOf, systemdManager } from './systemd.ts'
import { taskSchedulerManager } from './task-scheduler.ts'
import { fakeSystem } from './testing/fake-system.ts'
import type { ServiceManager, ServiceSpec, ServiceState } from './types.ts'

const spec = (more: Partial<ServiceSpec> = {}): ServiceSpec => ({
  name: 'onward',
  home: '/home/ada/.onward',
  version: '0.1.0',
  argv: ['/usr/bin/node', '/opt/onward/onward.mjs', 'serve', '--json', '--service'],
  env: { PATH: '/home/ada/bin:/usr/bin' },
  listens: { host: '127.0.0.1', port: 5520 },
  ...more,
})
const textOf = (manager: ServiceManager, of: ServiceSpec = spec()) => manager.filesOf(of)[0].text ?? ''
const pathOf = (manager: ServiceManager, of: ServiceSpec = spec()) => manager.filesOf(of)[0].path
const socketOf = (manager: ServiceManager, of: ServiceSpec = spec()) => manager.filesOf(of)[1]
const commands = (steps: readonly { argv: readonly string[] }[]) => steps.map(({ argv }) => argv.join(' '))
const stopped: ServiceState = { enabled: false, running: false, pid: null, listens: null }
/** Lines with a meaning, comments aside. */
const lines = (text: string) => text.split('\n').filter((line) => /^[^#]/.test(line))

describe('the systemd unit', () => {
  const manager = systemdManager(fakeSystem('linux'))
  it('runs the engine, leaves its terminals alone and gives up after a while', () => {
    expect(lines(textOf(manager))).toEqual([
      '[Unit]',
      'Description=Onward keeps coding agents going',
      'StartLimitIntervalSec=300',
      'StartLimitBurst=5',
      '[Service]',
      'Type=exec',
      'ExecStart="/usr/bin/node" "/opt/onward/onward.mjs" "serve" "--json" "--service"',
      'Sockets=onward.socket',
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
    const odd = textOf(
      manager,
      spec({ argv: ['/opt/no de/$x/node', '/opt/100%/a "b"\\c/$HOME.mjs'], env: { ONWARD_HOME: '/d/50%$x "y"' } }),
    )
    expect(odd).toContain('ExecStart="/opt/no de/$x/node" "/opt/100%%/a \\"b\\"\\\\c/$$HOME.mjs"\n')
    expect(odd).toContain('Environment="ONWARD_HOME=/d/50%%$x \\"y\\""\n')
  })
  it.each([
    ['127.0.0.1', 5520, '127.0.0.1:5520'],
    ['::1', 5600, '[::1]:5600'],
  ])('has a socket at %s port %d, which is open while the engine is started anew', (host, port, at) => {
    const { path, text } = socketOf(manager, spec({ listens: { host, port } })) ?? {}
    expect(path).toBe('/home/ada/.config/systemd/user/onward.socket')
    expect(lines(text ?? '')).toEqual([
      '[Unit]',
      'Description=Where agents reach Onward, also while it is started anew',
      '[Socket]',
      `ListenStream=${at}`,
      '[Install]',
      'WantedBy=sockets.target',
    ])
    expect(readSeal(text ?? '')).toEqual({ kind: 'ours', version: '0.1.0' })
  })
  it.each([
    ['any free port', { host: '127.0.0.1', port: 0 }],
    ['an address that may come later', { host: '192.168.1.5', port: 5520 }],
    ['every address', { host: '0.0.0.0', port: 5520 }],
    ['a name', { host: 'localhost', port: 5520 }],
  ])('listens itself on %s', (_what, listens) => {
    const self = spec({ listens })
    expect(socketOf(manager, self)?.text).toBeNull()
    expect(textOf(manager, self)).not.toContain('.socket')
    expect(commands(manager.start(self, stopped))).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user reset-failed onward.service',
      'systemctl --user enable onward.service',
      'systemctl --user restart onward.service',
    ])
  })
  it.each([
    ['there already', '127.0.0.1:5520', []],
    ['nowhere', null, ['systemctl --user stop onward.service', 'systemctl --user restart onward.socket']],
    ['elsewhere', '127.0.0.1:1', ['systemctl --user stop onward.service', 'systemctl --user restart onward.socket']],
  ])('lets nobody go who waits, where the system listens %s', (_where, listens, anew) => {
    expect(commands(manager.start(spec(), { ...stopped, listens }))).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user reset-failed onward.socket onward.service',
      'systemctl --user enable onward.socket onward.service',
      ...anew,
      'systemctl --user restart onward.service',
    ])
  })
  it('is ended with its socket, that first', () => {
    expect(commands(manager.stop(spec(), ['/u/onward.service', '/u/onward.socket']))).toEqual([
      'systemctl --user disable --now onward.socket',
      'systemctl --user disable --now onward.service',
    ])
  })
  it('lies where systemd looks for it', () => {
    expect(pathOf(manager)).toBe('/home/ada/.config/systemd/user/onward.service')
    const other = systemdManager(fakeSystem('linux', { env: { HOME: '/home/ada', XDG_CONFIG_HOME: '/cfg' } }))
    expect(pathOf(other, spec({ name: 'onward-1a2b3c4d' }))).toBe('/cfg/systemd/user/onward-1a2b3c4d.service')
  })
})

describe('a socket that systemd handed over', () => {
  const later = 'stop --no-block'
  it.each([
    ['is kept while the service is started anew', false, '12 onward.service restart running\n', null],
    ['is let go when the service is stopped', false, ' 7 onward.service stop running\n', later],
    ['is let go when another service is started anew', false, '12 onward-1a2b3c4d.service restart running\n', later],
    ['is let go when a person ends the engine', false, '', later],
    ['is let go at once when another engine takes over', true, '12 onward.service restart running\n', 'stop'],
  ])('%s', async (_what, handsOver, out, how) => {
    const system = fakeSystem('linux', { answers: (line) => (line.includes('list-jobs') ? { out } : undefined) })
    await letGoOf('onward.socket', handsOver, system)
    const did = system.ran.filter((line) => !line.includes('list-jobs'))
    expect(did).toEqual(how === null ? [] : [`systemctl --user ${how} onward.socket`])
  })
})

describe('the launch agent', () => {
  const manager = launchdManager(fakeSystem('darwin'))
  const text = textOf(manager, spec({ env: { PATH: '/a&b:/usr/bin', ONWARD_HOME: '/Büro <1>' } }))
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
    expect(pathOf(manager, other)).toBe(file)
    expect(commands(manager.start(other, stopped))).toEqual([
      'launchctl bootout gui/501/dev.onward.serve-1a2b3c4d',
      'launchctl enable gui/501/dev.onward.serve-1a2b3c4d',
      `launchctl bootstrap gui/501 ${file}`,
    ])
    expect(commands(manager.stop(other, []))).toEqual(['launchctl bootout gui/501/dev.onward.serve-1a2b3c4d'])
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
    expect(await seen.stateOf(spec())).toEqual({ ...state, listens: null })
  })
})

describe('the scheduled task', () => {
  const system = fakeSystem('win32', { answers: () => ({ out: 'Running\r\n' }) })
  const manager = taskSchedulerManager(system)
  const windows = spec({
    home: 'C:\\Users\\ada\\.onward',
    argv: ['C:\\Program Files\\nodejs\\node.exe', 'C:\\On ward\\onward.mjs', 'serve', '--home', 'D:\\my "x"\\b c\\'],
  })
  const text = textOf(manager, windows)
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
    expect(commands(manager.start(windows, stopped))).toEqual([
      'schtasks /Create /TN \\onward /XML C:\\Users\\ada\\.onward\\service\\onward.xml /F',
      'schtasks /Run /TN \\onward',
    ])
    expect(commands(manager.stop(windows, []))).toEqual([
      'schtasks /End /TN \\onward',
      'schtasks /Delete /TN \\onward /F',
    ])
    expect(await manager.stateOf(windows)).toEqual({ enabled: true, running: true, pid: null, listens: null })
  })
})

describe.each([
  ['linux', systemdManager(fakeSystem('linux'))],
  ['darwin', launchdManager(fakeSystem('darwin'))],
  ['win32', taskSchedulerManager(fakeSystem('win32'))],
] as const)('the file on %s', (_platform, manager) => {
  const text = textOf(manager)
  it('is known as ours, and of which version', () => {
    expect(readSeal(text)).toEqual({ kind: 'ours', version: '0.1.0' })
  })
  it('is known as changed when a single character is another', () => {
    expect(readSeal(text.replace('serve', 'sErve'))).toEqual({ kind: 'changed', version: '0.1.0' })
    expect(readSeal(`${text}\n`)).toMatchObject({ kind: 'changed' })
  })
  it('is ASCII', () => expect(text).toMatch(/^[\n\x20-\x7e]*$/))
})
