import { Argument, type Command } from 'commander'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import type { SessionView } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import type { ControlCalls } from '../../client.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { facts } from '../../output/columns.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { sessionRows } from '../../output/session-rows.ts'
import { placeOf, wantsJson } from '../../place.ts'

const choices = ['on', 'off', 'cancel'] as const
type ResumeChoice = (typeof choices)[number]

export function addResumeAtReset(program: Command, cli: Cli): void {
  const command = program
    .command('resume-at-reset')
    .summary('go on when a provider’s limit lifts')
    .description(
      'When a turn of the session ends at its provider’s usage limit, “Continue.” is ' +
        'typed once the limit lifts. Without a word: shows how it stands.',
    )
    .argument('<session>', 'session id, its beginning, its name, or a terminal id')
    .addArgument(
      new Argument('[wish]', '`on` or `off` for this limit and the next ones, `cancel` for this one only').choices(
        choices,
      ),
    )
  examples(withCommon(command), [
    ['onward resume-at-reset billing on', 'go on after the reset'],
    ['onward resume-at-reset billing cancel', 'not this time'],
    ['onward resume-at-reset billing', 'how it stands'],
  ])
  // commander lets nothing but the choices through
  command.action(async (session: string, choice: ResumeChoice | undefined) => {
    const [view, status] = await withEngine(
      placeOf(command, cli),
      async (calls) => [await carryOut(calls, session, choice), await calls.status.query()] as const,
    )
    if (wantsJson(command)) return printJson(cli, view)
    const words = wordsOf(cli)
    const sentences = await cli.parts.sentencesOf(status.language)
    cli.out(sessionRows([view], words, sentences, cli.now()))
    cli.out(facts(resumeFacts(view, sentences, cli.now()), words.style.quiet))
  })
}

function carryOut(calls: ControlCalls, session: string, choice: ResumeChoice | undefined): Promise<SessionView> {
  switch (choice) {
    case undefined:
      return calls.session.query(session)
    case 'cancel':
      return calls.cancelResume.mutate(session)
    case 'on':
    case 'off':
      return calls.setResumeAtReset.mutate({ session, on: choice === 'on' })
  }
}

function resumeFacts({ resumeAtReset, limit }: SessionView, { figures }: Sentences, now: number): [string, string][] {
  const goesOn = limit?.resumeAt ?? null
  const waits = limit?.resume === true
  return [
    ['Resume at reset', resumeAtReset ? 'on' : 'off'],
    ...(limit
      ? [
          [
            'Limit',
            [
              limit.provider,
              `reached at ${figures.minute(limit.since)}`,
              limit.lifts === null ? 'no time told when it lifts' : `lifts at ${figures.minute(limit.lifts)}`,
            ].join(', '),
          ] as [string, string],
          [
            'Goes on',
            goesOn !== null
              ? `at ${figures.minute(goesOn)}, in ${figures.left(goesOn, now)}`
              : waits
                ? 'when the provider answers again'
                : 'not by itself',
          ] as [string, string],
        ]
      : []),
  ]
}
