/** The commands by their names, a file each, in their order in `--help`. A run loads only the command it was given. */
import type { Command } from 'commander'
import type { Cli } from './cli.ts'

type Add = (program: Command, cli: Cli) => void
/** one with commands below it may get more of them from the tables of operations */
type Entry = readonly [names: string, load: () => Promise<Add>, more?: 'has commands']

export interface CommandGroup {
  heading: string
  adds: readonly Add[]
}

const groups: Readonly<Record<string, readonly Entry[]>> = {
  'Agents:': [
    [
      'claude codex opencode gemini qwen copilot kimi kilo',
      async () => (await import('./commands/agents/agents.ts')).addAgents,
    ],
    ['run', async () => (await import('./commands/agents/run.ts')).addRun],
    ['acp', async () => (await import('./commands/agents/acp.ts')).addAcp],
    ['register', async () => (await import('./commands/agents/register.ts')).addRegister],
    ['terminals', async () => (await import('./commands/agents/terminals.ts')).addTerminals, 'has commands'],
  ],
  'Sessions:': [
    ['status', async () => (await import('./commands/sessions/status.ts')).addStatus],
    ['sessions', async () => (await import('./commands/sessions/sessions.ts')).addSessions, 'has commands'],
    ['say', async () => (await import('./commands/sessions/say.ts')).addSay],
    ['stop-message', async () => (await import('./commands/sessions/stop-message.ts')).addStopMessage],
    ['drives', async () => (await import('./commands/sessions/drives.ts')).addDrives, 'has commands'],
    ['rounds', async () => (await import('./commands/sessions/rounds.ts')).addRounds],
    ['checks', async () => (await import('./commands/sessions/checks.ts')).addChecks, 'has commands'],
    ['markers', async () => (await import('./commands/sessions/markers.ts')).addMarkers, 'has commands'],
    ['alarm', async () => (await import('./commands/alarms/alarm.ts')).addAlarm, 'has commands'],
    ['pause', () => plain('pause')],
    ['resume', () => plain('resume')],
    ['resume-at-reset', async () => (await import('./commands/sessions/resume-at-reset.ts')).addResumeAtReset],
    ['recover', async () => (await import('./commands/sessions/recover.ts')).addRecover],
    ['report', async () => (await import('./commands/sessions/report.ts')).addReport],
    ['find', async () => (await import('./commands/sessions/find.ts')).addFind],
    ['turns', async () => (await import('./commands/sessions/turns.ts')).addTurns, 'has commands'],
    ['cost', async () => (await import('./commands/sessions/cost.ts')).addCost],
    ['capture', () => plain('capture')],
  ],
  'Onward:': [
    ['start', async () => (await import('./commands/program/start.ts')).addStart],
    ['setup', async () => (await import('./commands/agents/setup.ts')).addSetup],
    ['serve', async () => (await import('./commands/program/serve.ts')).addServe],
    ['service', async () => (await import('./commands/program/service.ts')).addService, 'has commands'],
    ['dashboard', async () => (await import('./commands/program/dashboard.ts')).addDashboard],
    ['remote', async () => (await import('./commands/program/remote.ts')).addRemote, 'has commands'],
    ['fleet', async () => (await import('./commands/program/fleet.ts')).addFleet, 'has commands'],
    ['link', async () => (await import('./commands/program/link.ts')).addLink],
    ['phone', async () => (await import('./commands/program/phone.ts')).addPhone, 'has commands'],
    ['providers', async () => (await import('./commands/settings/providers.ts')).addProviders, 'has commands'],
    ['route', async () => (await import('./commands/settings/route.ts')).addRoute],
    ['budgets', async () => (await import('./commands/settings/budgets.ts')).addBudgets],
    ['tools', async () => (await import('./commands/settings/tools.ts')).addTools, 'has commands'],
    ['notify', async () => (await import('./commands/settings/notify.ts')).addNotify, 'has commands'],
    ['mcp', async () => (await import('./commands/program/mcp.ts')).addMcp, 'has commands'],
    ['config', async () => (await import('./commands/settings/config.ts')).addConfig, 'has commands'],
    ['doctor', async () => (await import('./commands/program/doctor.ts')).addDoctor],
    ['update', async () => (await import('./commands/program/update.ts')).addUpdate],
    ['logs', async () => (await import('./commands/program/logs.ts')).addLogs],
    ['completion', async () => (await import('./commands/program/completion.ts')).addCompletion],
    ['man', async () => (await import('./commands/program/man.ts')).addMan],
    ['uninstall', async () => (await import('./commands/program/uninstall.ts')).addUninstall],
  ],
}

/** commands that describe all of them */
const describing: readonly string[] = ['completion', 'man']

async function plain(name: string): Promise<Add> {
  const { addPlain } = await import('./plain.ts')
  return (program, cli) => addPlain(program, cli, name)
}

/** @param wanted the command of this run, if it is one: to load the others takes longer than most commands do */
export async function loadCommands(wanted: string | null): Promise<readonly CommandGroup[]> {
  const one = wanted !== null && !describing.includes(wanted) ? wanted : null
  const isWanted = ([names]: Entry) => one !== null && names.split(' ').includes(one)
  const listed = Object.values(groups).flat()
  const alone = listed.find(isWanted)
  const declared = alone && alone[2] !== 'has commands' ? null : await import('./plain.ts')
  const names = listed.flatMap(([written]) => written.split(' '))
  const others = alone ? [] : (declared?.plainCommands() ?? []).filter(({ name }) => !names.includes(name))
  return Promise.all(
    Object.entries(groups).map(async ([heading, entries]) => {
      const more = others.filter((one) => one.heading === heading).map(({ name }): Entry => [name, () => plain(name)])
      const adds = await Promise.all(
        [...(alone ? entries.filter(isWanted) : entries), ...more].map(([, load]) => load()),
      )
      const below: Add = (program, cli) => {
        for (const command of program.commands)
          if (command.helpGroup() === heading) declared?.addPlainBelow(command, cli)
      }
      return { heading, adds: [...adds, below] }
    }),
  )
}
