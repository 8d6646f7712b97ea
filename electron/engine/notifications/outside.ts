import type { OutsideConfig } from '../../../shared/config/notifications.ts'
import type { RecordEvent } from '../../../shared/events.ts'
import type { OutsideTest, OutsideView } from '../../../shared/notifications.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { NoticeFact } from '../../../shared/sentences/types.ts'
import type { Language } from '../../../shared/words.ts'
import { OnwardError } from '../base/errors.ts'
import type { ConfigHandle } from '../config/types.ts'
import type { EngineHost } from '../host.ts'
import { addressesOf, type Addresses } from './addresses.ts'
import { createDestination, type Destination } from './destination.ts'
import { deliver } from './deliver.ts'
import { together } from './together.ts'
import type { OutsideMessage } from './types.ts'
import { withoutTexts } from './without-texts.ts'

/** A notice's content, and the session it is about. */
export interface OutsideNotice {
  id: string
  fact: NoticeFact
  where: { sessionId: string | null; name: string }
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
const wants = ({ classes }: OutsideConfig, fact: NoticeFact): boolean =>
  classes === undefined ||
  (fact.class === 'quiet-over' ? fact.classes : [fact.class]).some((kind) => classes.includes(kind))

const identity = ({ kind, url, secretRef, token, tokenRef }: OutsideConfig): string =>
  JSON.stringify([kind, url, secretRef, token, tokenRef])
