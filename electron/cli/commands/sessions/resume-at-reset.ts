import type { Command } from 'commander'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import type { SessionView } from '../../../../shared/state.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import type { ControlCalls } from '../../client.ts'
import { facts } from '../../output/columns.ts'
import { sessionRows } from '../../output/session-rows.ts'
import { whichSession } from './checks-text.ts'

const choices = ['on', 'off', 'cancel'] as const
type ResumeChoice = (typeof choices)[number]

export function addResumeAtReset(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'resume-at-reset <session> [wish]',
    takes: [whichSession, ['`on` or `off` for this limit and the next ones, `cancel` for this one only', choices]],
    summary: 'go on when a provider’s limit lifts',
    description:
      'When a turn of the session ends at its provider’s usage limit, “Continue.” is ' +
      'typed once the limit lifts. Without a word: shows how it stands.',
    examples: [
      ['onward resume-at-reset billing on', 'go on after the reset'],
      ['onward resume-at-reset billing cancel', 'not this time'],
      ['onward resume-at-reset billing', 'how it stands'],
    ],
    ask: (calls, [session, choice]: [string, ResumeChoice?]) => carryOut(calls, session, choice),
    tell: (view, { sentences, now, ...words }) =>
      sessionRows([view], words, sentences, now) + facts(resumeFacts(view, sentences, now), words.style.quiet),
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
