/** Everything that loads NATS; fleet.ts imports this file only once a fleet is joined. */
import { isIP } from 'node:net'
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type ConsumerMessages,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import {
  connect,
  credsAuthenticator,
  errors,
  nanos,
  nkeyAuthenticator,
  type NatsConnection,
} from '@nats-io/transport-node'
import { OnwardError, messageOf } from '../base/errors.ts'
import { bucketOf, everyKey, eventsOf, eventSubject, orderSubject, ordersOf } from './subjects.ts'
import type { Hub, HubOptions } from './types.ts'

const connectWithinMs = 10_000
/** a hub that says nothing for three of them is away */
const pingMs = 10_000
const answerWithinMs = 10_000
/** where the hub does not say what it takes: far below what any takes as it comes */
const leastPayload = 64 * 1024
const dayMs = 24 * 3_600_000
/** how long the hub keeps events, and orders for an engine that is away */
const eventsKeptMs = 7 * dayMs
export const ordersKeptMs = 7 * dayMs
/** within which an order that is sent again is known to be the same */
const sameWithinMs = 3_600_000
/** an order that was taken and not acknowledged is handed out again */
const takenWithinMs = 10_000
const againAfterMs = 5_000
/** how soon it is noticed that the hub hands out nothing */
const pullMs = 5_000
const mostEventBytes = 256 * 1024 * 1024
const mostOrders = 100_000

/** @throws OnwardError `fleet-…`, each with what a person can do */
export async function openHub(options: HubOptions): Promise<Hub> {
  const { url, name, engine, credentials, ca, cert, key } = options
  const files = {
    ...(ca && { caFile: ca }),
    ...(cert && { certFile: cert }),
    ...((key ?? cert) && { keyFile: key ?? cert }),
  }
  const wantsTls = url.startsWith('tls:') || Object.keys(files).length > 0
  const problems = problemsOf(options)
  let connection: NatsConnection
  try {
    connection = await connect({
      servers: url,
      name: `onward ${engine}`,
      // answers to others of the same account are not for this one
      inboxPrefix: `_INBOX.${engine}`,
      timeout: connectWithinMs,
      pingInterval: pingMs,
      // a new connection begins anew, so that nothing is kept in memory for a hub that is away
      reconnect: false,
      ...(credentials && {
        authenticator: (credentials.kind === 'creds' ? credsAuthenticator : nkeyAuthenticator)(credentials.bytes),
      }),
      ...(wantsTls && { tls: { ...files, ...hostOf(url) } }),
    })
  } catch (error) {
    throw problems(error)
  }
  try {
    const manager = await jetstreamManager(connection, jetstreamOptions(options))
    await ensureStreams(manager, name)
    return await hubOn(connection, manager, options)
  } catch (error) {
    await connection.close()
    throw problems(error)
  }
}

/** Node checks a certificate against this where there is no name, and NATS gives it none for an address. */
function hostOf(url: string): object {
  const host = new URL(url.replace(/^\w+:/, 'http:')).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? {} : { host }
}

async function hubOn(connection: NatsConnection, manager: JetStreamManager, options: HubOptions): Promise<Hub> {
  const { name, engine } = options
  const problems = problemsOf(options)
  const tried = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw problems(error)
    }
  }
  const stream = jetstream(connection, jetstreamOptions(options))
  const bucket = await new Kvm(stream).open(bucketOf(name), { allow_direct: true })
  let waiting: ConsumerMessages | null = null
  let closing = false
  /** What ends by itself has lost the hub in some way: everything begins anew. */
  const endsWith = (work: Promise<void>, isMeant: () => boolean) => {
    const end = () => void (closing || isMeant() || connection.close())
    work.then(end, end)
  }

  return {
    lost: connection.closed().then((error) => problems(error ?? new errors.ClosedConnectionError())),
    put: async (key, text) => void (await tried(bucket.put(key, text))),
    remove: (key) => tried(bucket.purge(key)),
    async get(key) {
      const entry = await tried(bucket.get(key))
      return entry?.operation === 'PUT' ? entry.string() : null
    },
    async watch(keys, take, caughtUp) {
      const entries = await tried(bucket.watch({ key: keys }))
      /** the last change that has to be there; null: not known yet. One that overtook this list comes after its end. */
      let until: number | null = null
      let behind = true
      let over = false
      const follow = async () => {
        for await (const entry of entries) {
          const { key, operation, created, delta, revision } = entry
          take({ key, text: operation === 'PUT' ? entry.string() : null, at: created.getTime() })
          if (!behind || (until === null && delta !== 0)) continue
          until ??= keys === everyKey ? (await manager.streams.info(`KV_${bucketOf(name)}`)).state.last_seq : revision
          if (revision < until) continue
          behind = false
          caughtUp?.()
        }
      }
      endsWith(follow(), () => over)
      return {
        dispose() {
          over = true
          entries.stop()
        },
      }
    },
    keep: async (subject, id, text) => void (await tried(stream.publish(subject, text, { msgID: id }))),
    async waiting() {
      const asked = { subjects_filter: orderSubject(name, '*', '*', '*') }
      return (await tried(manager.streams.info(ordersOf(name), asked))).state.subjects ?? {}
    },
    ask: async (subject, text) =>
      (await tried(connection.request(subject, text, { timeout: answerWithinMs }))).string(),
    serve(subject, answer) {
      connection.subscribe(subject, {
        callback(error, message) {
          if (error) return
          void answer(message.subject, message.string()).then((text) => {
            if (!connection.isClosed()) message.respond(text)
          })
        },
      })
    },
    most: connection.info?.max_payload ?? leastPayload,
    send: (subject, message) => connection.publish(subject, message),
    hear(subject, take) {
      connection.subscribe(subject, {
        callback(error, message) {
          if (!error) take(message.subject, Buffer.from(message.data))
        },
      })
    },
    async orders(take) {
      const stream_name = ordersOf(name)
      await tried(
        manager.consumers.add(stream_name, {
          durable_name: engine,
          filter_subject: orderSubject(name, engine, '*', '*'),
          ack_policy: AckPolicy.Explicit,
          deliver_policy: DeliverPolicy.All,
          ack_wait: nanos(takenWithinMs),
          max_ack_pending: 100,
        }),
      )
      const consumer = await tried(stream.consumers.get(stream_name, engine))
      const messages = await tried(consumer.consume({ max_messages: 10, expires: pullMs }))
      waiting = messages
      const run = async () => {
        for await (const message of messages) {
          message.working()
          const id = message.headers?.get('Nats-Msg-Id') ?? ''
          const taken = await take({ subject: message.subject, id, text: message.string() })
          if (taken === 'done') message.ack()
          else message.nak(againAfterMs)
        }
      }
      endsWith(run(), () => false)
    },
    async close() {
      closing = true
      await waiting?.close()
      if (!connection.isClosed()) await connection.drain().catch(() => connection.close())
    },
  }
}

