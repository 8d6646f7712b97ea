import type { Command } from 'commander'
import { withCommon } from '../common.ts'
import { CliError } from '../exit.ts'

/** Gemini CLI speaks generateContent, which has no entry yet. Said here rather than as an unknown command. */
export function addGemini(program: Command): void {
  withCommon(program.command('gemini').summary('follows, with its entry protocol').description('Gemini CLI follows together with its entry protocol.').argument('[args...]').passThroughOptions().allowUnknownOption())
    .action(() => { throw new CliError('refused', 'Gemini CLI can’t be started through Onward yet: it follows together with its entry protocol.', { hint: 'claude, codex, opencode, qwen and `run` work now.' }) })
}
