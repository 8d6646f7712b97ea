import type { Command } from 'commander'
import { machineOf, type Machine } from '../../../machines/machine.ts'
import { addMachine, changeMachine, machineNamed, readMachines } from '../../../machines/machines-file.ts'
import { OnwardError } from '../../../engine/base/errors.ts'
import type { Cli, Installer } from '../../cli.ts'
import { withControl } from '../../client.ts'
import { described } from '../../command.ts'
import { findTarget } from '../../engine.ts'
import { oneLine } from '../../output/clean.ts'
import { rows, facts } from '../../output/columns.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { reach, reachedText } from './remote-reached.ts'
import { agreed, type ServiceOptions } from './service-place.ts'
import type { InstallPlan, ReachedMachine } from '../../../../shared/machines.ts'

export function addRemote(program: Command, cli: Cli): void {
  const command = described(program, {
    usage: 'remote',
    summary: 'other machines over SSH: add, install, list, remove, test',
    description:
      'Other machines whose engines `--on` asks. They are reached by this system’s `ssh`, with your own config, ' +
      'agent, keys and jump hosts; nothing is opened on either side. Onward has to be there (Linux, macOS), or is ' +
      'installed from here.',
    examples: [
      ['onward remote add devbox ada@devbox.example', 'by an address, or a host of your ssh config'],
      ['onward remote test devbox --start', 'is it there; starts its engine'],
      ['onward --on devbox status', 'any command that asks an engine'],
    ],
  })
  const list = () => printList(command, cli)
  command.action(list)
  addAdd(command, cli)
  const listed = described(command, {
    usage: 'list',
    summary: 'those that were added',
    description: 'Lists the machines that were added, and asks none of them.',
    examples: [["onward remote list --json | jq '.[].name'", 'their names']],
  })
  listed.action(() => printList(listed, cli))
  addRemove(command, cli)
  addNotices(command, cli)
  addTest(command, cli)
  addInstall(command, cli)
}

async function printList(command: Command, cli: Cli): Promise<void> {
  const machines = await readMachines(placeOf(command, cli).home)
  if (wantsJson(command)) return printJson(cli, machines)
  if (machines.length === 0) {
    cli.out(`No machine was added. Add one: ${cli.command()} remote add <name> user@host\n`)
    return
  }
  const { style, columns } = wordsOf(cli)
  cli.out(
    rows<Machine>(
      machines,
      [
        { text: ({ name }) => name, paint: style.strong },
        { text: ({ target }) => target, gives: 10 },
        { text: ({ program }) => program ?? '', paint: style.quiet },
      ],
      columns,
    ),
  )
}

function addAdd(parent: Command, cli: Cli): void {
  const command = described(parent, {
    usage: 'add <name> [target]',
    takes: [
      'what it is called here',
      'for ssh: a host of your ssh config, user@host, or ssh://user@host:port; default: the name',
    ],
    summary: 'one more, and whether it answers',
    description:
      'Keeps a machine under a name, and tries to reach its engine. It stays added when that fails. ' +
      'Where it has no Onward, its installation is shown and offered (see `onward remote install`).',
    options: [
      ['--program <path>', 'where `onward` is there, if it is not on the PATH of its login shell'],
      ['--install', 'install Onward without asking, where there is none'],
    ],
    examples: [
      ['onward remote add devbox', 'a host of your ssh config'],
      ['onward remote add gpu ssh://ada@gpu.example:2222', 'with a port'],
      ['onward remote add nas ada@nas --program ~/.local/bin/onward', 'where its PATH does not have it'],
    ],
  })
  command.action(async (name: string, target: string | undefined) => {
    const { program = null, install } = command.opts<{ program?: string; install?: boolean }>()
    const { home } = placeOf(command, cli)
    const machine = machineOf({ name, target: target ?? name, program })
    await addMachine(home, machine)
    await tellEngine(command, cli)
    const json = wantsJson(command)
    const { style } = wordsOf(cli)
    if (!json) cli.out(`${style.shape('done', '✓')} Added ${style.strong(name)} ${style.quiet(machine.target)}\n`)
    try {
      const reached = await reach(machine, home, cli)
      if (json) return printJson(cli, { added: name, reached, problem: null })
      cli.out(reachedText(reached, cli))
    } catch (error) {
      if (!OnwardError.isInstance(error)) throw error
      const { code, message } = error
      if (!json) cli.out(`${style.shape('failed', '▲')} ${oneLine(message)}\n`)
      const missing = code === 'machine-no-onward' && program === null
      const offered = missing ? await offerInstall(machine, home, cli, { json, install }) : { reached: null }
      if (offered.reached) await tellEngine(command, cli)
      if (json) printJson(cli, { added: name, problem: offered.reached ? null : { code, message }, ...offered })
      else if (offered.reached) cli.out(reachedText(offered.reached, cli))
    }
  })
}

