import type { Command } from 'commander'
import { findRunningEngine, type EngineInfo } from '../../../engine/control/attach.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError } from '../../exit.ts'
import { adviceText, installText } from '../../output/service-text.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { findService, isAsItWouldBe, isInTheWay, isOurs, type FoundFiles } from '../../service/found.ts'
import { installService, keptAs } from '../../service/install.ts'
import { passing } from '../../service/spec.ts'
import { refuseNewer, takeOver } from '../../take-over.ts'
import { agreed, servicePlace, withAsking, type ServiceOptions, type ServicePlace } from './service-place.ts'

const readyWithinMs = 20_000
const pollMs = 100

export function addServiceInstall(service: Command, cli: Cli): void {
  const command = withAsking(
    service
      .command('install')
      .summary('run the engine at each login')
      .description(
        'Writes the service of this home, starts it, and lets the system ' +
          'start it at each login. Once more: brings it up to date. ' +
          'It starts the Node and the Onward that run this command, with ' +
          'the PATH of your login shell, so that agents are found.',
      ),
  )
  examples(withCommon(command), [
    ['onward service install', 'shows what it writes and runs, and asks'],
    ['onward service install --dry-run', 'only shows it'],
    ['onward service install --yes --port 5600', 'without asking, on another port'],
  ])
  command.action(() => installHere(command, cli))
}

async function installHere(command: Command, cli: Cli): Promise<void> {
  const options = command.opts<ServiceOptions>()
  const json = wantsJson(command)
  const words = wordsOf(cli)
  const place = await servicePlace(command, cli)
  const { spec, on } = place
  const found = await findService(spec, on.manager, on.system)
  const engine = await findRunningEngine(spec.home)
  await refuse(place, found, engine, options, cli)
  const state = await on.manager.stateOf(spec)
  const own = engine !== null && (engine.service === true || engine.pid === state.pid)
  const upToDate = engine !== null && engine.version === cli.version
  const [{ path: file, text }, socket] = found
  const listener = socket?.text ? { file: socket.path, text: socket.text } : null
  const done = { file, text, socket: listener, advice: await on.manager.advice() }
  const listens = listener === null || state.listens !== null
  if (found.every(isAsItWouldBe) && listens && state.running && state.enabled !== false && own && upToDate) {
    if (json) return printJson(cli, { ...done, written: false, engine: said(engine) })
    cli.out(`${words.style.shape('done', '✓')} It is installed and runs: nothing to do.\n`)
    return cli.out(adviceText(done.advice, words))
  }
  const now = cli.now()
  const changes = found.filter((one) => one.text !== null || isOurs(one))
  const kept = changes.flatMap((one) => keptAs(spec, one, now) ?? [])
  const ends = own ? null : engine
  const steps = on.manager.start(spec, state)
  const files = changes.map((one) => ({ ...one, replaces: one.before !== null }))
  if (!json) cli.out(installText({ manager: on.manager, files, kept, ends, steps }, words))
  if (options.dryRun) {
    const would = steps.map(({ argv }) => argv)
    return json ? printJson(cli, { ...done, written: false, would, ends: ends?.pid ?? null }) : undefined
  }
  if (!agreed('Write and run this?', options, cli, json)) return cli.out('Nothing was changed.\n')
  // The service's new engine holds the agents' connections until the last answer of the old one is out.
  if (ends !== null) await takeOver(placeOf(command, cli), cli, 'ends')
  await installService({ spec, found, state, now, ...on })
  const runs = await ready(place, engine)
  if (json) return printJson(cli, { ...done, written: true, kept: kept[0] ?? null, engine: said(runs) })
  if (runs)
    cli.out(
      `${words.style.shape('done', '✓')} The engine runs at http://` +
        `${runs.host}:${runs.port}. A page of it: onward dashboard\n`,
    )
  else
    cli.out(
      `${words.style.shape('needs', '◆')} It is installed, its ` +
        `engine does not answer yet. Why: ${on.manager.logOf(spec)}\n`,
    )
  if (runs && ends && runs.port !== ends.port)
    cli.out(
      `${words.style.shape('needs', '◆')} Agents that were started before look ` +
        `for it on port ${ends.port}: onward service install --port ${ends.port}\n`,
    )
  cli.out(adviceText(done.advice, words))
}

const said = (engine: EngineInfo | null) => engine && { pid: engine.pid, port: engine.port, version: engine.version }

/** @throws CliError before anything is shown or written */
async function refuse(
  { spec, on }: ServicePlace,
  found: FoundFiles,
  engine: EngineInfo | null,
  { force }: ServiceOptions,
  cli: Cli,
): Promise<void> {
  const goes = passing(spec)
  if (goes !== null) throw new CliError('refused', goes, { code: 'service-path' })
  const unusable = await on.manager.unusable()
  if (unusable) throw new CliError('failed', unusable.why, { code: 'service-manager', hint: unusable.hint })
  if (engine) refuseNewer(engine, cli.version)
  const wrong = found.find(isInTheWay)
  if (force || !wrong) return
  const { path: file, held } = wrong
  throw new CliError(
    'refused',
    held === 'foreign' ? `${file} is not Onward’s.` : `${file} was changed by hand since Onward wrote it.`,
    { code: `service-${held}`, hint: 'It is left as it is. To replace it, with a copy kept in the home: --force.' },
  )
}

/** The engine after the one before; null: it did not come in time. */
async function ready({ spec, on }: ServicePlace, before: EngineInfo | null): Promise<EngineInfo | null> {
  for (let waited = 0; waited < readyWithinMs; waited += pollMs) {
    const info = await findRunningEngine(spec.home)
    if (info && info.pid !== before?.pid) return info
    if (info?.endsBy !== undefined) waited = 0
    await on.system.pause(pollMs)
  }
  return null
}
