import type { Config } from '../../../shared/config/schema.ts'
import { refusalOf } from '../../../shared/policy/apply.ts'
import type { PassedOver, ProviderView, Quota, RouteAnswer } from '../../../shared/routing.ts'
import { OnwardError } from '../base/errors.ts'
import type { Clock } from '../base/clock.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import { targetText } from '../../../shared/target-text.ts'
import { isChosen, nameOf, type StandIn } from './candidates.ts'
import { createCalls, isFull, wentWell, modelName } from './health/calls.ts'
import { createHealth, type HealthEvent } from './health/health.ts'
import { createSilences, type Silences } from './health/silences.ts'
import type { Bound } from '../protocol/types.ts'
import { subjectsOf } from './limits/subject.ts'
import type { LimitReport, ReadLimit, ReadQuotas } from './limits/types.ts'
import { prepared, providersOf, splitTarget } from './prepared.ts'
import { providerViews } from './provider-views.ts'
import { markOf, select, type Selection, createSticky } from './select.ts'
import type { RouteAsk, RouteChoice, RouteOutcome, Tried } from './types.ts'

export interface Router {
  /**
   * `tried`: the choices that failed in this turn. @throws OnwardError `no-route` (503) | `all-resting` (429, with
   * `retryAfter` and, at a limit, `limit` in its details)
   */
  choose(ask: RouteAsk, tried?: readonly Tried[]): RouteChoice
  /** true if anything is left to try; changes nothing */
  hasRoute(ask: RouteAsk, tried: readonly Tried[]): boolean
  /** the choice `choose` would make; changes nothing. null: nowhere */
  peek(ask: RouteAsk): RouteChoice | null
  /** where the request would go, in words; changes nothing */
  explain(ask: RouteAsk): RouteAnswer
  /** notes the outcome of a choice. @returns the limit that a refusal names */
  report(ask: RouteAsk, choice: RouteChoice, outcome: RouteOutcome): LimitReport | null
  /** the models that clients may ask for */
  models(): readonly { id: string; owner: string }[]
  isProvider(providerId: string): boolean
  isModel(providerId: string, model: string): boolean
  /** by alias, or by place in the key list counted from 1 */
  isKey(providerId: string, key: string | number): boolean
  views(): readonly ProviderView[]
  /** windows that this choice's model uses up, by the last answer to its key */
  quotasOf(choice: RouteChoice): readonly Quota[]
  /** of the last client that sent one of its own (RouteAsk.credential) */
  lastCredential(): string | null
  /** At every choice, calls `standInOf` for what a person wants for the session while something else fails. */
  useStandIns(standInOf: (sessionId: string) => StandIn | null): void
}

export interface RouterDeps {
  config(): Config
  clock: Clock
  /** what is known of the models' silences; absent: nothing, and it is not kept */
  silences?: Silences
  /** the secret of a configured key, or why it can't be had */
  secretOf(providerId: string, alias: string): { ok: true; value: string } | { ok: false; why: string }
  readLimit: ReadLimit
  readQuotas: ReadQuotas
  /** for timeline and notifications */
  onHealthEvent?(event: HealthEvent): void
  /** a call to `provider.model` ended, well or not */
  onCall?(target: string, good: boolean): void
  /** something that a viewer of the providers sees has changed */
  onChange?(): void
}

