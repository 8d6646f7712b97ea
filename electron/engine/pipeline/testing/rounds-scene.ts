import { createRedactor } from '../../secrets/redact.ts'
import { secretsIn, downstreamHeaders } from '../../providers/headers.ts'
import { configSchema, type ConfigInput, type ProviderType } from '../../../../shared/config/schema.ts'
import type { MarkerDeps } from '../request/read-markers.ts'
import type { Reminders } from '../request/reminders.ts'
import { noReminders } from './no-alarms.ts'
import { createFollowedTexts } from '../request/read-markers.ts'
import { personTexts } from '../../sessions/identify/person-text.ts'
import { noMarkers } from './no-markers.ts'
import type { EventBody } from '../../../../shared/events.ts'
import type { EntryProtocol, RequestKind } from '../../../../shared/words.ts'
import { OnwardError } from '../../base/errors.ts'
import { silentLog } from '../../base/log.ts'
import { systemRandom } from '../../base/ids.ts'
import { virtualClock, type VirtualClock } from '../../base/testing/virtual-clock.ts'
import { codecOf } from '../../protocol/index.ts'
import type { JsonObject } from '../../protocol/values.ts'
import type { RouteAsk, RouteChoice, RouteOutcome, Tried } from '../../router/types.ts'
import { createLedger } from '../../servertools/ledger/ledger.ts'
import { createRegistry, allOn, createToolLists } from '../../servertools/registry.ts'
import { switchesOf } from '../../servertools/testing/tools.ts'
import type { Servertool } from '../../servertools/types.ts'
import { createStore } from '../../store/create-store.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { createKeptThinking } from '../kept-thinking.ts'
import type { NextFollowup } from '../rounds/rounds-input.ts'
import { createRunTurn, stages, type TurnServices } from '../run-turn.ts'
import { createStoredResponses } from '../request/stored-responses.ts'
import { createTurnTools } from '../rounds/turn-tools.ts'
import { noOverrides, type Turn, type TurnEnd, type ClientCall } from '../turn.ts'
import { upstreamRequest } from '../request/upstream-request.ts'
import { recordingClient, type RecordingClient } from './recording-client.ts'
import { held } from './held-stage.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

export interface SceneOptions {
  tools?: readonly Servertool[]
  config?: ConfigInput
  /** a session in reenter mode */
  next?: NextFollowup
  /** the provider's protocol; absent: the client's */
  provider?: EntryProtocol
  kind?: RequestKind
  sessionId?: string | null
  terminalId?: string | null
  /** the model's name at the provider; absent: `m` */
  upstreamModel?: string
  /** of the model at the provider */
  model?: { tools?: boolean; timeTag?: boolean; timeouts?: { silentMs?: number } }
  /** how many candidates there are to try; absent: one */
  candidates?: number
  /** shared with other parts of the test */
  clock?: VirtualClock
  reminders?: Reminders
  timeTag?: TurnServices['timeTag']
  keep?: TurnServices['keep']
  alarms?: MarkerDeps['alarms']
  record?: (where: unknown, body: EventBody) => void
  /** the state that an earlier engine left: its files, and which tools its sessions have */
  earlier?: { files: ReturnType<typeof memoryFiles>; listOf: Map<string, string> }
}

/** How one request is sent. `retry`: the client has sent it before */
interface AskOptions {
  stream?: boolean
  /** Gemini: a JSON list that grows */
  list?: boolean
  retry?: boolean
  endpoint?: ClientCall['endpoint']
  internal?: ClientCall['internal']
}

export interface Asked {
  client: RecordingClient
  turn: Turn
  /** the bodies that the pipeline released; `empty`: the turn no longer refers to its bytes */
  released: ('kept' | 'empty')[]
  /** resolves when the turn is over */
  over: Promise<{ end: TurnEnd; error: OnwardError | null }>
}

const types: Readonly<Record<EntryProtocol, ProviderType>> = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  messages: 'anthropic',
  gemini: 'gemini',
}

