import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { agentFinding } from '../../../../shared/control/agent-finding.ts'
import type { DoctorFinding } from '../../../../shared/doctor.ts'
import { systemCodeOf, messageOf } from '../../../engine/base/errors.ts'
import { lastCrash } from '../../../engine/records/crash-shelf.ts'
import { whyFailed } from '../../../engine/store/store-failed.ts'
import { standingOf, VERSION_WITHIN_MS, versionIn } from '../../../engine/terminals/agents/version.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { checkEngine } from '../../doctor/engine.ts'
import { checkHome } from '../../doctor/home.ts'
import { type Check, bad, good } from '../../doctor/types.ts'
import { withEngine } from '../../engine.ts'
import { exitCodes } from '../../exit.ts'
import { findProgram } from '../../launch/find-program.ts'
import { runProgram } from '../../launch/run-program.ts'
import { lines, oneLine } from '../../output/clean.ts'
import { plural, printJson, wordsOf } from '../../output/print.ts'
import { pad, widthOf } from '../../output/width.ts'
import { asCalled } from '../../own-lines.ts'
import { engineOf, wantsJson, type EnginePlace } from '../../place.ts'
import { agentEntries, type AgentEntry } from '../agents/agents.ts'
import { configFile, sayProblem } from '../settings/config-file.ts'

export function addDoctor(program: Command, cli: Cli): void {
  const command = program
    .command('doctor')
    .summary('what is wrong here, and how to mend it')
    .description(
      'Looks at this machine, the home, the engine and its providers, ' +
        'and says how to mend what is wrong. Changes nothing. With `--on`: what the engine of that machine sees.',
    )
  examples(withCommon(command), [
    ['onward doctor', 'all checks'],
    ["onward doctor --json | jq '.[] | select(.ok | not)'", 'only what is wrong'],
  ])
  command.action(async () => {
    const { machine, ...place } = engineOf(command, cli)
    const findings = machine
      ? await checkThere({ ...place, machine })
      : (await Promise.all(checks.map((check) => check(place, cli)))).flat()
    const wrong = findings.filter(({ ok }) => !ok).length
    if (wrong > 0) cli.exitWith(exitCodes.failed.code)
    if (wantsJson(command)) return printJson(cli, findings)
    const { style } = wordsOf(cli)
    const width = Math.max(...findings.map(({ check }) => widthOf(oneLine(check))))
    for (const { check, ok, say, mend } of findings) {
      cli.out(
        `${ok ? style.shape('done', '✓') : style.shape('failed', '▲')} ` +
          `${style.quiet(pad(oneLine(check), width))}  ${oneLine(asCalled(say, cli.command()))}\n`,
      )
      for (const line of mend === null ? [] : lines(asCalled(mend, cli.command())))
        cli.out(`  ${' '.repeat(width)}  ${line}\n`)
    }
    cli.out(wrong === 0 ? '\nNothing to mend.\n' : `\n${plural(wrong, 'thing')} to mend.\n`)
  })
}

/** Its Node, home and tmux are not seen from here; what its engine needs of them, that says itself. */
async function checkThere(place: EnginePlace): Promise<readonly DoctorFinding[]> {
  return withEngine(place, async (calls) => {
    const { version, host, port, pid } = await calls.status.query()
    const [found, agents] = await Promise.all([calls.doctor.query(), calls.agents.query()])
    const titleOf = (client: string) => agentEntries.find((entry) => entry.client === client)?.title ?? client
    return [
      good('engine', `Onward ${version} answers at http://${host}:${port} there, pid ${pid}.`),
      ...found,
      ...agents.map((agent) => agentFinding(titleOf(agent.client), agent)),
    ]
  })
}

export const checkAgents: Check = async (_place, cli) => {
  const found = (await Promise.all(agentEntries.map((entry) => inspect(entry, cli)))).filter((one) => one !== null)
  return found.length > 0
    ? found
    : [
        bad(
          'agents',
          'No agent was found on this PATH or the login shell’s.',
          agentEntries.map(({ install }) => install.replace('Install it: ', '')).join('\n'),
        ),
      ]
}

