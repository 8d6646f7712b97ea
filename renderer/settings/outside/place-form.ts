/** The form for a place that notices are sent to, apart from what draws it. */
import type { NoticeClass } from '../../../shared/notice-classes.ts'
import type { OutsideKind, OutsidePlace, OutsideView } from '../../../shared/notifications.ts'
import type { Input } from '../../../shared/operations/index.ts'

export interface PlaceForm {
  kind: OutsideKind
  name: string
  url: string
  token: string
  forgetToken: boolean
  /** null: all */
  classes: readonly NoticeClass[] | null
  texts: boolean
}

/** The classes a person waits for when they are away. */
const usual: readonly NoticeClass[] = ['goal-reached', 'needs-you', 'injection-failed', 'budget', 'limit']

export const formOf = (place: OutsidePlace | null, taken: readonly string[]): PlaceForm =>
  place
    ? {
        kind: place.kind,
        name: place.name,
        url: '',
        token: '',
        forgetToken: false,
        classes: place.classes,
        texts: place.texts,
      }
    : {
        kind: 'ntfy',
        name: freeName('ntfy', taken),
        url: '',
        token: '',
        forgetToken: false,
        classes: null,
        texts: false,
      }

/** Another service: a name that the person did not choose goes along with it. */
export function withKind(form: PlaceForm, kind: OutsideKind, taken: readonly string[]): PlaceForm {
  const own = form.name !== freeName(form.kind, taken)
  return { ...form, kind, name: own ? form.name : freeName(kind, taken) }
}

/** @returns with only some of them, the ones most people want to begin with */
export const someClasses = (form: PlaceForm, some: boolean): PlaceForm => ({ ...form, classes: some ? usual : null })

export const withClass = (form: PlaceForm, kind: NoticeClass, on: boolean): PlaceForm => {
  const others = (form.classes ?? []).filter((one) => one !== kind)
  return { ...form, classes: on ? [...others, kind] : others }
}

export type PlaceProblem = 'name' | 'taken' | 'address'
export type Checked = { ok: true; input: Input<'saveOutside'> } | { ok: false; problem: PlaceProblem }

export function checkForm(form: PlaceForm, place: OutsidePlace | null, taken: readonly string[]): Checked {
  const name = form.name.trim()
  const url = form.url.trim()
  if (name === '') return { ok: false, problem: 'name' }
  if (taken.includes(name) && name !== place?.name) return { ok: false, problem: 'taken' }
  // An address of another service is no address of this one.
  if (url === '' && place?.kind !== form.kind) return { ok: false, problem: 'address' }
  return {
    ok: true,
    input: {
      was: place?.name ?? null,
      name,
      kind: form.kind,
      url: url === '' ? null : url,
      token: form.forgetToken || !takesToken(form.kind) ? '' : form.token.trim() === '' ? null : form.token.trim(),
      on: place?.on ?? true,
      classes: form.classes === null ? null : [...form.classes],
      texts: form.texts,
    },
  }
}

export const takesToken = (kind: OutsideKind): boolean => kind === 'ntfy' || kind === 'webhook'

/** The input that saves a place as it is, except for the switch. */
export const switched = ({ name, kind, classes, texts }: OutsidePlace, on: boolean): Input<'saveOutside'> => ({
  was: name,
  name,
  kind,
  url: null,
  token: null,
  on,
  classes: classes === null ? null : [...classes],
  texts,
})

function freeName(kind: OutsideKind, taken: readonly string[]): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? kind : `${kind} ${n}`
    if (!taken.includes(name)) return name
  }
}

/** Names of services, the same in every language, and what an address there looks like. */
export const services: Readonly<Record<OutsideView['kind'], { name: string; address: string }>> = {
  ntfy: { name: 'ntfy', address: 'https://ntfy.sh/my-topic' },
  slack: { name: 'Slack', address: 'https://hooks.slack.com/services/…' },
  discord: { name: 'Discord', address: 'https://discord.com/api/webhooks/…' },
  webhook: { name: 'Webhook', address: 'https://' },
  push: { name: 'Web push', address: '' },
}