/** @returns options that ask for no right to look at the account itself */
const jetstreamOptions = ({ domain }: HubOptions) => ({
  timeout: answerWithinMs,
  checkAPI: false,
  ...(domain !== undefined && { domain }),
})

/** Made by the first engine that may; they may stand there with other bounds, as the hub's owner made them. */
async function ensureStreams(manager: JetStreamManager, fleet: string): Promise<void> {
  const bucket = bucketOf(fleet)
  const wanted: readonly (Partial<StreamConfig> & { name: string })[] = [
    {
      name: `KV_${bucket}`,
      subjects: [`$KV.${bucket}.>`],
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.New,
      allow_rollup_hdrs: true,
      allow_direct: true,
      deny_delete: true,
    },
    {
      name: eventsOf(fleet),
      subjects: [eventSubject(fleet, '*', '*')],
      max_age: nanos(eventsKeptMs),
      max_bytes: mostEventBytes,
      discard: DiscardPolicy.Old,
    },
    {
      name: ordersOf(fleet),
      subjects: [orderSubject(fleet, '*', '*', '*')],
      retention: RetentionPolicy.Workqueue,
      max_age: nanos(ordersKeptMs),
      max_msgs: mostOrders,
      discard: DiscardPolicy.New,
      duplicate_window: nanos(sameWithinMs),
    },
  ]
  for (const { name, ...config } of wanted) {
    try {
      await manager.streams.info(name)
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.status !== 404) throw error
      await manager.streams.add({ storage: StorageType.File, ...config, name })
    }
  }
}

/** Why the hub did not do it, for a person. */
function problemsOf({ url, name, engine, credentials }: HubOptions): (error: unknown) => OnwardError {
  const refusal = (code: string, message: string, cause: unknown, details = {}): OnwardError =>
    new OnwardError(code, message, { cause, status: 409, details: { url, name, engine, ...details } })
  return (error) => {
    if (OnwardError.isInstance(error)) return error
    const why = causeOf(error)
    const said = messageOf(why)
    if (why instanceof errors.PermissionViolationError)
      return refusal(
        'fleet-not-allowed',
        `The hub does not let these credentials ${why.operation === 'publish' ? 'send to' : 'hear of'} ` +
          `${why.subject}. Ask whoever runs ${url} for the right.`,
        error,
        { subject: why.subject },
      )
    if (why instanceof errors.AuthorizationError || why instanceof errors.UserAuthenticationExpiredError)
      return refusal(
        'fleet-refused',
        `${url} refused the login${credentials === null ? ', which had no credentials' : ''}: ${said}. ` +
          'Ask whoever runs it for credentials, and name their file with `onward fleet join --creds`.',
        error,
      )
    if (why instanceof errors.NoRespondersError && !why.subject.startsWith('$JS.'))
      return refusal('fleet-engine-away', 'No engine of this name is connected to the hub now.', error)
    if (why instanceof errors.TimeoutError)
      return refusal('fleet-silent', 'It did not answer in time: it is not known whether this was done.', error)
    if (why instanceof errors.NoRespondersError || /jetstream/i.test(said))
      return refusal('fleet-no-jetstream', `${url} has no JetStream that answers: ${said}. It has to be on.`, error)
    return refusal('fleet-hub-away', `${url} can’t be reached: ${said}.`, error)
  }
}

function causeOf(error: unknown): unknown {
  const { cause } = error instanceof Error ? error : { cause: undefined }
  return cause instanceof Error &&
    (error instanceof errors.RequestError || cause instanceof errors.PermissionViolationError)
    ? causeOf(cause)
    : error
}
