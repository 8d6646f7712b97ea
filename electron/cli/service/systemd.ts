/**
 * Units of the person's own systemd (systemd.unit(5), systemd.service(5), systemd.socket(5), systemd.exec(5),
 * systemd.kill(5)).
 */
import { isIP } from 'node:net'
import { basename, join } from 'node:path'
import { isLoopback } from '../../engine/gateway/access/authenticate.ts'
import { exitCodes } from '../exit.ts'
import { seal, sealLine } from './seal.ts'
import type { Advice, ServiceManager, ServiceSpec, ServiceSystem, Step } from './types.ts'

const unitOf = ({ name }: ServiceSpec): string => `${name}.service`
const socketOf = ({ name }: ServiceSpec): string => `${name}.socket`
/** null: another network's address may not be there yet when systemd listens, and of a name it knows none */
const listenOf = ({ listens }: ServiceSpec): string | null =>
  listens === null || listens.port === 0 || isIP(listens.host) === 0 || !isLoopback(listens.host)
    ? null
    : `${listens.host.includes(':') ? `[${listens.host}]` : listens.host}:${listens.port}`
const systemctl = (...words: string[]): string[] => ['systemctl', '--user', ...words]

export function systemdManager(system: ServiceSystem): ServiceManager {
  const { env } = system
  const folder = join(env.XDG_CONFIG_HOME || join(env.HOME ?? '/', '.config'), 'systemd', 'user')
  // A service that failed too often is not started for five minutes.
  const forget = (units: readonly string[]): Step => ({
    argv: systemctl('reset-failed', ...units),
    why: 'forgets that it failed, if it did',
    mayFail: true,
  })
  const reload: Step = { argv: systemctl('daemon-reload'), why: 'reads the unit' }
  return {
    kind: 'systemd',
    title: 'systemd user unit',
    filesOf: (spec) => [
      { path: join(folder, unitOf(spec)), text: unitText(spec) },
      { path: join(folder, socketOf(spec)), text: socketText(spec) },
    ],
    async unusable() {
      const { code, err } = await system.run(systemctl('show-environment'))
      if (code === 0) return null
      return code === null
        ? {
            why: 'There is no systemctl on this machine.',
            hint: 'Let whatever starts programs here run `onward serve --json`.',
          }
        : {
            why: `systemd does not answer for ${system.user}: ${err.trim() || `it ended with ${code}`}.`,
            hint: 'It does in a login of your own (ssh, not su or sudo); in WSL with systemd=true in /etc/wsl.conf.',
          }
    },
    start(spec, { listens }) {
      const wanted = listenOf(spec)
      const both = wanted === null ? [unitOf(spec)] : [socketOf(spec), unitOf(spec)]
      // systemd does not listen for a service that runs already, and does not let go of an address by itself.
      const anew: readonly Step[] =
        wanted === null || wanted === listens
          ? []
          : [
              {
                argv: systemctl('stop', unitOf(spec)),
                why: 'ends the one before, if there is one',
                mayFail: true,
                ends: true,
              },
              { argv: systemctl('restart', socketOf(spec)), why: 'listens for it from now on' },
            ]
      return [
        reload,
        forget(both),
        { argv: systemctl('enable', ...both), why: 'starts it at each login' },
        ...anew,
        { argv: systemctl('restart', unitOf(spec)), why: 'starts it now', ends: true },
      ]
    },
    stop: (_spec, there) =>
      // The socket first: a client that comes now does not start the service again.
      there
        .map((path) => basename(path))
        .toReversed()
        .map((unit) => ({
          argv: systemctl('disable', '--now', unit),
          why: unit.endsWith('.socket') ? 'listens no more' : 'ends it; agents live on',
          mayFail: true,
          ends: true,
        })),
    afterRemoval: (spec) => [reload, forget([socketOf(spec), unitOf(spec)])],
    async stateOf(spec) {
      const [shown, socket, enabled] = await Promise.all([
        system.run(systemctl('show', unitOf(spec), '--property=ActiveState,MainPID')),
        system.run(systemctl('show', socketOf(spec), '--property=ActiveState,Listen')),
        system.run(systemctl('is-enabled', unitOf(spec))),
      ])
      const pid = Number(/^MainPID=(\d+)$/m.exec(shown.out)?.[1] ?? 0)
      return {
        enabled: enabled.code === null ? null : enabled.out.trim() === 'enabled',
        running: isActive(shown.out),
        listens: isActive(socket.out) ? (/^Listen=(\S+) \(Stream\)$/m.exec(socket.out)?.[1] ?? null) : null,
        pid: pid === 0 ? null : pid,
      }
    },
    logOf: (spec) => `journalctl --user -u ${spec.name}`,
    advice: () => lingerAdvice(system),
  }
}

