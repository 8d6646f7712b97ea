import { basename } from 'node:path'
import type { Config } from '../../../../shared/config/schema.ts'
import type { CheckView, RoundView } from '../../../../shared/review.ts'
import { excerpt } from '../../../../shared/sentences/excerpt.ts'
import type { ExcerptCall } from '../stop-message/turn-excerpt.ts'
import type { Fence } from './fence.ts'
import { cutEnd, cutMiddle, withoutMarkers } from './shorten.ts'
import type { ReviewAsk } from './types.ts'
import { verdictMark } from './verdict.ts'

/** Limit of everything a reviewer is told at once. Long goals and long turns are shortened to it. */
export const contextChars = 60_000
const goalChars = 12_000
const checksChars = 6_000
const roundChars = 700

/**
 * Describes the session to the reviewer: certain facts in plain words, texts of the agent and its folder within a
 * fence. Never longer than `most`.
 */
export function contextOf(
  ask: ReviewAsk,
  config: Config['stopMessage']['review']['context'],
  fence: Fence,
  most = contextChars,
): string {
  const title = 'what the agent did and said, and what its folder declares'
  const plain = cutMiddle(certain(ask), Math.max(0, Math.floor(most / 3)))
  const room = most - plain.length - 2 - fence.extra(title)
  if (room < 0) return plain
  const before = parts([
    ['Declared checks', checksOf(ask)],
    ['Open work, as the folder’s beads say', ask.beads ?? ''],
    ['Earlier rounds, oldest first', roundsOf(ask.recent, config.rounds)],
    [
      'The agent’s last words',
      ask.turn ? cutMiddle(ask.turn.text, config.textChars) : 'not known: Onward was started again since',
    ],
  ])
  const head = cutMiddle(safe(before), Math.floor(room / 2))
  const calls = safe(callsOf(ask, config, room - head.length - 2))
  return `${plain}\n\n${fence.wrap(title, cutEnd(calls === '' ? head : `${head}\n\n${calls}`, room))}`
}

function certain({ goal, used, max, folder, language }: ReviewAsk): string {
  return safe(
    [
      `The goal, in the user’s words:\n${cutMiddle(goal.trim(), goalChars)}`,
      `Followups used: ${used}${max === null ? ', without a limit' : ` of ${max}, ${Math.max(0, max - used)} left`}.`,
      folder === null
        ? 'Nobody knows where the agent works: you have nothing but its own words, and no tools.'
        : `The agent works in the folder “${excerpt(basename(folder))}”. All paths are relative to it.`,
      `The user reads ${language === 'zh-CN' ? 'Chinese' : 'English'}.`,
    ].join('\n\n'),
  )
}

const parts = (all: readonly (readonly [title: string, text: string])[]): string =>
  all.flatMap(([title, text]) => (text === '' ? [] : [`## ${title}\n${text}`])).join('\n\n')

/** A quoted text may look like a verdict, and a program may repeat its question: neither must be found as a verdict. */
const safe = (text: string): string => withoutMarkers(text).replaceAll(verdictMark, '"goal_reached"')

function checksOf({ checks, checksProblem, folder }: ReviewAsk): string {
  if (folder === null) return ''
  const problem = checksProblem === null ? [] : [`The declaration of checks can’t be read: ${checksProblem}`]
  if (checks.length === 0 && problem.length === 0) return 'none'
  return cutEnd([...problem, ...checks.map(checkLine)].join('\n'), checksChars)
}

function checkLine({ name, argv, approval, changedFiles }: CheckView): string {
  const may =
    approval === 'approved'
      ? 'approved'
      : approval === 'removed'
        ? 'approved, and no longer declared: it still has to pass'
        : 'a person has not allowed it yet: it can’t be run'
  return (
    `- ${name}: ${argv.join(' ')} (${may}` +
    `${changedFiles.length > 0 ? `; changed since it was approved: ${changedFiles.slice(0, 5).join(', ')}` : ''}` +
    ')'
  )
}

const roundsOf = (recent: readonly RoundView[], most: number): string =>
  most === 0 ? '' : recent.slice(-most).map(roundLine).join('\n')

function roundLine({ n, did, review, sent, progress }: RoundView): string {
  const tools = did.tools
    .slice(0, 5)
    .map(({ name, count }) => `${name} ×${count}`)
    .join(', ')
  return [
    `- Round ${n}: ${did.calls} tool calls${tools === '' ? '' : ` (${tools})`}`,
    review ? `review: ${review.outcome.code}${review.say === '' ? '' : `, ${cutEnd(review.say, 200)}`}` : null,
    sent === null ? null : `told: ${cutEnd(sent, 300)}`,
    progress === false ? 'no progress after it' : null,
  ]
    .filter((part) => part !== null)
    .map((part) => cutEnd(part, roundChars))
    .join('; ')
}

/** The last calls of the turn, as many as there is room for, in their order. */
function callsOf(
  { turn }: ReviewAsk,
  { calls: most, callChars }: Config['stopMessage']['review']['context'],
  room: number,
): string {
  if (!turn || most === 0 || turn.calls.length === 0) return ''
  const shown: string[] = []
  let left = room - 80
  for (const call of turn.calls.slice(-most).toReversed()) {
    const line = callLine(call, callChars)
    if (line.length + 1 > left) break
    left -= line.length + 1
    shown.unshift(line)
  }
  return shown.length === 0
    ? ''
    : `## Tool calls of this turn, the last ${shown.length} of ${turn.callsTotal}\n${shown.join('\n')}`
}

function callLine({ name, arguments: args, result, isError }: ExcerptCall, most: number): string {
  const came = result === null ? 'no result is known' : `${isError ? 'failed: ' : ''}${cutMiddle(result, most)}`
  return `- ${cutEnd(name, 80)} ${cutMiddle(args, most)}\n  → ${came}`
}
