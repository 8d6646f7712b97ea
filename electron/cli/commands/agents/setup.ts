/** The first minute in a terminal: how models are reached, an agent, a demo. The dashboard has the same steps. */
import { Option, type Command } from 'commander'
import type { FoundAgent } from '../../../../shared/setup/agent-standing.ts'
import {
  type AccessUse,
  type AgentSetup,
  type FileDiff,
  type FoundAccess,
  type ProviderTrial,
  setUpClients,
  type SetUpClient,
} from '../../../../shared/setup/first-run.ts'
import type { Cli } from '../../cli.ts'
import { withControl, type ControlCalls } from '../../client.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError } from '../../exit.ts'
import { ensureEngine, leftRunning } from '../../launch/background-engine.ts'
import { oneLine } from '../../output/clean.ts'
import { asCalled } from '../../own-lines.ts'
import { printJson, wordsOf, type Words } from '../../output/print.ts'
import { confirmTyped, needPerson } from '../../person.ts'
import { placeOf, wantsJson } from '../../place.ts'

interface Options {
  list?: boolean
  use?: string
  agent?: SetUpClient
  undo?: SetUpClient
  demo?: boolean
}

export function addSetup(program: Command, cli: Cli): void {
  const command = program
    .command('setup')
    .summary('the first steps: models, an agent, a demo')
    .description(
      'Looks for sign-ins, keys and agents on this machine and asks what to use. ' +
        'Nothing is copied or changed without a word of yours. ' +
        'With options it takes that one step and asks only what a person has to say.',
    )
    .option('--list', 'what was found, and nothing else')
    .option('--use <access>', 'use this sign-in or key, by its id in the list')
    .addOption(
      new Option('--agent <agent>', 'point its own settings at Onward, after showing how').choices(setUpClients),
    )
    .addOption(new Option('--undo <agent>', 'put its settings back, to the last byte').choices(setUpClients))
    .option('--demo', 'a demo agent that stops and is continued three times')
  examples(withCommon(command), [
    ['onward setup', 'step by step'],
    ['onward setup --list --json', 'what is on this machine, without any key'],
    ['onward setup --agent claude', 'shows what changes, and asks'],
    ['onward setup --undo claude', 'as it was before'],
  ])
  command.action(async () => {
    const options = command.opts<Options>()
    const json = wantsJson(command)
    const engine = await ensureEngine(placeOf(command, cli), cli)
    await withControl(engine, async (calls) => {
      if (options.list) return list(calls, json, cli)
      const asked = options.use ?? options.agent ?? options.undo ?? options.demo
      if (asked === undefined) return stepByStep(calls, cli)
      if (options.use !== undefined) await use(options.use, calls, cli)
      if (options.agent !== undefined) await setUp(options.agent, calls, cli)
      if (options.undo !== undefined) await undo(options.undo, calls, cli)
      if (options.demo) await demo(calls, cli)
    }).finally(() => {
      if (engine.started) cli.err(`${leftRunning(engine, cli)}\n`)
    })
  })
}

async function list(calls: ControlCalls, json: boolean, cli: Cli): Promise<void> {
  const [access, agents, setups] = await Promise.all([
    calls.foundAccess.query(),
    calls.agents.query(),
    calls.agentSetups.query(),
  ])
  if (json) return printJson(cli, { access, agents, setups })
  const { style } = wordsOf(cli)
  cli.out(`${style.strong('Models')}\n${accessRows(access, wordsOf(cli))}`)
  cli.out(`\n${style.strong('Agents')}\n${asCalled(agentRows(agents, setups, wordsOf(cli)), cli.command())}`)
}

