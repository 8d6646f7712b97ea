import type { OutsideConfig } from '../../../shared/config/notifications.ts'
import type { NoticeClass } from '../../../shared/notice-classes.ts'
import type { RecordEvent } from '../../../shared/events.ts'
import { type OutsideKind, type OutsideTest, type OutsideView, topicOf } from '../../../shared/notifications.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { NoticeFact } from '../../../shared/sentences/types.ts'
import type { Language } from '../../../shared/words.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { EngineHost } from '../host.ts'
import { createDestination, type Destination } from './destination.ts'
import { together } from './together.ts'
import type { OutsideAddress, OutsideMessage } from './types.ts'
import { withoutTexts } from './without-texts.ts'
import type { Clock } from '../base/clock.ts'
import { createRedactor } from '../secrets/redact.ts'
import type { Transport } from '../providers/types.ts'
import { readAnswer, type Verdict, type Answer } from './answer.ts'
import { payloadFor, type OutsideRequest } from './payload.ts'

/** A notice's content, and the session it is about. */
export interface OutsideNotice {
  id: string
  fact: NoticeFact
  where: {
    sessionId: string | null
    name: string
    about: NonNullable<OutsideMessage['about']> | null
    /** what works there; null: not known, or no agent */
    agent: string | null
  }
}

/** Notices on their way out of this machine. Nothing waits for them, and the outcome of each is recorded. */
export interface Outside {
  tell(notice: OutsideNotice): void
  /** @throws OnwardError `outside-unknown` */
  test(name: string): Promise<OutsideTest>
  views(): readonly OutsideView[]
  dispose(): void
}

export interface OutsideDeps {
  host: Pick<EngineHost, 'clock' | 'random' | 'transport' | 'version' | 'env'>
  config: Pick<ConfigHandle, 'current' | 'onChange'>
  secret(ref: string): Promise<string | null>
  language(): Language
  /** where a paired phone finds a session, or all of them; null: nowhere */
  linkTo(sessionId: string | null): string | null
  record: RecordEvent
  onChange(): void
}

export function createOutside(deps: OutsideDeps): Outside {
  const { host, config } = deps
  const { clock } = host
  const places = new Map<string, { by: string; destination: Destination }>()
  const words = () => sentencesOf(deps.language()).outside
  const listed = () => config.current().notifications.outside
  const find = (name: string) => listed().find((place) => place.name === name)
  let addresses: Addresses = addressesOf([], deps.secret)

  const follow = () => {
    addresses = addressesOf(listed(), deps.secret)
    addresses.known.then(deps.onChange, deps.onChange)
    for (const [name, { by, destination }] of places) {
      const now = find(name)
      // An edited address begins anew: the results of the old one do not apply to it.
      if (now?.on && by === identity(now)) continue
      places.delete(name)
      destination.dispose()
    }
  }
  const destinationOf = (place: OutsideConfig): Destination => {
    const there = places.get(place.name)
    if (there) return there.destination
    const { name, kind } = place
    const destination = createDestination({
      clock,
      deliver: async (message, signal) =>
        deliver({ ...host, kind, address: await addresses.of(name) }, message, signal),
      together: (messages) => together(messages, words()),
      onEnd(message, why) {
        if (message.class === 'test') return
        deps.record(
          { sessionId: message.session?.id ?? null },
          {
            type: 'notified',
            class: message.class,
            to: name,
            ...(why === null ? { result: 'shown' } : { result: 'failed', why: words().failure(why) }),
          },
        )
      },
      onChange: deps.onChange,
    })
    places.set(name, { by: identity(place), destination })
    return destination
  }
  follow()
  const following = config.onChange(follow)

  return {
    tell({ id, fact, where }) {
      for (const place of listed()) {
        if (!place.on || !wants(place, fact)) continue
        destinationOf(place).send({
          id,
          class: fact.class,
          at: clock.now(),
          session: where.sessionId === null ? null : { id: where.sessionId, name: where.name },
          link: deps.linkTo(where.sessionId),
          more: 0,
          ...sentencesOf(deps.language()).notice(place.texts ? fact : withoutTexts(fact)),
        })
      }
    },
    async test(name) {
      const place = find(name)
      if (!place)
        throw new OnwardError('outside-unknown', `There is no place “${name}” that notices are sent to.`, {
          status: 404,
        })
      const message: OutsideMessage = {
        id: host.random.uuid(),
        class: 'test',
        at: clock.now(),
        session: null,
        link: deps.linkTo(null),
        more: 0,
        ...words().test,
      }
      return destinationOf(place).test(message)
    },
    views: () =>
      listed().map(({ name, kind, on, classes, texts, token, tokenRef }) => ({
        name,
        kind,
        host: addresses.hostOf(name),
        on,
        classes: classes ?? null,
        texts,
        token: token !== undefined || tokenRef !== undefined,
        state: places.get(name)?.destination.state() ?? { kind: 'unused' },
      })),
    dispose() {
      following.dispose()
      for (const { destination } of places.values()) destination.dispose()
      places.clear()
    },
  }
}

