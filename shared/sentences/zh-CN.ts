import { cacheUntil, cold, coldCaches, paid, spent, used } from './zh/cost.ts'
import { problem, notAnswered } from './zh/problems.ts'
import { checkOutcome, checkRan, reviewed, reviewOutcome } from './zh/review.ts'
import { category, health, passedOver, rest, routeReason } from './zh/routing.ts'
import { callFailure } from './zh/call-failure.ts'
import { figuresOf } from './figures.ts'
import type { Sentences } from './types.ts'
import { organisation, configProblem, configUnread, meanwhile, policyTrouble } from './zh/config-faults.ts'
import { doctor } from './zh/doctor.ts'
import { driveKind, driveNext, driveState } from './zh/drives.ts'
import { event, turnFailure } from './zh/events.ts'
import { notice, noticeClass, tray } from './zh/notices.ts'
import { outside } from './zh/outside.ts'
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
} from './zh/reasons.ts'
import { goesOn, ended, finish, lastSeen, outbox, say, shape, source, turn } from './zh/states.ts'
import { keychainTrouble, secretsKept, secretsMend } from './zh/secrets.ts'
import { repeats } from './zh/repeats.ts'

export const zhCN: Sentences = {
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
  notAnswered,
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
  figures: figuresOf('zh-CN'),
}
