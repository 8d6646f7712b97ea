/** A launch agent of the person on macOS (launchd.plist(5), launchctl(1)). */
import { join } from 'node:path'
import { seal, sealLine } from './seal.ts'
import type { ServiceManager, ServiceSpec, ServiceSystem } from './types.ts'
import { xml } from './xml.ts'

const labelOf = ({ name }: ServiceSpec): string => `dev.${name.replace('onward', 'onward.serve')}`

export function launchdManager(system: ServiceSystem): ServiceManager {
  const domain = `gui/${system.uid}`
  const fileOf = (spec: ServiceSpec) =>
    join(system.env.HOME ?? '/', 'Library', 'LaunchAgents', `${labelOf(spec)}.plist`)
  const out = (spec: ServiceSpec) => ({
    argv: ['launchctl', 'bootout', `${domain}/${labelOf(spec)}`],
    why: 'ends it; agents live on',
    mayFail: true,
    ends: true,
  })
  return {
    kind: 'launchd',
    title: 'launch agent',
    filesOf: (spec) => [{ path: fileOf(spec), text: plistText(spec) }],
    async unusable() {
      const { code, err } = await system.run(['launchctl', 'print', domain])
      if (code === 0) return null
      return {
        why: `launchd does not answer for ${system.user}: ${err.trim() || `it ended with ${code ?? 'nothing'}`}.`,
        hint: 'It does for whoever is logged in at the screen of this Mac.',
      }
    },
    start: (spec) => [
      { ...out(spec), why: 'ends the one before, if there is one' },
      { argv: ['launchctl', 'enable', `${domain}/${labelOf(spec)}`], why: 'starts it at each login' },
      { argv: ['launchctl', 'bootstrap', domain, fileOf(spec)], why: 'starts it now' },
    ],
    stop: (spec) => [out(spec)],
    afterRemoval: () => [],
    async stateOf(spec) {
      const [{ code, out: text }, disabled] = await Promise.all([
        system.run(['launchctl', 'print', `${domain}/${labelOf(spec)}`]),
        system.run(['launchctl', 'print-disabled', domain]),
      ])
      const pid = Number(/^\s*pid = (\d+)$/m.exec(text)?.[1] ?? 0)
      const off = disabled.out
        .split('\n')
        .some((line) => /=> (true|disabled)$/.test(line) && line.includes(`"${labelOf(spec)}"`))
      return { enabled: code === 0 && !off, running: pid !== 0, pid: pid === 0 ? null : pid, listens: null }
    },
    logOf: ({ home }) => logFile(home),
    advice: async () => [
      { say: 'It runs while you are logged in: launchd ends it, and every agent, with your login.', command: null },
    ],
  }
}

const logFile = (home: string): string => join(home, 'logs', 'service.log')

/** launchd has no limit to restarts, only a least time between them. */
function plistText(spec: ServiceSpec): string {
  const string = (text: string) => `<string>${xml(text)}</string>`
  const environment = Object.entries(spec.env).map(
    ([name, value]) => `    <key>${xml(name)}</key>\n    ${string(value)}`,
  )
  return seal(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${sealLine(spec.version)} -->
<plist version="1.0">
<dict>
  <key>Label</key>
  ${string(labelOf(spec))}
  <key>ProgramArguments</key>
  <array>
${spec.argv.map((word) => `    ${string(word)}`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${environment.join('\n')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>30</integer>
  <!-- Answers under way run to their ends (server.drainSeconds, at most 120). -->
  <key>ExitTimeOut</key>
  <integer>135</integer>
  <!-- Terminals and the agents in them outlive the engine. -->
  <key>AbandonProcessGroup</key>
  <true/>
  <!-- Agents are started by it: they are not to be slowed down as background work. -->
  <key>ProcessType</key>
  <string>Interactive</string>
  <key>StandardErrorPath</key>
  ${string(logFile(spec.home))}
</dict>
</plist>
`)
}