function addRemove(parent: Command, cli: Cli): void {
  const command = described(parent, {
    usage: 'remove <machine>',
    takes: ['its name'],
    summary: 'forget one',
    description: 'Forgets a machine here. Nothing is done there: its engine and its agents go on.',
    examples: [['onward remote remove devbox', 'it is no longer known here']],
  })
  command.action(async (name: string) => {
    const { home } = placeOf(command, cli)
    const machine = await changeMachine(home, name, null)
    await tellEngine(command, cli)
    if (wantsJson(command)) return printJson(cli, { removed: machine.name })
    cli.out(`${machine.name} is no longer known here. Nothing was done there.\n`)
  })
}

function addNotices(parent: Command, cli: Cli): void {
  const command = described(parent, {
    usage: 'notices <machine> <switch>',
    takes: ['its name', ['on: they come here; off: they stay there', ['on', 'off']]],
    summary: 'do its notifications come here',
    description: 'Says whether notifications of a machine are shown here, too. They are until you say otherwise.',
    examples: [['onward remote notices devbox off', 'only what happens here is told here']],
  })
  command.action(async (name: string, to: string) => {
    const { home } = placeOf(command, cli)
    await changeMachine(home, name, { quiet: to === 'off' })
    await tellEngine(command, cli)
    if (wantsJson(command)) return printJson(cli, { machine: name, notices: to === 'on' })
    cli.out(`Notifications of ${name} ${to === 'on' ? 'come here' : 'stay there'}.\n`)
  })
}

function addTest(parent: Command, cli: Cli): void {
  const command = described(parent, {
    usage: 'test <machine>',
    takes: ['its name'],
    summary: 'does it answer; start its engine',
    description: 'Reaches a machine and its engine as `--on` does, and says what is there, or what is in the way.',
    options: [['--start', 'start its engine in the background, where none runs']],
    examples: [
      ['onward remote test devbox', 'its versions, and how long it took'],
      ['onward remote test devbox --start', 'with an engine from then on'],
    ],
  })
  command.action(async (name: string) => {
    const { home } = placeOf(command, cli)
    const { start } = command.opts<{ start?: boolean }>()
    const reached = await reach(await machineNamed(home, name), home, cli, { start: start === true })
    await tellEngine(command, cli)
    if (wantsJson(command)) return printJson(cli, reached)
    cli.out(reachedText(reached, cli))
  })
}

/** One that runs here follows what is in the file by now; where none does, the next one reads it. */
async function tellEngine(command: Command, cli: Cli): Promise<void> {
  const target = await findTarget(placeOf(command, cli))
  // an engine of before there were machines has nothing to look at
  if (target) await withControl(target, (calls) => calls.machinesChanged.mutate()).catch(() => undefined)
}

