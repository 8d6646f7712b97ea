import type { JobTools } from '../drives/profile.ts'

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

export function createTimedPrompts(tools: JobTools | null): TimedPrompts {
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
