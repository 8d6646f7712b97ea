import { checkOutcome, checkRan, reviewed, reviewOutcome } from './zh/review.ts'
import { category, health, passedOver, rest, routeReason } from './zh/routing.ts'
import { figuresOf } from './figures.ts'
import type { Sentences } from './types.ts'
import { event } from './zh/events.ts'
import { notice, noticeClass, tray } from './zh/notices.ts'
import { budget, cleared, done, fail, hold, holdNext, markerHeld, need, pause, skip, step } from './zh/reasons.ts'
import { ended, finish, lastSeen, outbox, say, shape, source, turn } from './zh/states.ts'

export const zhCN: Sentences = {
  say,
  lastSeen,
  event,
  need,
  hold,
  holdNext,
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
  outbox,
  source,
  noticeClass,
  notice,
  routeReason,
  passedOver,
  rest,
  health,
  category,
  reviewed,
  reviewOutcome,
  checkRan,
  checkOutcome,
  tray,
  figures: figuresOf('zh-CN'),
}
