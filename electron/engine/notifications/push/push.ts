/**
 * Web push: notices to the browsers of paired devices that switched it on, by the push service of each browser's
 * vendor. A device is a place like those of the config, with its own queue; its subscription is kept with the device.
 */
import { createHash } from 'node:crypto'
import type { PushTarget } from '../../../../shared/devices.ts'
import type { OutsideTest, OutsideView } from '../../../../shared/notifications.ts'
import type { NoticeClass } from '../../../../shared/notice-classes.ts'
import { sentencesOf } from '../../../../shared/sentences/index.ts'
import type { RecordEvent } from '../../../../shared/events.ts'
import type { Language } from '../../../../shared/words.ts'
import type { Clock } from '../../base/clock.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Random } from '../../base/ids.ts'
import { createRedactor } from '../../secrets/redact.ts'
import type { PublicWeb } from '../../web/post-public.ts'
import { readAnswer, type Verdict } from '../answer.ts'
import { createDestination, type Destination } from '../destination.ts'
import { wants, type OutsideNotice } from '../outside.ts'
import { together } from '../together.ts'
import type { OutsideMessage } from '../types.ts'
import { withoutTexts } from '../without-texts.ts'
import { encryptPush, mostPlainBytes, vapidHeader, type VapidKeys } from './encrypt.ts'

/** A device that has it on. */
export interface PushDevice {
  id: string
  name: string
  /** connected now: its page sees what is over by itself */
  here: boolean
  push: PushTarget
}

export interface PushDeps {
  devices(): readonly PushDevice[]
  /** its browser takes no more: only where it still has this very subscription */
  drop(device: string, endpoint: string): void
  keys(): Promise<VapidKeys>
  web: PublicWeb
  /** config `notifications.push` */
  wanted(): { classes?: readonly NoticeClass[] | undefined; texts: boolean; contact?: string | undefined }
  /** what this machine is called */
  machine: string
  clock: Clock
  random: Random
  language(): Language
  record: RecordEvent
  onChange(): void
}

export interface Push {
  tell(notice: OutsideNotice): void
  /** a question, by the session or terminal it is about, was answered elsewhere or is gone */
  over(about: string): void
  views(): readonly OutsideView[]
  /** null: there is no such device */
  test(name: string): Promise<OutsideTest> | null
  dispose(): void
}

/** A question of yesterday is in the dashboard. */
const keptSeconds = 24 * 3600
const urgent: ReadonlySet<string> = new Set(['needs-you', 'injection-failed', 'budget', 'alarm-due', 'test'])

