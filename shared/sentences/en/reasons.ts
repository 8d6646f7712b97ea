import type { BackgroundWait } from '../../background.ts'
import type {
  BudgetKind,
  ClearedBy,
  DecisionStep,
  DoneReason,
  FailReason,
  FinishKind,
  HoldReason,
  MarkerHeldWhy,
  PauseReason,
  ReviveRest,
  ScreenUnknown,
  SkipReason,
} from '../../events.ts'
import type { InboxView } from '../../state.ts'
import type { RequestKind } from '../../words.ts'
import { excerpt } from '../excerpt.ts'
import { figuresOf, plural } from '../figures.ts'
import { choicesInShort } from '../choices.ts'
import { parseNeed, type Need } from '../needs.ts'

const figures = figuresOf('en')

/** Why an agent that ended is not started again; what a person can do where they have to. */
const restsWords: Readonly<Record<ReviveRest, string>> = {
  quit: 'you quit it',
  told: 'its terminal was closed, or it was told to end',
  'ended-well': 'it ended without an error',
  'no-resume': 'it is not known how this agent goes on with a conversation',
  arguments: 'with its arguments it is not known how it goes on',
  'no-conversation': 'it is not known which conversation it had',
  'too-often': 'it was started again three times within an hour',
  'not-started': 'it could not be started',
}
export const rests = (why: ReviveRest): string => restsWords[why]

export function need(what: string): string {
  const asked = parseNeed(what)
  switch (asked.kind) {
    case 'permission':
      return asked.detail ? `Asks to run “${excerpt(asked.detail)}”` : 'Asks for permission'
    case 'act':
      return wants(asked.act, excerpt(asked.detail))
    case 'question':
      return asked.detail ? `Asks: ${excerpt(asked.detail)}` : 'Asks a question'
    case 'blocker':
      return asked.detail ? `Blocked: ${excerpt(asked.detail)}` : 'Blocked: it can’t go on without you'
    case 'phrase':
      return `Asks for ${excerpt(asked.phrase)}`
    case 'words':
      return asked.detail ? `Asks: ${excerpt(asked.detail)}` : 'Waits for your answer'
    case 'calls-elsewhere':
      return 'Its calls do not come through Onward: look at its settings, then start it by Onward’s command'
  }
}

function wants(act: Extract<Need, { kind: 'act' }>['act'], what: string): string {
  switch (act) {
    case 'edit':
      return `Asks to edit ${what}`
    case 'write':
      return `Asks to write ${what}`
    case 'fetch':
      return `Asks to fetch ${what}`
    case 'access':
      return `Asks for access to ${what}`
    case 'use':
      return `Asks to use “${what}”`
  }
}

/** follows the question */
export const offered = (labels: readonly string[] = []): string =>
  labels.length === 0 ? '' : ` (${choicesInShort(labels).join(' · ')})`

export function inbox(view: InboxView): string {
  if (view.used) return 'Texts go to the agent’s own inbox'
  switch (view.why.code) {
    case 'none':
      return 'Texts are typed: Onward knows no inbox of this agent'
    case 'version':
      return `Texts are typed: the inbox of this version is not known (${view.why.version ?? 'it tells none'})`
    case 'program-unknown':
      return 'Texts are typed: Onward does not see which program the agent is'
  }
}

export function hold(reason: HoldReason): string {
  switch (reason.code) {
    case 'response-running':
      return 'Held: the answer is still arriving'
    case 'settling':
      return 'Held: the screen is settling'
    case 'shell-in-front':
      return `Held: ${reason.program} is in front, not the agent`
    case 'foreground-unknown':
      return 'Held: the program in front is not known'
    case 'agent-busy':
      return 'Held: the agent is busy'
    case 'dialog-open':
      return reason.what ? `Held: a dialog is open, ${lower(need(reason.what))}` : 'Held: a dialog is open'
    case 'typing':
      return 'Held: you are typing'
    case 'draft':
      return 'Held: you are in the middle of a line'
    case 'enter-ignored':
      return 'Held: the text stands in the input line, and Enter did nothing'
    case 'not-drawn':
      return 'Held: the text was typed, and the agent has not shown it yet'
    case 'screen-unknown':
      return `Held: the screen is not one Onward knows${seenInstead(reason)}`
    case 'screen-unread':
      return 'Held: the screen is being read'
    case 'stopped':
      return 'Held: you stopped the agent'
    case 'copy-mode':
      return 'Held: the tmux pane is in copy mode'
    case 'tmux-mode':
      return `Held: the tmux pane shows ${tmuxMode(reason.mode)}`
    case 'other-conversation':
      return reason.unseen
        ? 'Held: nothing on the screen shows that this is its conversation'
        : 'Held: the terminal shows another conversation'
    case 'paused':
      return reason.by === 'global' ? 'Held: all automation is paused' : 'Held: this session is paused'
    case 'behind':
      return 'Held: another followup goes first'
    case 'near-limit':
      return (
        `Held until ${figures.minuteOfDay(reason.until, reason.at)}: ` +
        `${Math.floor(reason.usedPercent)}% of ${reason.provider}’s limit “${reason.window}” are used`
      )
    case 'terminal-offline':
      return 'Held: the terminal can’t be reached right now'
    case 'inbox-away':
      return `Held: the agent’s own inbox takes nothing right now, ${excerpt(reason.why)}`
    case 'store-failed':
      return `Held: the queue could not be saved, ${excerpt(reason.message)}`
  }
}

