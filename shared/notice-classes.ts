export const noticeClasses = [
  'goal-reached',
  'needs-you',
  'injection-failed',
  'held-long',
  'budget',
  'limit',
  'alarm-due',
  'alarm-missed',
  'proxy-error',
] as const
export type NoticeClass = (typeof noticeClasses)[number]

/** `quiet-over`: what came in quiet hours, as one notice */
export type NoticeKind = NoticeClass | 'quiet-over'