async function use(id: string, calls: ControlCalls, cli: Cli): Promise<void> {
  const found = (await calls.foundAccess.query()).find((access) => access.id === id)
  if (!found)
    throw new CliError('notFound', `There is no ${id} on this machine.`, { hint: 'What there is: onward setup --list' })
  if (found.use.how === 'copy' && found.added === null) {
    needPerson(cli, ['in', 'err'], 'Copying a key needs a person at a terminal who confirms it.', 'onward setup')
    confirmTyped(
      cli,
      `The key of ${found.name} in ${found.where} is copied to where Onward keeps keys: ` +
        'the system’s keychain where it works, else a file that only you can read.\nType yes to confirm: ',
      ['yes'],
      'Not confirmed: nothing was copied.',
    )
  }
  const provider = await calls.useAccess.mutate(id)
  if (found.use.how === 'login') return cli.out(`${done(cli)} ${provider}: your login goes through.\n`)
  cli.out(trialSaid(provider, await calls.tryProvider.mutate(provider), wordsOf(cli)))
}

async function setUp(client: SetUpClient, calls: ControlCalls, cli: Cli): Promise<void> {
  const setup = (await calls.agentSetups.query()).find((one) => one.client === client)
  if (setup?.kind !== 'possible') return cli.out(`${setup ? asCalled(setupSaid(setup), cli.command()) : client}\n`)
  cli.out(setup.files.map((file) => diffText(file, wordsOf(cli))).join('\n'))
  needPerson(
    cli,
    ['in', 'err'],
    `Changing the settings of ${client} needs a person at a terminal who confirms it.`,
    `Start it without changing them: onward ${client}`,
  )
  const question =
    `${client} then needs Onward running. A copy is kept. Change ` +
    `${setup.files.length === 1 ? 'this file' : 'these files'}? [y/N] `
  if (!cli.askYesNo(question)) throw new CliError('refused', 'Nothing was changed.', { code: 'not-confirmed' })
  await calls.setUpAgent.mutate({ client, fingerprint: setup.fingerprint })
  cli.out(`${done(cli)} ${client} is set up. To take it back: ${cli.command()} setup --undo ${client}\n`)
}

async function undo(client: SetUpClient, calls: ControlCalls, cli: Cli): Promise<void> {
  await calls.undoAgentSetup.mutate(client)
  cli.out(`${done(cli)} The settings of ${client} are as they were before.\n`)
}

async function demo(calls: ControlCalls, cli: Cli): Promise<void> {
  const terminal = await calls.startDemo.mutate()
  const link = await calls.dashboardLink.mutate()
  cli.out(
    `${done(cli)} The demo runs: it stops, is continued three times, and an alarm rings.\n` +
      `Watch it: ${link}&place=terminal%2F${encodeURIComponent(terminal.id)}\n`,
  )
}

async function stepByStep(calls: ControlCalls, cli: Cli): Promise<void> {
  needPerson(cli, ['in', 'err'], 'The steps ask a person at a terminal.', 'One step by itself: onward setup --help')
  const { style } = wordsOf(cli)
  const access = await calls.foundAccess.query()
  cli.out(`${style.strong('1. Models')}\n${accessRows(access, wordsOf(cli))}`)
  for (const found of access) {
    if (found.added !== null || found.use.how === 'none') continue
    if (cli.askYesNo(`Use ${found.name} of ${found.where}? [y/N] `)) await use(found.id, calls, cli)
  }
  if ((await calls.status.query()).simulator)
    cli.out(`The simulator answers, and costs nothing. With a key: ${cli.command()} providers add --help\n`)
  const [agents, setups] = await Promise.all([calls.agents.query(), calls.agentSetups.query()])
  cli.out(`\n${style.strong('2. Agents')}\n${asCalled(agentRows(agents, setups, wordsOf(cli)), cli.command())}`)
  for (const client of setUpClients) {
    const setup = setups.find((one) => one.client === client)
    if (setup?.kind !== 'possible' || !agents.some((agent) => agent.client === client)) continue
    if (cli.askYesNo(`Show what would point ${client} at Onward for good? [y/N] `))
      await setUp(client, calls, cli).catch((error: unknown) => {
        // A person who looked and said no goes on with the next step.
        if (!(error instanceof CliError) || error.code !== 'not-confirmed') throw error
        cli.out(`${error.message}\n`)
      })
  }
  cli.out(`\n${style.strong('3. Try it')}\n`)
  if (cli.askYesNo('Start a demo agent that stops and is continued three times? [y/N] ')) await demo(calls, cli)
}