function tmuxMode(mode: string): string {
  switch (mode) {
    case 'clock-mode':
      return 'tmux’s clock'
    case 'tree-mode':
      return 'tmux’s list of sessions'
    case 'options-mode':
      return 'tmux’s options'
    case 'buffer-mode':
      return 'tmux’s list of paste buffers'
    case 'client-mode':
      return 'tmux’s list of clients'
    case 'view-mode':
      return 'the output of a tmux command'
    default:
      return `tmux’s ${mode}`
  }
}

function seenInstead({ seen, sign }: ScreenUnknown): string {
  switch (seen) {
    case undefined:
      return ''
    case 'blank':
      return ', it is empty'
    case 'menu':
      return ', its last lines look like a menu'
    case 'question':
      return ', its last line looks like a question'
    case 'shell-prompt':
      return ', its last line looks like a shell’s prompt'
    case 'sign':
      return `, its input line begins with “${sign ?? '?'}”`
    case 'cursor':
      return ', the cursor is not in the input line'
    case 'text':
      return ', no input line is to be seen'
  }
}

export function holdNext(reason: HoldReason): string {
  switch (reason.code) {
    case 'response-running':
      return 'Onward types once the answer is complete.'
    case 'settling':
      return 'Onward types in a moment.'
    case 'shell-in-front':
      return 'Onward types once the agent is in front again, never into a shell.'
    case 'foreground-unknown':
      return 'Onward types only where it knows that the agent is in front.'
    case 'agent-busy':
      return 'Onward types once the agent is idle.'
    case 'dialog-open':
      return 'Onward never answers a dialog. It types once you have.'
    case 'typing':
    case 'draft':
      return 'Onward types once your line is sent or cleared.'
    case 'enter-ignored':
      return 'Send it, or take it out.'
    case 'not-drawn':
      return 'Onward looks on, and sends it once it stands in the input line.'
    case 'screen-unknown':
      return 'Onward types once it recognises the agent’s empty input line. If it never does, report the screen.'
    case 'screen-unread':
      return 'Onward types once the terminal has answered.'
    case 'stopped':
      return 'Onward types again once you have written to it.'
    case 'copy-mode':
      return 'Onward types once copy mode is left.'
    case 'tmux-mode':
      return 'Onward types once that is closed: q does so.'
    case 'other-conversation':
      return reason.unseen
        ? 'Onward types once its last words are on the screen again. “Send now” types it here.'
        : 'Onward types once this conversation is in front again.'
    case 'paused':
      return 'Onward types after you resume.'
    case 'behind':
      return 'Onward types it after the one before.'
    case 'near-limit':
      return 'Onward types after the reset. “Send now” types it at once; limits.pauseAt says from when on it waits.'
    case 'terminal-offline':
      return 'Onward types once the terminal answers again.'
    case 'inbox-away':
      return 'Onward tries again, and types nothing meanwhile. With "stopMessage.delivery": "inject" it types.'
    case 'store-failed':
      return 'Onward types once the queue can be written to disk. Nothing was typed.'
  }
}

export function skip(reason: SkipReason): string {
  return `Did not fire: ${skipCause(reason)}`
}

function skipCause(reason: SkipReason): string {
  switch (reason.code) {
    case 'reentered-followup':
      return 'this exchange is a followup itself'
    case 'not-a-turn':
      return notATurn[reason.kind]
    case 'paused':
      return reason.by === 'global' ? 'all automation is paused' : 'this session is paused'
    case 'no-scope':
      return 'no terminal is known for this session'
    case 'stage-mode-off':
      return 'staging is off for this session'
    case 'nothing-armed':
      return 'nothing is armed'
    case 'rounds-used':
      return `${reason.used} of ${plural(reason.max, 'round')} used`
    case 'terminal-gone':
      return gone(reason.why)
    case 'not-a-plain-stop':
      return notAPlainStop[reason.finish]
    case 'client-left':
      return 'the client left before the answer was complete'
    case 'budget':
      return `the budget is used up, ${budget(reason.budget, reason.limit)}`
    case 'agent-not-finished':
      return notFinished[reason.why]
    case 'entry-pending':
      return 'a followup is on its way already'
    case 'review-running':
      return 'the reviewer is looking already'
    case 'other-conversation':
      return 'the terminal shows another conversation'
    case 'background-work':
      return `it waits for ${background(reason)} until ${figures.minute(reason.until)}`
    case 'near-limit':
      return (
        `${Math.floor(reason.usedPercent)}% of ${reason.provider}’s limit “${reason.window}” are used ` +
        `until ${figures.minuteOfDay(reason.until, reason.at)}`
      )
  }
}

