import type { RouteCategory } from '../../config/schema.ts'
import type { CategoryReason, PassedOver, ProviderHealth, Rest, RouteReason } from '../../routing.ts'
import { targetText } from '../../target-text.ts'
import { figuresOf } from '../figures.ts'
import { callFailure } from './call-failure.ts'
import { turn } from './states.ts'

const figures = figuresOf('en')
const count = (n: number): string => n.toLocaleString('en').replaceAll(',', ' ')

export function routeReason(reason: RouteReason): string {
  switch (reason.code) {
    case 'forced':
      return `A marker forces ${targetText(reason.target)} for this turn`
    case 'preferred':
      return `A marker prefers ${targetText(reason.target)}`
    case 'addressed':
      return `The client addressed ${reason.target} directly`
    case 'allowed':
      return `A marker allows only ${reason.providers.join(', ')}`
    case 'stand-in':
      return (
        `You chose ${targetText(reason.target)} in place of ` +
        `${reason.failed.map(targetText).join(' and ')}, until it answers again`
      )
    case 'alias':
      return `${reason.name} is an alias of ${reason.target}`
    case 'category':
      return `Route ${reason.category}: ${because(reason.because)}`
    case 'listed':
      return `No route is configured, and the provider lists ${reason.model}`
    case 'no-routes':
      return (
        'No route is configured: a provider of the client’s protocol ' +
        'with the client’s model, else another with its own'
      )
    case 'sticky':
      return (
        `${targetText(reason.target)} has served this session since ` +
        `${figures.minute(reason.since)}, so its prompt cache is warm`
      )
    case 'shared':
      return `It serves ${Math.round(reason.percent)}% of the sessions, and this one is among them`
    case 'trial':
      return 'Its cool-down is over: this turn tries whether it is back'
    case 'all-rest':
      return 'Everything rests, and this is the one that is back first'
    case 'said':
      return reason.text
  }
}

function because(reason: CategoryReason): string {
  switch (reason.code) {
    case 'named':
      return 'the client asked for it by its name'
    case 'auxiliary':
      return `a ${lower(turn(null, reason.kind))} is auxiliary`
    case 'small-model':
      return `${reason.model} is a small, fast model`
    case 'image':
      return 'an image is in the last message'
    case 'long':
      return `about ${count(reason.tokens)} tokens are over ${count(reason.threshold)}`
    case 'web-search':
      return 'the client brings a web search of its vendor'
    case 'thinking':
      return 'thinking is asked for'
    case 'otherwise':
      return 'no other route applies'
  }
}

export function passedOver(why: PassedOver, now: number): string {
  switch (why.code) {
    case 'unknown-provider':
      return 'there is no such provider'
    case 'disabled':
      return 'disabled in this session'
    case 'not-allowed':
      return 'not on this session’s allow-list'
    case 'policy':
      return `not allowed by your organisation${why.by === '' ? '' : ` (${why.by})`}`
    case 'protocol':
      return `speaks ${why.type}, and this request can’t be converted from ${why.entry}`
    case 'no-credential':
      return 'it takes the client’s own login, and this client sends none for it'
    case 'key-disabled':
      return `key ${why.key} is disabled in this session`
    case 'key-missing':
      return `key ${why.key} has no value: ${why.why}`
    case 'failed-now':
      return `failed in this turn${why.key === null ? '' : ` with key ${why.key}`} (${callFailure(why.failure)})`
    case 'resting':
      return `${why.key === null ? '' : `key ${why.key}: `}${rest(why.rest, now)}`
    case 'on-trial':
      return 'another request tries whether it is back'
    case 'limit-waits':
      return `${why.key === null ? '' : `key ${why.key}: `}the limit before it is waited for (limits.order)`
    case 'too-small':
      return `takes ${count(why.contextWindow)} tokens, and this is about ${count(why.tokens)}`
    case 'no-vision':
      return 'it sees no images'
    case 'said':
      return why.text
  }
}

/** As the rest of a sentence; `now` decides how long it still lasts. */
export function rest(why: Rest, now: number): string {
  return `${about(why)}${restAlone(why, now)}`
}

/** Names the resting part of a key, in front of the reason; empty for the whole key. */
function about(why: Rest): string {
  const subject = 'subject' in why ? why.subject : undefined
  if (subject === undefined) return ''
  return subject.kind === 'model' ? `model ${subject.name}: ` : `${subject.name} models: `
}

function restAlone(why: Rest, now: number): string {
  const left = figures.left(why.until, now)
  switch (why.why) {
    case 'failures':
      return `cooling down for ${left} after ${why.count === 1 ? '1 failure' : `${why.count} failures`}`
    case 'refused':
      return `refused (${why.status}), tried again in ${left}`
    case 'rate':
      return `asked too fast, rests for ${left}`
    case 'limit':
      return why.lifts === null
        ? 'limit reached, no time told when it lifts'
        : `limit reached, lifts at ${figures.minute(why.lifts)}, in ${figures.left(why.lifts, now)}`
  }
}

export function health(state: ProviderHealth, now: number): string {
  switch (state.kind) {
    case 'unused':
      return 'Not called yet'
    case 'healthy':
      return 'Healthy'
    case 'failing': {
      const calls = state.count === 1 ? 'Its last call' : `Its last ${state.count} calls`
      return `${calls} failed, since ${figures.minute(state.since)}: ${callFailure(state.failure)}`
    }
    case 'answers-again':
      return `Answers again: ${state.failed} of its last ${state.calls} calls failed`
    case 'resting':
      return (
        (state.models.length === 0 ? about(state.rest) : `${state.models.join(', ')}: `) + restSentence(state.rest, now)
      )
    case 'on-trial':
      return 'Its cool-down is over: the next call tries whether it is back'
    case 'some-keys':
      return state.keys.length === 1
        ? `Key “${state.keys[0] ?? ''}” rests. Turns use the others meanwhile`
        : `Keys ${state.keys.map((key) => `“${key}”`).join(', ')} rest. Turns use the others meanwhile`
    case 'no-key':
      return 'No key has a value'
    case 'forbidden':
      return `Not allowed by your organisation${state.by === '' ? '' : ` (${state.by})`}`
  }
}

function restSentence(why: Rest, now: number): string {
  const left = figures.left(why.until, now)
  switch (why.why) {
    case 'failures':
      return (
        `Cooling down for ${left} after ` +
        `${why.count === 1 ? '1 failure' : `${why.count} failures`}, then one trial call`
      )
    case 'refused':
      return `The key was refused (${why.status}). It is tried again in ${left}`
    case 'rate':
      return `Asked too fast. It rests for ${left}`
    case 'limit':
      return why.lifts === null
        ? `Limit reached at ${figures.minute(why.since)}. The provider does not say when it lifts`
        : `Limit reached at ${figures.minute(why.since)}. It lifts at ` +
            `${figures.minute(why.lifts)}, in ${figures.left(why.lifts, now)}`
  }
}

/** The purpose of a route, shown beside its name. */
const categoryWords: Readonly<Record<RouteCategory, string>> = {
  default: 'everything else',
  background: 'small and auxiliary',
  thinking: 'thinking asked for',
  longContext: 'many tokens',
  vision: 'image in the message',
  webSearch: 'web search of a vendor',
  coding: 'by name',
  tools: 'by name',
  review: 'the reviewer',
}
export const category = (name: RouteCategory): string => categoryWords[name]

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