export function createPush(deps: PushDeps): Push {
  const { clock, random } = deps
  const queues = new Map<string, { endpoint: string; destination: Destination }>()
  /** what was pushed in this run and may be asked still, by device and tag */
  const asked = new Map<string, Pick<OutsideNotice['where'], 'name' | 'about'>>()
  const words = () => sentencesOf(deps.language()).outside

  const current = (): readonly PushDevice[] => {
    const all = deps.devices()
    for (const [id, { endpoint, destination }] of queues) {
      if (all.some((one) => one.id === id && one.push.endpoint === endpoint)) continue
      queues.delete(id)
      destination.dispose()
    }
    return all
  }
  const destinationOf = ({ id, name, push }: PushDevice): Destination => {
    const there = queues.get(id)
    if (there) return there.destination
    const destination = createDestination({
      clock,
      deliver: (message, signal) => deliver(deps, id, push, message, signal),
      together: (messages) => together(messages, words()),
      onEnd(message, why) {
        if (message.class === 'test' || message.over) return
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
    queues.set(id, { endpoint: push.endpoint, destination })
    return destination
  }
  const named = () => {
    const all = current()
    const twice = (name: string) => all.filter((one) => one.name === name).length > 1
    return all.map((device) => ({
      device,
      name: twice(device.name) ? `${device.name} (${device.id.slice(0, 8)})` : device.name,
    }))
  }

  return {
    tell({ id, fact, where }) {
      const { classes, texts } = deps.wanted()
      for (const device of current()) {
        if (!wants({ classes }, fact)) continue
        const { title, body } = sentencesOf(deps.language()).notice(texts ? fact : withoutTexts(fact))
        if (fact.class === 'needs-you' && where.about) asked.set(`${device.id} ${where.about.id}`, where)
        destinationOf(device).send({
          id,
          class: fact.class,
          at: clock.now(),
          session: where.sessionId === null ? null : { id: where.sessionId, name: where.name },
          about: where.about,
          link: null,
          more: 0,
          title,
          body: [[where.agent, deps.machine].filter(Boolean).join(', '), body].filter(Boolean).join('\n'),
        })
      }
    },
    over(about) {
      for (const device of current()) {
        // A page that is connected takes the notice away by itself.
        const was = asked.get(`${device.id} ${about}`)
        asked.delete(`${device.id} ${about}`)
        if (!was || device.here) continue
        destinationOf(device).send({
          id: random.uuid(),
          class: 'needs-you',
          at: clock.now(),
          session: null,
          about: was.about,
          link: null,
          more: 0,
          over: true,
          title: words().over(was.name),
          body: '',
        })
      }
    },
    views: () =>
      named().map(({ device, name }) => ({
        name,
        kind: 'push',
        host: new URL(device.push.endpoint).host,
        on: true,
        classes: deps.wanted().classes ?? null,
        texts: deps.wanted().texts,
        token: false,
        state: queues.get(device.id)?.destination.state() ?? { kind: 'unused' },
      })),
    test(name) {
      const found = named().find((one) => one.name === name)
      if (!found) return null
      const message = {
        id: random.uuid(),
        class: 'test',
        at: clock.now(),
        session: null,
        about: null,
        link: null,
        more: 0,
      } as const
      return destinationOf(found.device).test({ ...message, ...words().test })
    },
    dispose() {
      for (const { destination } of queues.values()) destination.dispose()
      queues.clear()
    },
  }
}

async function deliver(
  { keys, web, drop, clock, random, wanted }: PushDeps,
  device: string,
  { endpoint, p256dh, auth }: PushTarget,
  message: OutsideMessage,
  signal: AbortSignal,
): Promise<Verdict> {
  const tag = tagOf(message)
  try {
    const body = encryptPush(payload(message, tag), { p256dh, auth }, Buffer.from(random.token(16), 'base64url'))
    const headers = {
      authorization: vapidHeader(endpoint, await keys(), clock.now(), wanted().contact),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: `${keptSeconds}`,
      urgency: urgent.has(message.class) && !message.over ? 'high' : 'normal',
      // One that waits for a phone without a network is replaced.
      topic: createHash('sha256').update(tag).digest('base64url').slice(0, 32),
    }
    const answer = await web.post({ url: endpoint, headers, body }, signal)
    // The browser forgot it, or its person took the permission back.
    if (answer.status === 404 || answer.status === 410) drop(device, endpoint)
    return readAnswer(answer, clock.now(), createRedactor([endpoint, new URL(endpoint).pathname]).text)
  } catch (error) {
    const late = OnwardError.isInstance(error) && error.code === 'timed-out'
    const refused = OnwardError.isInstance(error) && error.code === 'address-refused'
    return refused
      ? { kind: 'refused', why: { code: 'no-address', why: error.message }, again: false, afterMs: null }
      : { kind: 'refused', why: { code: late ? 'timeout' : 'unreachable' }, again: true, afterMs: null }
  }
}

/** What stands in the place of what: the next notice about the same session. */
const tagOf = ({ about, class: kind, more }: OutsideMessage): string => (more > 0 ? 'several' : (about?.id ?? kind))

/** read by renderer/public/sw.js */
function payload(message: OutsideMessage, tag: string): Buffer {
  const { title, about, over, class: kind } = message
  const to = about ? `/${about.kind}/${encodeURIComponent(about.id)}` : kind.startsWith('alarm') ? '/alarms' : '/'
  const bytes = (body: string) => Buffer.from(JSON.stringify({ title, body, tag, to, ...(over ? { over } : {}) }))
  const whole = bytes(message.body)
  return whole.length <= mostPlainBytes ? whole : bytes(`${message.body.slice(0, 500)}…`)
}
