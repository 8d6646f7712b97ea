import { event } from './en/events.ts'
import { notice, noticeClass, tray } from './en/notices.ts'
import { budget, cleared, done, fail, hold, holdNext, markerHeld, need, pause, skip, step } from './en/reasons.ts'
import { ended, finish, lastSeen, outbox, say, shape, source, turn } from './en/states.ts'
import { checkOutcome, checkRan, reviewed, reviewOutcome } from './en/review.ts'
import { category, health, passedOver, rest, routeReason } from './en/routing.ts'
import { figuresOf } from './figures.ts'
import type { Sentences } from './types.ts'

export const en: Sentences = {
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
  figures: figuresOf('en'),
}
