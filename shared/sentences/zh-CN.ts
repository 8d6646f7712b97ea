import * as callFailure from './zh/call-failure.ts'
import * as configFaults from './zh/config-faults.ts'
import * as cost from './zh/cost.ts'
import * as doctor from './zh/doctor.ts'
import * as drives from './zh/drives.ts'
import * as events from './zh/events.ts'
import * as notices from './zh/notices.ts'
import * as outside from './zh/outside.ts'
import * as problems from './zh/problems.ts'
import * as reasons from './zh/reasons.ts'
import * as review from './zh/review.ts'
import * as routing from './zh/routing.ts'
import * as secrets from './zh/secrets.ts'
import * as states from './zh/states.ts'
import { figuresOf } from './figures.ts'
import type { Sentences } from './types.ts'
import { repeats } from './zh/states.ts'

export const zhCN: Sentences = {
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
  figures: figuresOf('zh-CN'),
}