/** Work that an agent left running after its turn. */
export function background({ kind, what, more }: BackgroundWait): string {
  const named = what === null ? '' : `“${excerpt(what, 60)}”`
  return `${named === '' ? unnamed[kind] : `${of[kind]}${named}`}${more === 0 ? '' : ` and ${more} more`}`
}
const of = { command: '', monitor: 'the monitor ', agent: 'the sub-agent ', other: '' } as const
const unnamed = {
  command: 'a command in the background',
  monitor: 'a monitor',
  agent: 'its sub-agents',
  other: 'work in the background',
} as const

const notATurn: Readonly<Record<RequestKind, string>> = {
  turn: 'this is not a turn',
  subagent: 'a sub-agent’s answer is not a turn of the session',
  title: 'a title request is not a turn',
  compaction: 'a compaction is not a turn',
  count: 'a token count is not a turn',
  probe: 'a probe is not a turn',
  aside: 'a side request is not a turn',
  warm: 'a request that keeps a cache is not a turn',
}

const notAPlainStop: Readonly<Record<FinishKind, string>> = {
  stop: 'the stop is not a plain one',
  'tool-calls': 'the agent called a tool, so it is not finished',
  length: 'the answer was cut at its length limit',
  'content-filter': 'the provider’s content filter ended the answer',
  refusal: 'the model refused',
  'pause-turn': 'the provider paused the turn and goes on by itself',
  incomplete: 'the answer is incomplete',
  error: 'the request failed',
  'broken-off': 'the answer broke off',
}

const notFinished: Readonly<Record<'own-goal' | 'own-loop' | 'own-schedule', string>> = {
  'own-goal': 'the agent follows a goal of its own',
  'own-loop': 'the agent runs a loop of its own',
  'own-schedule': 'the agent follows a schedule of its own',
}

/** `why` is the engine's own phrase; the common ones get plain words. */
function gone(why: string): string {
  if (/pane/i.test(why)) return 'the tmux pane is gone'
  if (/never|refus/i.test(why)) return 'nothing may be typed into this terminal any more'
  return /^(|gone|exit(ed)?|closed|ended)$/i.test(why.trim())
    ? 'the terminal is gone'
    : `the terminal is gone (${excerpt(why)})`
}

export function fail(reason: FailReason): string {
  switch (reason.code) {
    case 'terminal-gone':
      return `Not typed: ${gone(reason.why)}`
    case 'agent-gone':
      return 'Not typed: the agent has quit'
    case 'not-submitted':
      return 'Not submitted: the input line lost the text each time'
    case 'not-received':
      return 'Not received: no request carried the text within a minute'
    case 'other-conversation':
      return 'It was sent in another conversation of its terminal'
    case 'dialog-took-text':
      return 'Not submitted: a dialog opened while Onward typed'
    case 'typing-failed':
      return `Not typed: ${excerpt(reason.message)}`
    case 'unknown-after-crash':
      return 'Not certain: Onward restarted while it typed, so it won’t type this again'
    case 'store-failed':
      return `Not typed: the queue could not be saved, ${excerpt(reason.message)}`
    case 'terminal-refused':
      return `Not typed: the terminal refused, ${excerpt(reason.message)}`
  }
}

export const thenGoesOn = (at: number | undefined): string =>
  at === undefined ? '' : `; goes on at ${figures.minute(at)} unless you say otherwise`

export function pause(reason: PauseReason): string {
  switch (reason.code) {
    case 'by-user':
      return 'Paused by you'
    case 'not-received':
      return 'Paused to ask: no receipt came for the last followup'
    case 'not-submitted':
      return 'Paused to ask: the input line lost the text each time'
    case 'budget':
      return `Paused to ask: ${spent(reason.budget, reason.limit)}${thenGoesOn(reason.goesOnAt)}`
    case 'needs-user':
      return `Paused to ask: ${excerpt(reason.text)}`
    case 'checks-unapproved':
      return (
        `Asks to run ${reason.names.length === 1 ? 'the check' : 'the checks'} ` +
        `${listed(reason.names)}: the goal seems reached`
      )
    case 'review-failed':
      return `Paused to ask: the reviewer failed ${reason.times} times in a row, ${excerpt(reason.why)}`
  }
}

