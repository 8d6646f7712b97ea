/** A unit of the person's own systemd (systemd.unit(5), systemd.service(5), systemd.exec(5), systemd.kill(5)). */
import { join } from 'node:path'
import { exitCodes } from '../exit.ts'
import { seal, sealLine } from './seal.ts'
import type { Advice, ServiceManager, ServiceSpec, ServiceSystem, Step } from './types.ts'

const unitOf = ({ name }: ServiceSpec): string => `${name}.service`
const systemctl = (...words: string[]): string[] => ['systemctl', '--user', ...words]

export function systemdManager(system: ServiceSystem): ServiceManager {
  const { env } = system
  const folder = join(env.XDG_CONFIG_HOME || join(env.HOME ?? '/', '.config'), 'systemd', 'user')
  const reload: Step = { argv: systemctl('daemon-reload'), why: 'reads the unit' }
  return {
    kind: 'systemd',
    title: 'systemd user unit',
    fileOf: (spec) => join(folder, unitOf(spec)),
    textOf: unitText,
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
    start: (spec) => [
      reload,
      { argv: systemctl('enable', unitOf(spec)), why: 'starts it at each login' },
      { argv: systemctl('restart', unitOf(spec)), why: 'starts it now' },
    ],
    stop: (spec) => [
      { argv: systemctl('disable', '--now', unitOf(spec)), why: 'ends it; agents live on', mayFail: true },
    ],
    afterRemoval: (spec) => [
      reload,
      { argv: systemctl('reset-failed', unitOf(spec)), why: 'forgets that it failed, if it did', mayFail: true },
    ],
    async stateOf(spec) {
      const [shown, enabled] = await Promise.all([
        system.run(systemctl('show', unitOf(spec), '--property=ActiveState,MainPID')),
        system.run(systemctl('is-enabled', unitOf(spec))),
      ])
      const pid = Number(/^MainPID=(\d+)$/m.exec(shown.out)?.[1] ?? 0)
      return {
        enabled: enabled.code === null ? null : enabled.out.trim() === 'enabled',
        running: /^ActiveState=(active|reloading)$/m.test(shown.out),
        pid: pid === 0 ? null : pid,
      }
    },
    logOf: (spec) => `journalctl --user -u ${spec.name}`,
    advice: () => lingerAdvice(system),
  }
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
${environment.join('\n')}
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

/** As one word of a unit file: `%` begins a specifier there. */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`
