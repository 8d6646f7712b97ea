import type { JobTools } from './drives/profile.ts'

interface Job {
  prompt: string
  /** comes again within the hour, whenever it is now */
  often: boolean
  /** made, or come, since a person's last words */
  seen: boolean
}

/** The prompts an agent has set to come back by themselves, as its requests show them, oldest first. */
export interface TimedPrompts {
  called(name: string, args: string, result: string): void
  /** Whether a message with these words is one of them. */
  isOne(text: string): boolean
  /** One of them came: it began the turn that follows. */
  came(text: string): void
  /** another turn begins */
  newTurn(): void
  /** a person spoke: what came before proves nothing any more, since an agent that was started again has lost its jobs */
  newRun(): void
  drive(): boolean
}

export function createTimedPrompts(tools: JobTools | null): TimedPrompts {
  const jobs = new Map<string, Job>()
  const once = new Set<string>()
  const folded = (text: string): string => text.trim()
  const named = (text: string): [string, Job] | undefined => [...jobs].find(([, job]) => job.prompt === text)
  let begunBy: string | null = null

  return {
    called(name, args, result) {
      if (name === tools?.create) {
        const asked = promptOf(args)
        const id = tools.created.exec(result)?.[1]
        if (asked && id !== undefined) jobs.set(id, { ...asked, prompt: folded(asked.prompt), seen: true })
        else if (asked && tools.createdOnce.test(result)) once.add(folded(asked.prompt))
      }
      if (name === tools?.remove) jobs.delete(tools.removed.exec(result)?.[1] ?? '')
    },
    isOne: (text) => tools !== null && (once.has(folded(text)) || named(folded(text)) !== undefined),
    came(text) {
      once.delete(folded(text))
      const found = named(folded(text))
      if (!found) return
      const [id, job] = found
      begunBy = id
      jobs.set(id, { ...job, seen: true })
    },
    newTurn() {
      begunBy = null
    },
    newRun() {
      for (const [id, job] of jobs) if (job.seen) jobs.set(id, { ...job, seen: false })
    },
    drive: () => (begunBy !== null && jobs.has(begunBy)) || [...jobs.values()].some((job) => job.often && job.seen),
  }
}

function promptOf(args: string): Pick<Job, 'prompt' | 'often'> | null {
  const value = parsed(args)
  if (typeof value !== 'object' || value === null || !('prompt' in value) || !('cron' in value)) return null
  const { prompt, cron } = value
  return typeof prompt === 'string' && typeof cron === 'string' && prompt.trim() !== '' ? { prompt, often: comesEachHour(cron) } : null
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Five fields, and every hour of every day matches: whatever its minutes are, it comes again within the hour. */
export function comesEachHour(cron: string): boolean {
  const [minute, ...others] = cron.trim().split(/\s+/)
  return minute !== undefined && minute !== '' && others.length === 4 && others.every((field) => field === '*' || field === '*/1' || field === '?')
}
