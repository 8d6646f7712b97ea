import { CliError } from '../exit.ts'
import type { ProgramRun, ServiceSystem, Step } from './types.ts'

/** Longer than any engine may take (server.drainSeconds, at most 120) and than systemd lets it (TimeoutStopSec). */
export const endsWithinMs = 150_000

export const runStep = ({ argv, ends }: Step, system: ServiceSystem): Promise<ProgramRun> =>
  system.run(argv, ends ? endsWithinMs : undefined)

/** One after the other. @throws CliError */
export async function runSteps(steps: readonly Step[], system: ServiceSystem): Promise<void> {
  for (const step of steps) {
    const { argv, mayFail } = step
    const { code, out, err } = await runStep(step, system)
    if (code === 0 || mayFail) continue
    const said = (err.trim() || out.trim()).split('\n').slice(-3).join(' ')
    throw new CliError('failed', `\`${argv.join(' ')}\` failed: ${said || `it ended with ${code}`}.`, {
      code: 'service-step',
      hint: 'What was written is taken back.',
    })
  }
}
