import * as callFailure from './en/call-failure.ts'
import * as configFaults from './en/config-faults.ts'
import * as cost from './en/cost.ts'
import * as doctor from './en/doctor.ts'
import * as drives from './en/drives.ts'
import * as events from './en/events.ts'
import * as notices from './en/notices.ts'
import * as outside from './en/outside.ts'
import * as reasons from './en/reasons.ts'
import * as review from './en/review.ts'
import * as routing from './en/routing.ts'
import * as secrets from './en/secrets.ts'
import * as states from './en/states.ts'
import { repeats } from './en/states.ts'
import { figuresOf } from './figures.ts'
import type { Sentences } from './types.ts'
import { wordOf, type ProblemReport } from '../problems.ts'

export const en: Sentences = {
  ...callFailure,
  ...configFaults,
  ...cost,
  ...doctor,
  ...drives,
  ...events,
  ...notices,
  ...outside,
  problem,
  ...reasons,
  ...review,
  ...routing,
  ...secrets,
  ...states,
  ...repeats,
  notAnswered: ({ test }) => test.message,
  figures: figuresOf('en'),
}

/**
 * The engine's errors are in English already; only those about the command line get other words for a reader of a page.
 */
function problem({ code, said, facts }: ProblemReport): string {
  return problemWords[code]?.((name) => wordOf(facts, name)) ?? said
}

const problemWords: Readonly<Record<string, (fact: (name: string) => string) => string>> = {
  'session-unknown': () => 'This session is not known any more.',
  'terminal-unknown': () => 'This terminal is not known any more.',
  'alarm-unknown': () => 'This alarm is not there any more.',
  'turn-unknown': () => 'This turn is not recorded any more.',
  'marker-unknown': () => 'This marker does not wait any more.',
}