/** Decides where each turn goes. Reads the config at every choice, so a live change counts from the next turn on. */
export function createRouter({
  config,
  clock,
  secretOf,
  readLimit,
  readQuotas,
  onHealthEvent,
  ...deps
}: RouterDeps): Router {
  const { onChange, onCall } = deps
  let standInOf: (sessionId: string) => StandIn | null = () => null
  const sticky = createSticky(clock, () => config().routing.stickyMinutes)
  const calls = createCalls(clock.now)
  const silences = deps.silences ?? createSilences()
  let lastCredential: string | null = null
  const health = createHealth({
    clock,
    readLimit,
    settings: () => config().routing,
    onEvent: onHealthEvent ?? (() => undefined),
    onChange: onChange ?? (() => undefined),
  })
  const pick = (ask: RouteAsk, tried: readonly Tried[]): Selection =>
    select(ask, tried, {
      config: config(),
      health,
      sticky,
      secretOf,
      now: clock.now,
      standIn: ask.sessionId === null || ask.test ? null : standInOf(ask.sessionId),
    })

  const providerOf = (providerId: string) => {
    const providers = providersOf(config())
    return Object.hasOwn(providers, providerId) ? providers[providerId] : undefined
  }

  return {
    choose(ask, tried = []) {
      const picked = pick(ask, tried)
      if (picked.kind === 'nowhere') throw nowhere(ask, picked, clock.now())
      if (!ask.test) health.claim(picked.choice)
      picked.choice.measured = silences.of(modelName(picked.choice, picked.choice.upstreamModel))
      return picked.choice
    },
    hasRoute: (ask, tried) => pick(ask, tried).kind === 'goes',
    peek(ask) {
      const picked = pick(ask, [])
      return picked.kind === 'goes' ? picked.choice : null
    },
    explain(ask) {
      const picked = pick(ask, [])
      if (picked.kind === 'nowhere')
        return {
          kind: 'nowhere',
          message: nowhere(ask, picked, clock.now()).message,
          why: picked.why,
          skipped: picked.skipped,
        }
      const { fact, provider, upstreamModel } = picked.choice
      return { kind: 'goes', route: fact, contextWindow: provider.models[upstreamModel]?.contextWindow ?? null }
    },
    report(ask, choice, outcome) {
      const { sessionId } = ask
      if (
        outcome.kind === 'began' &&
        sessionId !== null &&
        !ask.test &&
        choice.fact.why.every((reason) => reason.code !== 'forced' && !isChosen(reason))
      ) {
        const mark =
          choice.fact.category === null ? '' : (prepared(config()).pools.get(choice.fact.category)?.mark ?? '')
        sticky.keep(
          sessionId,
          choice.fact.category,
          markOf(mark, ask),
          `${choice.providerId}.${choice.upstreamModel}`,
          choice.key?.alias ?? null,
        )
      }
      if (choice.credential !== null) lastCredential = choice.credential
      calls.note(choice, outcome)
      if ('longest' in outcome && outcome.longest)
        silences.note(modelName(choice, choice.upstreamModel), outcome.longest)
      if (outcome.kind !== 'began' && outcome.kind !== 'left' && !isFull(outcome))
        onCall?.(nameOf({ providerId: choice.providerId, model: choice.upstreamModel }), wentWell(outcome))
      if (outcome.kind === 'answered' || outcome.kind === 'refused' || outcome.kind === 'unreachable') onChange?.()
      return health.report(choice, outcome)
    },
    models: () => modelsOf(config()),
    isProvider: (providerId) => Object.hasOwn(providersOf(config()), providerId),
    isModel(providerId, model) {
      const provider = providerOf(providerId)
      if (provider === undefined || refusalOf(config().held, providerId, provider, model)) return false
      const { models } = provider
      return (
        Object.keys(models).length === 0 || Object.hasOwn(models, model) || namedInConfig(config(), providerId, model)
      )
    },
    isKey(providerId, key) {
      const keys = providerOf(providerId)?.keys ?? []
      return typeof key === 'number' ? key >= 1 && key <= keys.length : keys.some((k) => k.alias === key)
    },
    lastCredential: () => lastCredential,
    useStandIns(given) {
      standInOf = given
    },
    quotasOf(choice) {
      const headers = calls.headersOf(choice)
      const subjects = subjectsOf(choice.upstreamModel)
      return (headers === null ? [] : readQuotas(headers, clock.now())).filter(
        ({ subject }) => !subject || subjects.some(({ kind, name }) => kind === subject.kind && name === subject.name),
      )
    },
    views: () =>
      providerViews({ config: config(), health, calls, silences, sticky, secretOf, readQuotas, now: clock.now() }),
  }
}

function modelsOf(config: Config): { id: string; owner: string }[] {
  const providers = providersOf(config)
  const isFree = (id: string, model: string) => {
    const provider = providers[id]
    return provider === undefined || refusalOf(config.held, id, provider, model) === null
  }
  const listed = Object.entries(providers).flatMap(([owner, provider]) =>
    Object.keys(provider.models).flatMap((id) => (isFree(owner, id) ? [{ id, owner }] : [])),
  )
  const aliases = Object.entries(config.aliases).flatMap(([id, text]) => {
    const target = splitTarget(text, providers)
    return target && !isFree(target.providerId, target.model) ? [] : [{ id, owner: 'alias' }]
  })
  return [...aliases, ...listed]
}