const isActive = (shown: string): boolean => /^ActiveState=(active|reloading)$/m.test(shown)

/**
 * Has systemd listen no more at a socket that it handed over, unless it starts the service anew: another engine takes
 * the address, or a person who ended this one does not want the next agent that comes to start it again.
 */
export async function letGoOf(socket: string, handsOver: boolean, { run }: Pick<ServiceSystem, 'run'>): Promise<void> {
  const service = socket.replace(/\.socket$/, '.service')
  const jobs = handsOver ? '' : (await run(systemctl('list-jobs', '--no-legend'))).out
  if (jobs.split('\n').some((line) => line.includes(` ${service} `) && / restart /.test(line))) return
  // systemd closes it after the service that it stops, which is this one: a wait for it would last forever.
  await run(handsOver ? systemctl('stop', socket) : systemctl('stop', '--no-block', socket))
}

/** Without lingering, systemd starts the person's services at the first login and ends them with the last. */
async function lingerAdvice(system: ServiceSystem): Promise<readonly Advice[]> {
  const { code, out } = await system.run(['loginctl', 'show-user', system.user, '--property=Linger', '--value'])
  if (code === 0 && out.trim() === 'yes') return []
  return [
    {
      say:
        'It runs while you are logged in: the last logout ends it and every ' +
        'agent. To start it with the machine and keep it without a login:',
      command: `loginctl enable-linger ${system.user}`,
    },
  ]
}

function unitText(spec: ServiceSpec): string {
  const [program = '', ...args] = spec.argv
  const environment = Object.entries(spec.env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`)
  const socket = listenOf(spec) === null ? [] : [`Sockets=${socketOf(spec)}`]
  const hopeless = [exitCodes.usage, exitCodes.refused, exitCodes.engineRuns].map(({ code }) => code).join(' ')
  return seal(`# ${sealLine(spec.version)}
# A change made here by hand is kept: onward service install and uninstall then ask for --force.

[Unit]
Description=Onward keeps coding agents going
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${[quoted(program), ...args.map((arg) => quoted(arg.replaceAll('$', '$$$$')))].join(' ')}
${[...socket, ...environment].join('\n')}
Restart=on-failure
RestartSec=5
# Another engine holds the home, or it may not start at all: trying again changes nothing.
RestartPreventExitStatus=${hopeless}
# Terminals and the agents in them are processes of this unit that outlive the engine.
KillMode=process
# One agent that runs out of memory does not take the engine along.
OOMPolicy=continue
# Answers under way run to their ends (server.drainSeconds, at most 120).
TimeoutStopSec=135
# No provider key ends in a core dump; who wants dumps in a terminal raises the limit there (ulimit -c).
LimitCORE=0:infinity
# Nothing that needs NoNewPrivileges, a private /tmp or another umask: agents' terminals would get it as well.

[Install]
WantedBy=default.target
`)
}

function socketText(spec: ServiceSpec): string | null {
  const listens = listenOf(spec)
  if (listens === null) return null
  return seal(`# ${sealLine(spec.version)}
# A change made here by hand is kept: onward service install and uninstall then ask for --force.

[Unit]
Description=Where agents reach Onward, also while it is started anew

[Socket]
ListenStream=${listens}

[Install]
WantedBy=sockets.target
`)
}

/** As one word of a unit file: `%` begins a specifier there. */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`