/** The request path, with everything real in it but providers, clients and time. */
export async function roundsScene(entry: EntryProtocol, options: SceneOptions = {}) {
  const clock = options.clock ?? virtualClock()
  const { upstreamModel = 'm' } = options
  const type = types[options.provider ?? entry]
  const converted = options.provider !== undefined && options.provider !== entry
  const upstream = scriptedUpstream(options.provider ?? entry, { converted })
  const events: EventBody[] = []
  const reports: { choice: RouteChoice; outcome: RouteOutcome }[] = []
  const record = (where: unknown, body: EventBody) => {
    events.push(body)
    options.record?.(where, body)
  }
  const files = options.earlier?.files ?? memoryFiles()
  const store = createStore({
    root: '/r',
    files,
    clock,
    log: silentLog,
    onProblem: ({ message }) => {
      throw new Error(message)
    },
  })
  const switches = switchesOf(options.config)
  const lists = createToolLists({ store, log: silentLog })
  const ledger = createLedger({ store, clock })
  const thinking = createKeptThinking({ store, clock, log: silentLog, isOn: () => true })
  await Promise.all([lists.load(), ledger.load(), thinking.load()])
  const registry = createRegistry(options.tools ?? [], switches)
  const listOf = options.earlier?.listOf ?? new Map<string, string>()
  const tools = createTurnTools({
    clock,
    log: silentLog,
    registry,
    lists,
    ledger,
    record,
    settings: () => configSchema.parse(options.config ?? {}).servertools,
    allOn: () => allOn(switches).on,
    listOf: (sessionId) => listOf.get(sessionId) ?? null,
    setList: (sessionId, name) => {
      listOf.set(sessionId, name)
    },
  })
  const { providers } = configSchema.parse({
    providers: {
      p: {
        type,
        baseUrl: 'http://p.test',
        keys: [
          { alias: 'k1', value: 'sk-1' },
          { alias: 'k2', value: 'sk-2' },
        ],
        models: { [upstreamModel]: options.model ?? {} },
      },
    },
    routes: { default: [`p.${upstreamModel}`] },
  })
  let chosen = 0
  const { candidates = 1 } = options
  const choose = (_ask: RouteAsk, tried: readonly Tried[]): RouteChoice => {
    if (tried.length >= candidates) throw new OnwardError('no-route', 'There is no other provider.')
    const { p: provider } = providers
    if (!provider) throw new Error('it stands in the config')
    const key = chosen++ % 2 === 0 ? { alias: 'k1', value: 'sk-1' } : { alias: 'k2', value: 'sk-2' }
    return {
      providerId: 'p',
      provider,
      type,
      upstreamModel,
      key,
      credential: null,
      fact: { provider: 'p', model: upstreamModel, keyAlias: key.alias, category: 'default', why: [], skipped: [] },
    }
  }
  const converting = { clock, random: systemRandom(), stored: createStoredResponses(clock), thinking }
  const turns = new Map<string, Turn>()
  const ends = new Map<string, TurnEnd>()
  const { sessionId = 's1', terminalId = null, kind = 'turn' } = options
  let retries = false
  const run = createRunTurn(
    {
      clock,
      log: silentLog,
      record,
      codecOf,
      identify: async () => ({
        sessionId,
        sessionSource: 'test',
        client: 'other',
        kind,
        terminalId,
        scope: null,
        scopeProblem: null,
        registeredClientOnly: false,
        retry: retries,
      }),
      overridesOf: () => noOverrides,
      outboxOf: () => Promise.reject(new Error('there is no terminal')),
      markers: {
        ...noMarkers,
        followed: createFollowedTexts(),
        personTexts: (_, texts) => personTexts('claude', texts),
        targets: { isProvider: () => false, isModel: () => false, isKey: () => false },
        ...(options.alarms ? { alarms: options.alarms } : {}),
      },
      send: {
        clock,
        transport: upstream.transport,
        choose,
        hasRoute: (_ask, tried) => tried.length < candidates,
        credentialOf: () => null,
        prepare: (turn, choice) => upstreamRequest(turn, choice, () => false, converting),
        redactor: (headers) => createRedactor(secretsIn(headers)),
        responseHeaders: downstreamHeaders,
        report: (_ask, choice, outcome) => {
          reports.push({ choice, outcome })
          return null
        },
      },
      tools,
      thinking,
      reminders: options.reminders ?? noReminders,
      timeTag: options.timeTag ?? (() => null),
      seeImages: async () => undefined,
      keep: options.keep ?? (() => undefined),
      reenter: () => options.next ?? null,
      started(turn) {
        turns.set(turn.call.requestId, turn)
        return null
      },
      ended({ call }, end) {
        ends.set(call.requestId, end)
      },
    },
    stages.map(held),
  )
  let n = 0

  return {
    clock,
    upstream,
    events,
    reports,
    ledger,
    thinking,
    files,
    listOf,
    lists,
    run,
    get chosen() {
      return chosen
    },
    hiddenOf: (id = 's1') => ledger.of(id, entry),
    /** Sends a request; it is on its way when this returns. */
    async ask(
      body: JsonObject,
      { stream = true, list = false, retry = false, endpoint = 'generate', internal }: AskOptions = {},
    ): Promise<Asked> {
      const requestId = `r${++n}`
      const client = recordingClient()
      const bytes = Buffer.from(JSON.stringify(entry === 'gemini' ? body : { ...body, stream }))
      const released: Asked['released'] = []
      const call: ClientCall = {
        requestId,
        entry,
        endpoint,
        method: 'POST',
        path: pathOf(entry, stream, list),
        headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
        caller: { kind: 'local', suffix: null },
        ...(internal ? { internal } : {}),
        callingProcess: null,
        body: bytes,
        bodyReleased: () => released.push(call.body.length === 0 ? 'empty' : 'kept'),
        receivedAt: clock.monotonic(),
        reply: client.reply,
      }
      let over = false
      retries = retry
      const running = run(call)
        .then(
          () => null,
          (error: unknown) => {
            if (OnwardError.isInstance(error)) return error
            throw error
          },
        )
        .then((error) => {
          over = true
          const end = ends.get(requestId)
          if (!end) throw new Error('it has no end')
          return { end, error }
        })
      const before = upstream.rounds.length
      await upstream.settled(() => upstream.rounds.length > before || over, 'a request')
      const turn = turns.get(requestId)
      if (!turn) throw new Error('it never began')
      return { client, turn, released, over: running }
    },
  }
}

export type RoundsScene = Awaited<ReturnType<typeof roundsScene>>

const pathOf = (entry: EntryProtocol, stream: boolean, list: boolean): string =>
  entry === 'gemini'
    ? `/v1beta/models/m:${stream ? `streamGenerateContent${list ? '' : '?alt=sse'}` : 'generateContent'}`
    : { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' }[entry]
