/** A scheduled task on Windows: its definition by the Task Scheduler schema, registered with schtasks. */
import { win32 } from 'node:path'
import { seal, sealLine } from './seal.ts'
import type { ServiceManager, ServiceSpec, ServiceSystem } from './types.ts'
import { xml } from './xml.ts'

const taskOf = ({ name }: ServiceSpec): string => `\\${name}`

export function taskSchedulerManager(system: ServiceSystem): ServiceManager {
  const fileOf = (spec: ServiceSpec) => win32.join(spec.home, 'service', `${spec.name}.xml`)
  const account = system.env.USERDOMAIN ? `${system.env.USERDOMAIN}\\${system.user}` : system.user
  return {
    kind: 'task-scheduler',
    title: 'scheduled task',
    filesOf: (spec) => [{ path: fileOf(spec), text: taskText(spec, account) }],
    async unusable() {
      const { code, err } = await system.run(['schtasks', '/Query', '/FO', 'CSV', '/NH'])
      if (code === 0) return null
      return { why: `The Task Scheduler does not answer: ${err.trim()}.`, hint: 'Start its service, then try again.' }
    },
    start: (spec) => [
      {
        argv: ['schtasks', '/Create', '/TN', taskOf(spec), '/XML', fileOf(spec), '/F'],
        why: 'starts it at each login',
      },
      { argv: ['schtasks', '/Run', '/TN', taskOf(spec)], why: 'starts it now' },
    ],
    stop: (spec) => [
      { argv: ['schtasks', '/End', '/TN', taskOf(spec)], why: 'ends it', mayFail: true },
      { argv: ['schtasks', '/Delete', '/TN', taskOf(spec), '/F'], why: 'removes the task', mayFail: true },
    ],
    afterRemoval: () => [],
    async stateOf(spec) {
      // schtasks words the state in the system's language; this prints the name of a value, which is the same in all
      const { code, out } = await system.run([
        'powershell',
        '-NoProfile',
        '-NonInteractive',
        '-Command',
        `(Get-ScheduledTask -TaskPath '\\' -TaskName '${spec.name}' -ErrorAction Stop).State.ToString()`,
      ])
      const state = code === 0 ? out.trim() : null
      return { enabled: state !== null && state !== 'Disabled', running: state === 'Running', pid: null, listens: null }
    },
    logOf: ({ home }) => win32.join(home, 'logs'),
    advice: async () => [
      {
        say: 'It runs while you are logged in, in a console window of its own; closing that ends the engine.',
        command: null,
      },
    ],
  }
}

/** Tasks take no variables: the home stands in the command line. Priority 7, the usual one, would slow agents down. */
function taskText(spec: ServiceSpec, account: string): string {
  const [program = '', ...args] = spec.argv
  return seal(`<?xml version="1.0"?>
<!-- ${sealLine(spec.version)} -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Onward keeps coding agents going</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${xml(account)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${xml(account)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>5</Count>
    </RestartOnFailure>
    <Priority>5</Priority>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xml(program)}</Command>
      <Arguments>${xml(args.map(windowsWord).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`)
}

/** As a C program takes its command line apart: backslashes count only before a quote. */
const windowsWord = (word: string): string =>
  /^[^\s"]+$/.test(word) ? word : `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
