import type { NoticeFact } from '../../../shared/sentences/types.ts'

/** The fact without words of a person, a model, a screen or a file. Names of sessions and providers stay. */
export function withoutTexts(fact: NoticeFact): NoticeFact {
  switch (fact.class) {
    case 'goal-reached':
      return fact.reason.code === 'goal-reached'
        ? { ...fact, reason: { code: 'goal-reached', ...(fact.reason.checks ? { checks: fact.reason.checks } : {}) } }
        : fact
    case 'needs-you':
      return needsYou(fact)
    case 'held-long':
      return fact.reason.code === 'dialog-open' ? { ...fact, reason: { code: 'dialog-open' } } : fact
    case 'alarm-due':
    case 'alarm-missed':
      return { ...fact, message: '' }
    case 'injection-failed':
    case 'budget':
    case 'limit':
    case 'proxy-error':
    case 'quiet-over':
      return fact
  }
}

function needsYou(fact: Extract<NoticeFact, { class: 'needs-you' }>): NoticeFact {
  const { pause, leftGoal, failure, what, choices: _, ...rest } = fact
  // Behind the colon stands what is asked; before it, of which kind it is.
  const kind = /^(permission|question|blocker|calls-elsewhere)\b/.exec(what)?.[0] ?? 'a question'
  return {
    ...rest,
    what: kind,
    ...(failure ? { failure } : {}),
    ...(leftGoal === undefined ? {} : { leftGoal: null }),
    ...(pause && pause.code !== 'needs-user' && pause.code !== 'review-failed' && pause.code !== 'checks-unapproved'
      ? { pause }
      : {}),
  }
}