function spent(kind: BudgetKind, limit: number): string {
  switch (kind) {
    case 'rounds':
      return `${plural(limit, 'round')} are done`
    case 'time':
      return `it has gone on for ${limit} h`
    case 'no-progress':
      return budget(kind, limit)
    case 'tokens':
    case 'cost':
      return `${budget(kind, limit)} are spent`
  }
}

export function budget(kind: BudgetKind, limit: number): string {
  switch (kind) {
    case 'rounds':
      return plural(limit, 'round')
    case 'time':
      return `${limit} h`
    case 'no-progress':
      return `${plural(limit, 'round')} without progress`
    case 'tokens':
      return `${figures.tokens(limit)} tokens`
    case 'cost':
      return figures.money(limit)
  }
}

export function done(reason: DoneReason): string {
  switch (reason.code) {
    case 'rounds-used':
      return reason.max === 1 ? 'The one round is used' : `All ${reason.max} rounds used`
    case 'goal-reached':
      return goalReached(reason)
    case 'no-open-work':
      return 'Done: no open beads work'
  }
}

function goalReached({ checks, evidence }: Extract<DoneReason, { code: 'goal-reached' }>): string {
  if (checks === undefined) return 'Goal reached'
  if (checks > 0) return `Goal reached, ${checks === 1 ? 'its check passes' : `${checks} of ${checks} checks pass`}`
  return `Goal reached, unchecked${evidence ? `: ${excerpt(evidence)}` : ''}`
}

/** Why a marker was cut out and not followed. */
const markerHeldWords: Readonly<Record<MarkerHeldWhy, string>> = {
  'in-paste': 'A marker inside pasted text was not followed',
  'in-middle': 'A marker in the middle of several lines was not followed',
  quoted: 'A marker in a quotation or a comment was not followed',
  'new-file': 'A goal from a file waits until you have looked at it',
  program: 'Another program asks for this, and waits for your word',
  unproven: 'Nothing shows that you typed this marker, so it was not followed',
}
export const markerHeld = (why: MarkerHeldWhy): string => markerHeldWords[why]

const clearedWords: Readonly<Record<ClearedBy, string>> = {
  marker: 'Cleared by a marker',
  user: 'Cleared by you',
  'rounds-used': 'Cleared: all rounds used',
  failure: 'Cleared: the followup could not be delivered',
  'terminal-gone': 'Cleared: the terminal is gone',
  orphaned: 'Cleared: nobody came back to this terminal within 10 minutes',
  'goal-reached': 'Cleared: the goal is reached',
}
export const cleared = (by: ClearedBy): string => clearedWords[by]

/** `detail` is the engine's own fact: a terminal, a count, a program. */
export function step({ check, ok, detail }: DecisionStep): string {
  const more = detail ? `: ${excerpt(detail, 80)}` : ''
  switch (check) {
    case 'not-reentered':
      return ok ? 'Not a followup of its own' : 'This exchange is a followup itself'
    case 'is-turn':
      return ok ? 'Request is a turn, not a compaction' : `Request is not a turn${more}`
    case 'not-paused':
      return ok ? 'Automation is not paused' : `Automation is paused${more}`
    case 'has-scope':
      return ok ? `Terminal found${more}` : 'No terminal is known'
    case 'stage-mode':
      return ok ? 'Staging allows it' : 'Staging is off'
    case 'armed':
      return ok ? `Armed${more}` : 'Nothing is armed'
    case 'rounds-free':
      return ok ? `A round is free${more}` : `All rounds are used${more}`
    case 'terminal-alive':
      return ok ? `Terminal is alive${more}` : `Terminal is gone${more}`
    case 'plain-stop':
      return ok ? 'Plain stop, no tool call open' : `Not a plain stop${more}`
    case 'client-stayed':
      return ok ? 'The client took the whole answer' : 'The client left too early'
    case 'budget-free':
      return ok ? `Budget not reached${more}` : `Budget is used up${more}`
    case 'agent-finished':
      return ok ? 'The agent is finished by itself' : `The agent is not finished${more}`
    case 'current-conversation':
      return ok ? 'The terminal shows this conversation' : 'The terminal shows another conversation'
    case 'no-entry-pending':
      return ok ? 'No other followup on its way' : `A followup is on its way${more}`
    case 'below-limit':
      return ok ? 'No limit is near' : `A limit is near, and the client can’t wait in this call${more}`
    case 'background-over':
      return ok ? 'Nothing to wait for in the background' : `It waits for work in the background${more}`
  }
}

/** Names of checks as a sentence has them. */
export const listed = (names: readonly string[]): string =>
  (names.length < 4 ? names : [...names.slice(0, 3), `${names.length - 3} more`]).join(', ')

const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)
