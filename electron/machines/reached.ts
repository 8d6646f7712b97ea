import { fitOf } from '../../shared/control/contract.ts'
import type { ReachedMachine } from '../../shared/machines.ts'
import type { Link } from './open-link.ts'

/** The engine that a line leads to, without its token: this is shown. */
export const reachedOver = ({ machine, started, version, engine }: Link, ms: number): ReachedMachine => ({
  machine: machine.name,
  target: machine.target,
  ms,
  started,
  version,
  engine: { pid: engine.pid, host: engine.host, port: engine.port, version: engine.version },
  fit: fitOf(engine.contract),
})
