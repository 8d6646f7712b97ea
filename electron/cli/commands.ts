/** The commands by their names, a file each, in their order in `--help`. A run loads only the command it was given. */
import type { Command } from 'commander'
import type { Cli } from './cli.ts'

type Add = (program: Command, cli: Cli) => void
type Entry = readonly [names: string, load: () => Promise<Add>]

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
    ['register', async () => (await import('./commands/agents/register.ts')).addRegister],
    ['terminals', async () => (await import('./commands/agents/terminals.ts')).addTerminals],
  ],
  'Sessions:': [
    ['status', async () => (await import('./commands/sessions/status.ts')).addStatus],
    ['sessions', async () => (await import('./commands/sessions/sessions.ts')).addSessions],
    ['say', async () => (await import('./commands/sessions/say.ts')).addSay],
    ['stop-message', async () => (await import('./commands/sessions/stop-message.ts')).addStopMessage],
    ['rounds', async () => (await import('./commands/sessions/rounds.ts')).addRounds],
    ['checks', async () => (await import('./commands/sessions/checks.ts')).addChecks],
    ['markers', async () => (await import('./commands/sessions/markers.ts')).addMarkers],
    ['alarm', async () => (await import('./commands/alarms/alarm.ts')).addAlarm],
    ['pause', async () => (await import('./commands/sessions/pause.ts')).addPause],
    ['resume', async () => (await import('./commands/sessions/pause.ts')).addResume],
    ['resume-at-reset', async () => (await import('./commands/sessions/resume-at-reset.ts')).addResumeAtReset],
    ['recover', async () => (await import('./commands/sessions/recover.ts')).addRecover],
    ['report', async () => (await import('./commands/sessions/report.ts')).addReport],
    ['turns', async () => (await import('./commands/sessions/turns.ts')).addTurns],
    ['cost', async () => (await import('./commands/sessions/cost.ts')).addCost],
    ['capture', async () => (await import('./commands/sessions/capture.ts')).addCapture],
  ],
  'Onward:': [
    ['start', async () => (await import('./commands/program/start.ts')).addStart],
    ['setup', async () => (await import('./commands/agents/setup.ts')).addSetup],
    ['serve', async () => (await import('./commands/program/serve.ts')).addServe],
    ['service', async () => (await import('./commands/program/service.ts')).addService],
    ['dashboard', async () => (await import('./commands/program/dashboard.ts')).addDashboard],
    ['providers', async () => (await import('./commands/settings/providers.ts')).addProviders],
    ['route', async () => (await import('./commands/settings/route.ts')).addRoute],
    ['budgets', async () => (await import('./commands/settings/budgets.ts')).addBudgets],
    ['tools', async () => (await import('./commands/settings/tools.ts')).addTools],
    ['notify', async () => (await import('./commands/settings/notify.ts')).addNotify],
    ['config', async () => (await import('./commands/settings/config.ts')).addConfig],
    ['doctor', async () => (await import('./commands/program/doctor.ts')).addDoctor],
    ['update', async () => (await import('./commands/program/update.ts')).addUpdate],
    ['logs', async () => (await import('./commands/program/logs.ts')).addLogs],
    ['completion', async () => (await import('./commands/program/completion.ts')).addCompletion],
    ['uninstall', async () => (await import('./commands/program/uninstall.ts')).addUninstall],
  ],
}

/** @param wanted the command of this run, if it is one: to load the others takes longer than most commands do */
export async function loadCommands(wanted: string | null): Promise<readonly CommandGroup[]> {
  // completion describes all of them
  const isWanted = ([names]: Entry) => wanted !== null && wanted !== 'completion' && names.split(' ').includes(wanted)
  const isAlone = Object.values(groups).some((entries) => entries.some(isWanted))
  return Promise.all(
    Object.entries(groups).map(async ([heading, entries]) => {
      const needed = isAlone ? entries.filter(isWanted) : entries
      return { heading, adds: await Promise.all(needed.map(([, load]) => load())) }
    }),
  )
}
