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

/** `quiet-over`: what came in quiet hours, told as one */
export type NoticeKind = NoticeClass | 'quiet-over'
