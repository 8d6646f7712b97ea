import { organisation, configProblem, configUnread, meanwhile, policyTrouble } from './en/config-faults.ts'
import { problem } from './en/problems.ts'
import { cacheUntil, cold, coldCaches, paid, spent, used } from './en/cost.ts'
import { doctor } from './en/doctor.ts'
import { driveKind, driveNext, driveState } from './en/drives.ts'
import { event, turnFailure } from './en/events.ts'
import { notice, noticeClass, tray } from './en/notices.ts'
import { outside } from './en/outside.ts'
import {
  budget,
  cleared,
  done,
  fail,
  hold,
  holdNext,
  inbox,
  markerHeld,
  need,
  pause,
  skip,
  step,
} from './en/reasons.ts'
import { goesOn, ended, finish, lastSeen, outbox, say, shape, source, turn } from './en/states.ts'
import { keychainTrouble, secretsKept, secretsMend } from './en/secrets.ts'
import { repeats } from './en/repeats.ts'
import { checkOutcome, checkRan, reviewed, reviewOutcome } from './en/review.ts'
import { category, health, passedOver, rest, routeReason } from './en/routing.ts'
import { callFailure } from './en/call-failure.ts'
import { figuresOf } from './figures.ts'
import type { Sentences } from './types.ts'

export const en: Sentences = {
  say,
  lastSeen,
  event,
  turnFailure,
  doctor,
  need,
  hold,
  holdNext,
  inbox,
  skip,
  fail,
  pause,
  done,
  cleared,
  markerHeld,
  budget,
  step,
  turn,
  ended,
  finish,
  shape,
  driveKind,
  driveState,
  driveNext,
  outbox,
  ...repeats,
  source,
  noticeClass,
  notice,
  routeReason,
  passedOver,
  rest,
  callFailure,
  goesOn,
  health,
  category,
  reviewed,
  reviewOutcome,
  checkRan,
  checkOutcome,
  paid,
  cold,
  coldCaches,
  cacheUntil,
  spent,
  used,
  problem,
  notAnswered: ({ test }) => test.message,
  secretsKept,
  secretsMend,
  keychainTrouble,
  tray,
  meanwhile,
  configProblem,
  configUnread,
  policyTrouble,
  organisation,
  outside,
  figures: figuresOf('en'),
}
