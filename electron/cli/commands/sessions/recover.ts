import { Argument, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import type { ControlCalls } from '../../client.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { facts } from '../../output/columns.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { sessionRows } from '../../output/session-rows.ts'
import { placeOf, wantsJson } from '../../place.ts'

const choices = ['on', 'off'] as const
type RecoverChoice = (typeof choices)[number]

export function addRecover(program: Command, cli: Cli): void {
  const command = program
    .command('recover')
    .summary('go on when a provider that failed answers again')
    .description(
      'When a turn fails and the agent gives up, the session goes on by itself once its provider answers again. ' +
        'It is on where a goal is set.',
    )
    .addArgument(new Argument('<wish>', '`on` or `off`').choices(choices))
    .argument('[session]', 'session id, its beginning, its name, or a terminal id; none: every session')
  examples(withCommon(command), [
    ['onward recover on billing', 'this session, goal or not'],
    ['onward recover off', 'no session, unless it was switched on itself'],
  ])
  // commander lets nothing but the choices through
  command.action(async (choice: RecoverChoice, session: string | undefined) => {
    const [view, status] = await withEngine(
      placeOf(command, cli),
      async (calls) => [await carryOut(calls, choice === 'on', session), await calls.status.query()] as const,
    )
    if (wantsJson(command)) return printJson(cli, view ?? { recover: choice, session: 'all' })
    const words = wordsOf(cli)
    if (view) cli.out(sessionRows([view], words, await cli.parts.sentencesOf(status.language), cli.now()))
    cli.out(
      facts([['After a failed turn', choice === 'on' ? 'goes on by itself' : 'waits for you']], words.style.quiet),
    )
  })
}

async function carryOut(calls: ControlCalls, on: boolean, session: string | undefined) {
  if (session !== undefined) return calls.setRecover.mutate({ session, on })
  await calls.setSetting.mutate({ name: 'recover.when', value: on ? 'always' : 'never' })
  return null
}
