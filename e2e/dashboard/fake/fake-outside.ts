/** Places for notices in the fake engine. For development and tests only. */
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { OutsideView } from '../../../shared/notifications.ts'
import type { EngineStatus } from '../../../shared/state.ts'

export const sceneQuietHours: NonNullable<EngineStatus['quietHours']> = {
  on: true,
  from: '22:00',
  to: '07:30',
  needsYou: true,
  ownAlarms: false,
  held: 2,
}

/** One that works, and one that was just added. */
export const sceneOutside = (now: number): readonly OutsideView[] => [
  {
    name: 'phone',
    kind: 'ntfy',
    host: 'ntfy.sh',
    on: true,
    classes: ['goal-reached', 'needs-you', 'budget'],
    texts: false,
    token: true,
    state: { kind: 'sent', at: now - 1_260_000 },
  },
  {
    name: 'team channel',
    kind: 'slack',
    host: 'hooks.slack.com',
    on: true,
    classes: null,
    texts: true,
    token: false,
    state: { kind: 'unused' },
  },
]

interface Parts {
  scene: { status: Pick<EngineStatus, 'outside'> }
  putStatus(change: Partial<EngineStatus>): void
  refuse(code: string, message: string): never
}

export function fakeOutside({ scene, putStatus, refuse }: Parts) {
  const places = () => scene.status.outside ?? []
  const put = (outside: readonly OutsideView[]) => {
    putStatus({ outside })
    return outside
  }
  return {
    async saveOutside(input) {
      const before = places().find(({ name }) => name === input.was)
      const { name, kind, on, classes, texts } = input
      const place: OutsideView = {
        name,
        kind,
        on,
        classes,
        texts,
        host: input.url !== null && URL.canParse(input.url) ? new URL(input.url).host : (before?.host ?? 'ntfy.sh'),
        token: input.token === null ? (before?.token ?? false) : input.token !== '',
        state: before?.state ?? { kind: 'unused' },
      }
      return put(before ? places().map((one) => (one === before ? place : one)) : [...places(), place])
    },
    async removeOutside(name) {
      return put(places().filter((one) => one.name !== name))
    },
    async testOutside(name) {
      if (!places().some((one) => one.name === name)) refuse('outside-unknown', `There is no place “${name}”.`)
      return { ok: true, tookMs: 212 }
    },
  } satisfies Partial<ControlApi>
}