async function inspect({ client, program, title, needs }: AgentEntry, cli: Cli): Promise<DoctorFinding | null> {
  const path = await findProgram(program, cli)
  if (path === null) return null
  const { code, late, stdout } = await runProgram(path, ['--version'], { timeoutMs: VERSION_WITHIN_MS })
  if (code !== 0 && !late)
    return bad(
      `agent ${client}`,
      `${title} at ${path} does not start.`,
      needs === undefined
        ? `Try \`${program} --version\`, and install it again.`
        : `It needs ${needs}: see \`node --version\`. Else try \`${program} --version\`, and install it again.`,
    )
  const version = late ? null : versionIn(stdout)
  return agentFinding(title, { client, path, version, standing: standingOf(client, version) })
}

export const checkConfigFile: Check = async ({ home }, cli) => {
  const file = configFile(home)
  try {
    const problems = await cli.parts.checkConfig(await readFile(file, 'utf8'))
    if (problems.length === 0) return [good('config', `${file} is right.`)]
    return problems.map((problem) =>
      bad(
        'config',
        `Line ${problem.line}: ${sayProblem(problem)}`,
        `Edit ${file}; it is taken over as soon as it is right.`,
      ),
    )
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT')
      return [good('config', 'No config file: the defaults hold, and the simulator answers.')]
    return [bad('config', `${file} can’t be read: ${whyFailed(error)}.`, 'Check its permissions.')]
  }
}

/** Longer ago it says nothing of the Onward of today. */
const countsForMs = 7 * 24 * 3_600_000

export const checkCrash: Check = async ({ home }, cli) => {
  const crash = lastCrash(home)
  if (crash === null || cli.now() - crash.at > countsForMs) return []
  return [
    bad(
      'crash',
      crash.report.split('\n', 1)[0] ?? '',
      `Send ${crash.path} with a report of the fault; it holds no keys and no texts of agents. Then delete it.`,
    ),
  ]
}

/** Not spelled out in the import: only whether it loads matters here, and its alias has no types of its own name. */
const moduleName: string = 'node-pty'

/** Its native part is prebuilt for common systems only. Without it tmux still works. */
export const checkNodePty: Check = async () => {
  try {
    const pty: unknown = await import(/* @vite-ignore */ moduleName)
    if (typeof pty !== 'object' || pty === null || !('spawn' in pty)) throw new Error('it has no spawn')
    return [good('terminals', 'Terminals can be hosted (node-pty loads).')]
  } catch (error) {
    return [
      bad(
        'terminals',
        `node-pty does not load: ${messageOf(error)}`,
        'Run `npm ci` again on this machine. Until then start agents inside tmux.',
      ),
    ]
  }
}

/** `engines` of package.json */
const least = [20, 19]

export const checkNode: Check = async () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const enough = major > (least[0] ?? 0) || (major === least[0] && minor >= (least[1] ?? 0))
  return [
    enough
      ? good('node', `Node.js ${process.versions.node}`)
      : bad('node', `Node.js ${process.versions.node} is too old.`, `Install Node.js ${least.join('.')} or newer.`),
  ]
}

/** `paste-buffer -p` and `#{pane_pipe}` are older; `new-session -e` came with 3.2 */
const leastTmux = 3.2

export const checkTmux: Check = async (_place, cli) => {
  if (cli.platform === 'win32') return []
  const tmux = await findProgram('tmux', cli)
  // the PTY wrapper does without
  if (!tmux) return [good('tmux', 'tmux is not installed; agents run in Onward’s own wrapper instead.')]
  const { stdout } = await runProgram(tmux, ['-V'])
  const version = Number.parseFloat(/(\d+\.\d+)/.exec(stdout)?.[1] ?? '')
  if (Number.isNaN(version) || version >= leastTmux) return [good('tmux', `${stdout.trim() || 'tmux'} at ${tmux}`)]
  return [bad('tmux', `${stdout.trim()} is older than ${leastTmux}.`, 'Update tmux, or start agents outside of it.')]
}

const checks: readonly Check[] = [
  checkNode,
  checkHome,
  checkConfigFile,
  checkEngine,
  checkCrash,
  checkTmux,
  checkNodePty,
  checkAgents,
]