/** The summary of quiet hours is sent where any of its notices would have been. */
export const wants = ({ classes }: { classes?: readonly NoticeClass[] | undefined }, fact: NoticeFact): boolean =>
  classes === undefined ||
  (fact.class === 'quiet-over' ? fact.classes : [fact.class]).some((kind) => classes.includes(kind))

const identity = ({ kind, url, secretRef, token, tokenRef }: OutsideConfig): string =>
  JSON.stringify([kind, url, secretRef, token, tokenRef])

interface DeliverDeps {
  transport: Transport
  clock: Clock
  version: string
  kind: OutsideKind
  address: Address
}

/** One message, sent once. */
async function deliver(
  { transport, clock, version, kind, address }: DeliverDeps,
  message: OutsideMessage,
  signal: AbortSignal,
): Promise<Verdict> {
  if (!address.ok)
    return { kind: 'refused', why: { code: 'no-address', why: address.why }, again: false, afterMs: null }
  const { url, token } = address.value
  const posted = await post({ transport, clock }, payloadFor(kind, address.value, message, version), signal)
  if (posted.kind !== 'answer') return { kind: 'refused', why: { code: posted.kind }, again: true, afterMs: null }
  // An error page may repeat what it was asked for.
  const { pathname, search } = new URL(url)
  const redactor = createRedactor([url, pathname, search, ...(token === null ? [] : [token])])
  return readAnswer(posted.answer, clock.now(), redactor.text)
}

type Address = { ok: true; value: OutsideAddress } | { ok: false; why: string }

/** Where each place is, with its secrets looked up. */
interface Addresses {
  of(name: string): Promise<Address>
  /** without what makes it secret; null: not known (yet) */
  hostOf(name: string): string | null
  /** all are looked up */
  known: Promise<void>
}

function addressesOf(places: readonly OutsideConfig[], secret: (ref: string) => Promise<string | null>): Addresses {
  const hosts = new Map<string, string>()
  const found = new Map(places.map((place) => [place.name, look(place)]))

  async function look(place: OutsideConfig): Promise<Address> {
    try {
      const url = place.url ?? (await stored(place.secretRef))
      const token = place.token ?? (place.tokenRef === undefined ? null : await stored(place.tokenRef))
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        return { ok: false, why: 'what is stored for it is no web address' }
      if (place.kind === 'ntfy' && topicOf(url) === null) return { ok: false, why: 'it names no topic' }
      hosts.set(place.name, new URL(url).host)
      return { ok: true, value: { url, token } }
    } catch (error) {
      return { ok: false, why: messageOf(error) }
    }
  }
  async function stored(ref: string | undefined): Promise<string> {
    const value = ref === undefined ? null : await secret(ref)
    if (value === null) throw new Error(`there is no stored secret “${ref ?? ''}”`)
    return value.trim()
  }

  return {
    of: async (name) => (await found.get(name)) ?? { ok: false, why: 'it is not in the config any more' },
    hostOf: (name) => hosts.get(name) ?? null,
    known: Promise.all(found.values()).then(() => undefined),
  }
}

const TIMEOUT_MS = 10_000
/** More of an answer is not read. */
const MOST_BYTES = 16 * 1024

type Posted = { kind: 'answer'; answer: Answer } | { kind: 'timeout' } | { kind: 'unreachable' }

/** One call. Redirects are not followed: the message is meant for this address. Never rejects. */
function post(
  { transport, clock }: { transport: Transport; clock: Clock },
  { url, headers, body }: OutsideRequest,
  signal: AbortSignal,
): Promise<Posted> {
  return new Promise((resolve) => {
    let head: Pick<Answer, 'status' | 'headers'> | null = null
    const chunks: Buffer[] = []
    let bytes = 0
    let call: { abort(): void } | null = null
    const done = (posted: Posted) => {
      late.dispose()
      signal.removeEventListener('abort', leave)
      resolve(posted)
    }
    const leave = () => {
      done({ kind: 'unreachable' })
      call?.abort()
    }
    const answered = (): Posted =>
      head === null
        ? { kind: 'unreachable' }
        : { kind: 'answer', answer: { ...head, body: Buffer.concat(chunks).toString('utf8') } }
    const late = clock.after(TIMEOUT_MS, () => {
      // Its verdict is in the head: a body that never ends changes nothing.
      done(head === null ? { kind: 'timeout' } : answered())
      call?.abort()
    })
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    try {
      call = transport.send(
        {
          url,
          method: 'POST',
          headers,
          body: Buffer.from(body),
          timeouts: { connectMs: TIMEOUT_MS, firstByteMs: TIMEOUT_MS, idleMs: TIMEOUT_MS },
        },
        {
          onHead(status, given) {
            head = { status, headers: given }
          },
          onData(chunk) {
            if (bytes < MOST_BYTES) chunks.push(chunk.subarray(0, MOST_BYTES - bytes))
            bytes += chunk.length
            if (bytes <= MOST_BYTES) return true
            done(answered())
            call?.abort()
            return true
          },
          onEnd: () => done(answered()),
          onError: (error) => done(head === null ? failed(error) : answered()),
        },
      )
    } catch (error) {
      done(failed(error))
    }
  })
}

const failed = (error: unknown): Posted =>
  OnwardError.isInstance(error) && error.code === 'upstream-timeout' ? { kind: 'timeout' } : { kind: 'unreachable' }
