import { organisation, policyTrouble } from './config-faults.ts'
import { secretsKept, secretsMend } from './secrets.ts'
import type { DoctorFact, DoctorWords, ReviewerTrouble } from '../../doctor.ts'
import { targetText } from '../../target-text.ts'

export function doctor(fact: DoctorFact): DoctorWords {
  switch (fact.code) {
    case 'config-runs':
      return fine(`${fact.path} is what runs.`)
    case 'config-problem':
      return {
        say: `${fact.path} is not what runs: ${fact.problem}`,
        mend: 'Mend the file; the engine takes it up by itself.',
      }
    case 'policy':
      return fine(
        `${organisation(fact.organisation)} sets rules for Onward in ${fact.source}.` +
          (fact.bounded.length === 0 ? '' : ` They hold ${fact.bounded.join(', ')}.`),
      )
    case 'policy-trouble':
      return { say: policyTrouble(fact.trouble), mend: 'Ask who keeps this file; a mended one is taken up by itself.' }
    case 'provider-simulator':
      return fine(`The provider ${fact.provider} is the simulator: built in, and no model.`)
    case 'provider-answers':
      return fine(`The provider ${fact.provider} at ${fact.host} answers (${fact.status}).`)
    case 'provider-unreachable':
      return {
        say: `The provider ${fact.provider} can’t be reached at ${fact.baseUrl}: ${fact.why}.`,
        mend: `Check providers.${fact.provider}.baseUrl in the config, the network and a proxy’s settings.`,
      }
    case 'key-set':
      return fine(`The key ${fact.key} of ${fact.provider} has a value.`)
    case 'key-missing':
      return {
        say: `The key ${fact.key} of ${fact.provider} has no value: ${fact.why}.`,
        mend:
          'Give it another one in Providers, or set it where providers.' +
          `${fact.provider}.keys says and start the engine from there.`,
      }
    case 'reviewer':
      return fine(`Goals are reviewed by ${kinds[fact.kind]}${fact.by}.`)
    case 'reviewer-program-missing':
      return {
        say: `Goals are reviewed by the program ${fact.program}, which is not found.`,
        mend: 'Install it where your login shell finds it, or write its whole path in stopMessage.review.command.',
      }
    case 'reviewer-trouble':
      return {
        say: reviewerTrouble(fact.why),
        mend: `Goals are sent as they are written until then. ${howToReview[fact.backend]}`,
      }
    case 'reviewer-later':
      return fine(reviewerTrouble({ code: 'no-provider' }))
    case 'secrets-kept':
      return fine(secretsKept(fact.kept))
    case 'secrets-trouble':
      return { say: secretsKept(fact.kept), mend: secretsMend(fact.kept) }
    case 'terminals':
      return fine(fact.count === 1 ? '1 terminal is connected.' : `${fact.count} terminals are connected.`)
    case 'collector':
      return fine(`Telemetry goes to the collector at ${fact.host}.`)
    case 'collector-away':
      return {
        say: `The collector at ${fact.host} takes no telemetry: ${fact.why}.`,
        mend: 'Start it, or correct telemetry.collector and telemetry.headers in the config; null switches it off.',
      }
    case 'fleet':
      return fine(`In the fleet ${fact.name} at ${fact.url} as ${fact.engine}.`)
    case 'fleet-away':
      return {
        say: `The hub of the fleet ${fact.name} is away: ${fact.why}`,
        mend: 'It is tried again by itself. `onward fleet leave` ends that.',
      }
    case 'calls-elsewhere':
      return {
        say: `The calls of ${fact.name}${fact.cwd === null ? '' : ` in ${fact.cwd}`} do not come through Onward.`,
        mend:
          'See which of its settings or arguments name another address or login (docs/clients.md), ' +
          'then quit it and start it by Onward’s command.',
      }
    case 'agent':
      return fine(
        `${fact.version === null ? fact.title : `${fact.title} ${fact.version}`}` +
          ` at ${fact.path}: ${standing(fact.standing)}`,
      )
  }
}

export function reviewerTrouble(why: ReviewerTrouble): string {
  switch (why.code) {
    case 'no-program':
      return 'stopMessage.review.command names no program.'
    case 'no-provider':
      return 'No provider is configured, and the simulator can’t review.'
    case 'unknown-model':
      return `stopMessage.review.model is “${why.model}”, and no such provider is configured.`
    case 'client-login':
      return `${targetText(why.target)} takes the client’s own login, which a reviewer has not.`
    case 'no-route':
      return 'There is neither a route “review” nor a route “default” that could review.'
  }
}

function standing(agent: Extract<DoctorFact, { code: 'agent' }>['standing']): string {
  switch (agent.kind) {
    case 'verified':
      return 'verified.'
    case 'newer':
      return (
        `newer than verified (${agent.than}). Its screens may have changed: ` +
        'where nothing is typed into it, `onward terminals screen` reports one.'
      )
    case 'older':
      return `older than verified (${agent.than}).`
    case 'untold':
      return 'it does not tell its version.'
  }
}

const fine = (say: string): DoctorWords => ({ say, mend: null })
const kinds = { route: 'the route ', model: '', program: 'the program ' } as const
const howToReview = {
  command: 'Name a program: "stopMessage": { "review": { "command": ["codex", "exec", "-"] } }.',
  model:
    'Add a route: "routes": { "review": ["provider.model"] }, with a provider that has a key, ' +
    'or name a model in stopMessage.review.model.',
}
