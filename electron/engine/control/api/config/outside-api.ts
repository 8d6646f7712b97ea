import type { ControlApi, Input } from '../../../../../shared/operations/index.ts'
import type { OutsideView } from '../../../../../shared/notifications.ts'
import { topicOf } from '../../../../../shared/notifications.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { Secrets } from '../../../config/secrets-file.ts'
import type { ConfigEdit, ConfigHandle } from '../../../config/types.ts'
import type { Outside } from '../../../notifications/outside.ts'

export interface OutsideApiDeps {
  config: ConfigHandle
  secrets: Secrets
  outside: Pick<Outside, 'views' | 'test'>
}

/** Places outside of this machine as a person changes them from here. Their addresses are kept as secrets. */
export function outsideApi({ config, secrets, outside }: OutsideApiDeps) {
  const places = async () => {
    await config.reload()
    return config.current().notifications.outside
  }
  /** A secret that is there already may belong to a change that can still be undone. */
  const keep = async (name: string, value: string): Promise<string> => {
    const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
    let ref = `notify-${plain}`
    for (let n = 2; (await secrets.get(ref)) !== null; n++) ref = `notify-${plain}-${n}`
    await secrets.set(ref, value)
    return ref
  }
  const views = (): readonly OutsideView[] => outside.views()

  return {
    async saveOutside(input) {
      const now = await places()
      const at = input.was === null ? now.length : now.findIndex(({ name }) => name === input.was)
      if (at < 0) throw unknown(input.was ?? '')
      const before = now[at]
      if (now.some(({ name }, i) => name === input.name && i !== at))
        throw new OnwardError('outside-exists', `There is a place “${input.name}” already. Take another name.`, {
          details: { name: input.name },
          status: 409,
        })
      const url = checked(input, before !== undefined && before.kind === input.kind)
      const kept: string[] = []
      const keepOne = async (name: string, value: string) => {
        const ref = await keep(name, value)
        kept.push(ref)
        return ref
      }
      try {
        const secretRef = url === null ? null : await keepOne(input.name, url)
        const tokenRef = input.token ? await keepOne(`${input.name}-token`, input.token.trim()) : null
        await config.edit(
          before === undefined ? added(at, input, secretRef, tokenRef) : changed(at, input, secretRef, tokenRef),
        )
      } catch (error) {
        for (const ref of kept) await secrets.remove(ref)
        throw error
      }
      return views()
    },
    async removeOutside(name) {
      const at = (await places()).findIndex((place) => place.name === name)
      if (at < 0) throw unknown(name)
      // Its secrets stay as long as the removal can be undone: undoing must bring back a place that can be reached.
      await config.edit([{ path: ['notifications', 'outside', at], value: undefined }])
      return views()
    },
    testOutside: (name) => outside.test(name),
  } satisfies Partial<ControlApi>
}

const place = ['notifications', 'outside'] as const

const added = (
  at: number,
  { name, kind, on, classes, texts }: Input<'saveOutside'>,
  secretRef: string | null,
  tokenRef: string | null,
): readonly ConfigEdit[] => [
  {
    path: [...place, at],
    value: {
      name,
      kind,
      ...(secretRef === null ? {} : { secretRef }),
      ...(tokenRef === null ? {} : { tokenRef }),
      ...(on ? {} : { on }),
      ...(classes === null ? {} : { classes }),
      ...(texts ? { texts } : {}),
    },
  },
]

/** Member by member: an address that a person wrote, perhaps as a variable's name, is not written anew. */
const changed = (
  at: number,
  { name, kind, on, classes, texts, token }: Input<'saveOutside'>,
  secretRef: string | null,
  tokenRef: string | null,
): readonly ConfigEdit[] => {
  const set = (member: string, value: unknown): ConfigEdit => ({ path: [...place, at, member], value })
  return [
    set('name', name),
    set('kind', kind),
    ...(secretRef === null ? [] : [set('url', undefined), set('secretRef', secretRef)]),
    ...(token === null ? [] : [set('token', undefined), set('tokenRef', tokenRef ?? undefined)]),
    set('on', on ? undefined : false),
    set('classes', classes ?? undefined),
    set('texts', texts || undefined),
  ]
}

const unknown = (name: string) =>
  new OnwardError('outside-unknown', `There is no place “${name}” that notices are sent to.`, { status: 404 })

/** Returns null if the address stays as it is. @param mayStay there is one of this kind */
function checked({ kind, url }: Input<'saveOutside'>, mayStay: boolean): string | null {
  const text = url?.trim() ?? ''
  if (text === '' && mayStay) return null
  const full = kind === 'ntfy' && /^[-_A-Za-z0-9]{1,64}$/.test(text) ? `https://ntfy.sh/${text}` : text
  if (!URL.canParse(full) || !/^https?:$/.test(new URL(full).protocol))
    throw new OnwardError('bad-address', 'That is no web address. Paste the whole one, from https:// on.', {
      status: 400,
    })
  if (kind === 'ntfy' && topicOf(full) === null)
    throw new OnwardError('bad-address', 'That names no topic: write it after the server, https://ntfy.sh/my-topic.', {
      status: 400,
    })
  return full
}
