import { CliError } from '../exit.ts'
import type { ServiceSystem, Step } from './types.ts'

/** One after the other. @throws CliError */
export async function runSteps(steps: readonly Step[], system: ServiceSystem): Promise<void> {
  for (const { argv, mayFail } of steps) {
    const { code, out, err } = await system.run(argv)
    if (code === 0 || mayFail) continue
    const said = (err.trim() || out.trim()).split('\n').slice(-3).join(' ')
    throw new CliError('failed', `\`${argv.join(' ')}\` failed: ${said || `it ended with ${code}`}.`, {
      code: 'service-step',
      hint: 'What was written is taken back.',
    })
  }
}
