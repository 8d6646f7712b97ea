import type { ClientKind } from '../../../../shared/words.ts'
import { personTexts } from '../identify/person-text.ts'
import {
  claudeDrives,
  codexDrives,
  kimiDrives,
  type DriveProfile,
  type Drive,
  type DriveSign,
  type JobTools,
  qwenDrives,
} from './profiles.ts'

/**
 * Searched and not found: opencode 1.18.33 and Gemini CLI 0.61.0 have no goals, loops or schedules of their own. Not
 * measured: GitHub Copilot CLI, Kilo Code.
 */
const none: DriveProfile = { signs: [], jobs: null }

const byKind: Readonly<Record<ClientKind, DriveProfile>> = {
  claude: claudeDrives,
  codex: codexDrives,
  qwen: qwenDrives,
  opencode: none,
  gemini: none,
  copilot: none,
  kimi: kimiDrives,
  kilo: none,
  other: none,
}

export const drivesOf = (client: ClientKind): DriveProfile => byKind[client]

/**
 * The steps of a conversation in a request, in no protocol's words. A call stands where it was made, with its result.
 */
export type DriveStep =
  | { type: 'message' | 'system'; texts: readonly string[] }
  | { type: 'call'; name: string; arguments: string; result: string | null }

const order: readonly Drive[] = ['own-goal', 'own-loop', 'own-schedule']

/**
 * Returns whether the agent's own goal, loop or schedule drives the session, by the latest state its request shows.
 *
 * Standing down for ever would be worse than one followup too many: a drive that is over may leave no trace (a goal
 * that was met, a loop that ended with its program). So only the part after a person's or Onward's last words counts:
 * if something really drives the session, its next turn shows it again.
 */
export function drivenBy(client: ClientKind, steps: readonly DriveStep[]): Drive | null {
  const { signs, jobs } = drivesOf(client)
  if (signs.length === 0 && jobs === null) return null
  const states = new Map<Drive, { on: boolean; at: number }>()
  const prompts = createTimedPrompts(jobs)

  function take(sign: DriveSign | undefined, at: number): void {
    if (sign)
      states.set(sign.of, { on: sign.says === 'still' ? states.get(sign.of)?.on === true : sign.says === 'on', at })
  }

  for (const [at, step] of steps.entries()) {
    if (step.type === 'message') {
      for (const text of step.texts) {
        take(
          signs.find(
            ({ when }) =>
              'text' in when && startsWith(text, when.text) && (when.has === undefined || text.includes(when.has)),
          ),
          at,
        )
        prompts.came(text, at)
      }
    } else if (step.type === 'call' && step.result !== null) {
      const { name, result } = step
      take(
        signs.find(({ when }) => 'tools' in when && when.tools.includes(name) && result.includes(when.result)),
        at,
      )
      prompts.called(name, step.arguments, result, at)
    }
  }

  // A person's words are looked for from the end: in a long conversation that is much less than all of it.
  const since = steps.findLastIndex(
    (step) =>
      step.type === 'message' && personTexts(client, step.texts).some((text) => text !== '' && !prompts.isOne(text)),
  )
  return (
    order.find((drive) => {
      const state = states.get(drive)
      return (state?.on === true && state.at >= since) || (drive === 'own-schedule' && prompts.drive(since))
    }) ?? null
  )
}

/** True if the agent goes on by itself, since a limit was reset. */
export const goesOnAtReset = (client: ClientKind, texts: readonly string[]): boolean =>
  drivesOf(client).atReset?.some((start) => texts.some((text) => startsWith(text, start))) ?? false

const startsWith = (text: string, start: string): boolean => text.startsWith(start, text.search(/\S|$/))

interface Job {
  prompt: string
  /** comes again within the hour, at whatever time */
  often: boolean
  madeAt: number
  /** where it came last; -1: not yet */
  cameAt: number
}

/**
 * The prompts an agent has set to come back by themselves, as its requests show them, oldest first. `at`: the step's
 * place.
 */
export interface TimedPrompts {
  called(name: string, args: string, result: string, at: number): void
  /** a text of a message came: if it is one of them, it began the turn that follows */
  came(text: string, at: number): void
  /** these words were one of them at some time */
  isOne(text: string): boolean
  /**
   * True if they drive the session: since that place one of them came, or one was made that comes within the hour.
   * Older ones prove nothing: an agent that was started again has lost its jobs.
   */
  drive(since: number): boolean
}

function createTimedPrompts(tools: JobTools | null): TimedPrompts {
  const jobs = new Map<string, Job>()
  const known = new Set<string>()

  return {
    called(name, args, result, at) {
      if (name === tools?.remove) jobs.delete(tools.removed.exec(result)?.[1] ?? '')
      if (name !== tools?.create) return
      const id = tools.created.exec(result)?.[1]
      const job = id !== undefined || tools.createdOnce.test(result) ? promptOf(args) : null
      if (!job) return
      known.add(job.prompt)
      if (id !== undefined) jobs.set(id, { ...job, madeAt: at, cameAt: -1 })
    },
    came(text, at) {
      if (known.size === 0) return
      const prompt = text.trim()
      for (const [id, job] of jobs) if (job.prompt === prompt) jobs.set(id, { ...job, cameAt: at })
    },
    isOne: (text) => known.has(text.trim()),
    drive: (since) =>
      [...jobs.values()].some(
        ({ often, madeAt, cameAt }) => (cameAt >= 0 && cameAt >= since) || (often && madeAt >= since),
      ),
  }
}

function promptOf(args: string): Pick<Job, 'prompt' | 'often'> | null {
  const value = parsed(args)
  if (typeof value !== 'object' || value === null || !('prompt' in value) || !('cron' in value)) return null
  const { prompt, cron } = value
  return typeof prompt === 'string' && typeof cron === 'string' && prompt.trim() !== ''
    ? { prompt: prompt.trim(), often: comesEachHour(cron) }
    : null
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** True if every hour of every day matches its five fields: whatever its minutes, it comes again within the hour. */
export function comesEachHour(cron: string): boolean {
  const [minute, ...others] = cron.trim().split(/\s+/)
  return (
    minute !== undefined &&
    minute !== '' &&
    others.length === 4 &&
    others.every((field) => field === '*' || field === '*/1' || field === '?')
  )
}
