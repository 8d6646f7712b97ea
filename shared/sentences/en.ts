import * as callFailure from './en/call-failure.ts'
import * as configFaults from './en/config-faults.ts'
import * as cost from './en/cost.ts'
import * as doctor from './en/doctor.ts'
import * as drives from './en/drives.ts'
import * as events from './en/events.ts'
import * as notices from './en/notices.ts'
import * as outside from './en/outside.ts'
import * as problems from './en/problems.ts'
import * as reasons from './en/reasons.ts'
import * as review from './en/review.ts'
import * as routing from './en/routing.ts'
import * as secrets from './en/secrets.ts'
import * as states from './en/states.ts'
import { repeats } from './en/states.ts'
import { figuresOf } from './figures.ts'
import type { Sentences } from './types.ts'

export const en: Sentences = {
  ...callFailure,
  ...configFaults,
  ...cost,
  ...doctor,
  ...drives,
  ...events,
  ...notices,
  ...outside,
  ...problems,
  ...reasons,
  ...review,
  ...routing,
  ...secrets,
  ...states,
  ...repeats,
  notAnswered: ({ test }) => test.message,
  figures: figuresOf('en'),
}