const done = (cli: Cli): string => wordsOf(cli).style.shape('done', '✓')

function accessRows(access: readonly FoundAccess[], { style }: Words): string {
  if (access.length === 0) return 'No sign-in and no key was found on this machine.\n'
  return access
    .map((found) => {
      const shape = found.added !== null ? style.shape('done', '✓') : style.shape('idle', '○')
      const use = found.added === null ? useSaid(found.use) : `in use as ${found.added}`
      return (
        `${shape} ${style.strong(oneLine(found.name))} ${oneLine(found.where)}` +
        `\n  ${use} ${style.quiet(`(${oneLine(found.id)})`)}\n`
      )
    })
    .join('')
}

function useSaid(use: AccessUse): string {
  switch (use.how) {
    case 'env':
      return `the config names ${use.name}, its value stays where it is`
    case 'login':
      return 'your login goes through with each call of Claude Code, nothing is kept'
    case 'copy':
      return 'the key is copied into Onward’s own secrets'
    case 'none':
      return use.why === 'database'
        ? 'in a database that Onward does not read'
        : 'a login that only its own tool can use'
  }
}

function agentRows(agents: readonly FoundAgent[], setups: readonly AgentSetup[], { style }: Words): string {
  if (agents.length === 0) return 'No agent was found on this machine.\n'
  return agents
    .map(({ client, version }) => {
      const setup = setups.find((one) => one.client === client)
      const said = setup ? setupSaid(setup) : `start it with onward ${client}`
      const shape = setup?.kind === 'set-up' ? style.shape('done', '✓') : style.shape('idle', '○')
      return `${shape} ${style.strong(client)}${version === null ? '' : ` ${oneLine(version)}`} ${said}\n`
    })
    .join('')
}

function setupSaid(setup: AgentSetup): string {
  const { client } = setup
  if (setup.kind === 'possible') return `start it with onward ${client}, or for good: onward setup --agent ${client}`
  if (setup.kind === 'impossible') return `can’t be set up for good (${setup.code}); start it with onward ${client}`
  const files = setup.files.map(oneLine).join(' and ')
  return setup.changed.length > 0
    ? `is set up in ${files}, which changed since; the old text is in ${setup.backups.map(oneLine).join(' and ')}`
    : `is set up in ${files}; to take it back: onward setup --undo ${client}`
}

const signs = { same: '  ', added: '+ ', removed: '- ', gap: '  …' } as const

function diffText({ path, fresh, lines }: FileDiff, { style }: Words): string {
  const body = lines.map(({ kind, text }) => {
    // The indentation is a part of what is shown.
    const line = signs[kind] + (/^ */.exec(text)?.[0] ?? '') + oneLine(text)
    return kind === 'added' ? style.shape('done', line) : kind === 'removed' ? style.shape('failed', line) : line
  })
  return `${style.strong(oneLine(path))}${fresh ? ' (new)' : ''}\n${body.join('\n')}\n`
}

function trialSaid(provider: string, { test, routed }: ProviderTrial, { style }: Words): string {
  if (test.kind === 'failed')
    return `${style.shape('failed', '▲')} ${provider} is added and did not answer: ${oneLine(test.message)}\n`
  const what = test.model === '' ? `lists ${test.models.length} models` : `answered with ${oneLine(test.model)}`
  const route = routed === null ? '' : ` Everything goes to ${oneLine(routed)}.`
  return `${style.shape('done', '✓')} ${provider} ${what}.${route}\n`
}
