import { isNewer } from '../../../shared/newer-version.ts'
import { findRunningEngine } from '../../engine/control/attach.ts'
import type { Cli } from '../cli.ts'
import { findService, isAsItWouldBe, isInTheWay, isOurs, type FoundFiles } from './found.ts'
import type { Advice, ServiceManager, ServiceSpec, ServiceState, ServiceSystem } from './types.ts'

export interface ServiceStatus {
  service: ServiceManager['kind']
  name: string
  file: string
  /** where the system listens for it, and the file that says so; null: it listens itself */
  socket: { file: string; listens: string | null } | null
  /** `changed`: by hand; `foreign`: the file there is not ours */
  installed: 'no' | 'yes' | 'changed' | 'foreign'
  enabled: boolean | null
  running: boolean
  pid: number | null
  /** what would be started now; null: the installed file says it differently, see there */
  command: readonly string[] | null
  log: string
  /** of the Onward that wrote it */
  version: string | null
  engine: { pid: number; version: string; service: boolean } | null
  /** what is wrong, and how to mend it */
  problems: readonly { say: string; mend: string }[]
  advice: readonly Advice[]
}

export async function serviceStatus(
  spec: ServiceSpec,
  cli: Cli,
  { manager, system }: { manager: ServiceManager; system: ServiceSystem },
): Promise<ServiceStatus> {
  const found = await findService(spec, manager, system)
  const [main, socket] = found
  const installed = installedOf(found)
  const ours = isOurs(main)
  const nothing: ServiceState = { enabled: null, running: false, pid: null, listens: null }
  const [{ listens, ...state }, engine] = await Promise.all([
    ours ? manager.stateOf(spec) : nothing,
    findRunningEngine(spec.home),
  ])
  const status: Omit<ServiceStatus, 'problems'> = {
    service: manager.kind,
    name: spec.name,
    file: main.path,
    socket: socket && isOurs(socket) ? { file: socket.path, listens } : null,
    installed,
    ...state,
    command: found.every(isAsItWouldBe) ? spec.argv : null,
    log: manager.logOf(spec),
    version: main.version,
    engine: engine && { pid: engine.pid, version: engine.version, service: engine.service ?? false },
    advice: ours ? await manager.advice() : [],
  }
  return { ...status, problems: problemsOf(status, cli.version) }
}

function installedOf(found: FoundFiles): ServiceStatus['installed'] {
  const [{ held }] = found
  if (held === 'none') return 'no'
  const inTheWay = found.filter(isInTheWay).map((file) => file.held)
  return inTheWay.includes('foreign') ? 'foreign' : inTheWay.includes('changed') ? 'changed' : 'yes'
}

function problemsOf(status: Omit<ServiceStatus, 'problems'>, own: string): ServiceStatus['problems'] {
  const { installed, enabled, running, command, version, engine, log, socket } = status
  const again = 'onward service install'
  if (installed === 'no') return []
  if (installed === 'foreign')
    return [{ say: 'The file there is not Onward’s: it is left alone.', mend: `${again} --force keeps a copy of it` }]
  const problems: { say: string; mend: string }[] = []
  if (installed === 'changed')
    problems.push({ say: 'It was changed by hand, and is kept like that.', mend: `${again} --force writes it anew` })
  else if (version !== null && isNewer(own, version))
    problems.push({ say: `It was written by Onward ${version}; this is ${own}.`, mend: again })
  else if (command === null)
    problems.push({
      say: 'This Onward, the PATH of your shell or the config’s port is another than it starts with.',
      mend: again,
    })
  if (enabled === false) problems.push({ say: 'It is not started at login.', mend: again })
  if (!running)
    problems.push(
      engine
        ? { say: `It does not run: the engine of pid ${engine.pid} holds the home.`, mend: again }
        : { say: 'It does not run.', mend: `why: ${log}; start it: ${again}` },
    )
  else if (socket?.listens === null)
    problems.push({ say: 'Nobody listens for it while it is started anew.', mend: again })
  else if (engine && engine.version !== own)
    problems.push({ say: `Its engine is Onward ${engine.version}; this is ${own}.`, mend: again })
  return problems
}