function addInstall(parent: Command, cli: Cli): void {
  const command = described(parent, {
    usage: 'install <machine>',
    takes: ['its name'],
    summary: 'this Onward on a machine without one',
    description:
      'Copies this very Onward over ssh into your home folder there, without root, tries it, puts it in its place ' +
      'and starts its engine. Shows it first, with how it is removed. Node.js 20.19 has to be there. One that was ' +
      'installed in this way and is older is replaced.',
    options: [
      ['--yes', 'without asking'],
      ['--dry-run', 'show it, and do nothing'],
    ],
    examples: [
      ['onward remote install devbox', 'shows what it does there, and asks'],
      ['onward remote install devbox --dry-run', 'only shows it'],
    ],
  })
  command.action(async (name: string) => {
    const { home } = placeOf(command, cli)
    const options = command.opts<ServiceOptions>()
    const json = wantsJson(command)
    const machine = await machineNamed(home, name)
    const installer = await cli.parts.installer(home)
    const plan = await installer.plan(machine)
    if (!json) cli.out(planText(plan, cli))
    if (options.dryRun) return json ? printJson(cli, { plan, reached: null }) : undefined
    if (!agreed('Install it?', options, cli, json)) return cli.out('Nothing was done there.\n')
    const reached = await installNow(machine, plan, installer, home, cli, json)
    await tellEngine(command, cli)
    if (json) return printJson(cli, { plan, reached })
    cli.out(reachedText(reached, cli))
  })
}

interface Offered {
  reached: ReachedMachine | null
  plan?: InstallPlan
}

/** Shows how Onward gets to a machine that was just added and has none, and does it where a person says yes. */
async function offerInstall(
  machine: Machine,
  home: string,
  cli: Cli,
  { json, install }: { json: boolean; install: boolean | undefined },
): Promise<Offered> {
  const installer = await cli.parts.installer(home)
  const plan = await installer.plan(machine).catch((error: unknown) => {
    if (install || !OnwardError.isInstance(error)) throw error
    if (!json) cli.out(`${wordsOf(cli).style.shape('failed', '▲')} ${oneLine(error.message)}\n`)
    return null
  })
  if (plan === null) return { reached: null }
  if (!json) cli.out(planText(plan, cli))
  const asks = !json && cli.tty.in && cli.tty.err
  if (install || (asks && cli.askYesNo('Install it? [y/N] ')))
    return { plan, reached: await installNow(machine, plan, installer, home, cli, json) }
  if (!json)
    cli.out(`Nothing was done there.${asks ? '' : ` It is: ${cli.command()} remote install ${machine.name} --yes`}\n`)
  return { plan, reached: null }
}

async function installNow(
  machine: Machine,
  plan: InstallPlan,
  installer: Installer,
  home: string,
  cli: Cli,
  json: boolean,
): Promise<ReachedMachine> {
  let said = ''
  for await (const { kind } of installer.run(machine, plan.fingerprint)) {
    if (kind !== said && !json) cli.out(kind === 'sending' ? 'Sending it …\n' : 'Unpacking and trying it there …\n')
    said = kind
  }
  if (!json) cli.out('It is installed. Starting its engine …\n')
  return reach(machine, home, cli, { start: true })
}

function planText({ machine, target, ...plan }: InstallPlan, cli: Cli): string {
  const { style } = wordsOf(cli)
  return (
    `${style.strong(machine)} would get this Onward over ssh, in the home folder of ${target}, without root:\n` +
    facts(
      [
        ['Version', `${plan.version}, ${(plan.bytes / 1e6).toFixed(1)} MB to send`],
        ['Folder', plan.folder],
        ['Command', `${plan.command}, run by ${plan.node.path} (${plan.node.version})`],
        ...(plan.fetches.length > 0
          ? [['From npm', `made for its platform, fetched there: ${plan.fetches.join(', ')}`] as const]
          : []),
        ['Then', 'its engine is started: `onward serve`, in the background, until you end it'],
        ['Removed by', plan.undo],
      ],
      style.quiet,
    ) +
    `It runs there, with the archive as its input:\n${plan.runs.map((line) => `    ${line}\n`).join('')}`
  )
}