/** True for models that no provider lists but a route or an alias names. */
function namedInConfig({ routes, aliases }: Config, providerId: string, model: string): boolean {
  const targets = [
    ...Object.values(routes)
      .flatMap((pool) => pool ?? [])
      .map((entry) => (typeof entry === 'string' ? entry : entry.target)),
    ...Object.values(aliases),
  ]
  return targets.some((text) => splitTarget(text, { [providerId]: true })?.model === model)
}

/** After this code Claude Code 2.1.332 sends the whole conversation. */
const boundCodes: Readonly<Record<Bound, string>> = {
  thread: 'thread_unsupported_request',
  compaction: 'compaction_unsupported',
  prompt: 'prompt_unsupported',
}
const boundWords: Readonly<Record<Bound, string>> = {
  thread:
    'thread: this request only continues a thread that Anthropic keeps (message-threads), and goes to another ' +
    'provider. Send the whole conversation.',
  compaction:
    'Only a provider that speaks Responses can compact this conversation, or read what was compacted, and this ' +
    'request goes to another. Let the agent compact by itself (Codex does for a provider of a name of its own), ' +
    'or begin a new conversation.',
  prompt:
    'prompt: this request only names a prompt that OpenAI stores, and goes to another vendor, which can’t read it. ' +
    'Send the words of it as input, or add a Responses provider to the route.',
}

/** Reasons that only a person can change. */
const lasting: ReadonlySet<PassedOver['code']> = new Set<PassedOver['code']>([
  'policy',
  'unknown-provider',
  'disabled',
  'not-allowed',
  'protocol',
  'no-credential',
  'key-disabled',
  'key-missing',
])

/** 400, as Codex 0.171.0 asks five times more after a 403. */
const heldByPolicy = (
  { candidate, by, source }: { candidate: string; by: string; source: string },
  skipped: Extract<Selection, { kind: 'nowhere' }>['skipped'],
) =>
  new OnwardError(
    'held-by-policy',
    `Your organisation${by === '' ? '' : ` (${by})`} does not allow ${targetText(candidate)}. Choose another model. ` +
      `Its policy is in ${source}.`,
    { status: 400, details: { fault: 'held-model', target: candidate, by, skipped } },
  )

function nowhere(ask: RouteAsk, { skipped, wait }: Extract<Selection, { kind: 'nowhere' }>, now: number): OnwardError {
  const { passedOver } = sentencesOf('en')
  const tried =
    skipped.length === 0
      ? 'No provider is configured for it.'
      : `${skipped.map((s) => `${targetText(s.candidate)}: ${passedOver(s.why, now)}`).join('; ')}.`
  if (wait) {
    const limit =
      wait.rest.why === 'limit' ? { provider: wait.provider, since: wait.rest.since, lifts: wait.rest.lifts } : null
    return new OnwardError('all-resting', `Every provider for this request has to be left alone for now. ${tried}`, {
      status: 429,
      retryable: true,
      details: {
        retryAfter: Math.max(1, (wait.rest.until - now) / 1000),
        skipped,
        limit,
        window: wait.rest.why === 'limit' ? wait.rest.window : null,
      },
    })
  }
  if (skipped.length > 0 && skipped.every(({ why }) => why.code === 'no-credential')) {
    return new OnwardError(
      'no-credential',
      `${skipped.map((s) => targetText(s.candidate)).join(', ')}: takes the client’s ` +
        'own login, and this client sends none of its own. Log the agent in, and ' +
        'connect it by the base URL with /t/<key>, or give the provider a key.',
      { status: 401, details: { skipped } },
    )
  }
  const refused = skipped.flatMap(({ candidate, why }) => (why.code === 'policy' ? [{ candidate, ...why }] : []))
  // What may pass is worth another try of the client; this is not.
  if (refused[0] && skipped.every(({ why }) => lasting.has(why.code))) return heldByPolicy(refused[0], skipped)
  const bound = ask.endpoint === 'compact' ? 'compaction' : ask.needs.bound?.()
  if (bound && skipped.length > 0 && skipped.every(({ why }) => why.code === 'protocol'))
    return new OnwardError(boundCodes[bound], boundWords[bound], { status: 400, details: { skipped } })
  return new OnwardError(
    'no-route',
    `No provider can take this ${ask.entry} request${ask.model === null ? '' : ` for ${ask.model}`}. ${tried}`,
    { status: 503, details: { skipped } },
  )
}
