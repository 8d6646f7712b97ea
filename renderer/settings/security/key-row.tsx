import type { LocalKeyView } from '../../../shared/settings.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { IconButton } from '../../parts/button.tsx'

/** One key that callers may send, by its name and its end. */
export function KeyRow({ of: { id, alias, ends } }: { of: LocalKeyView }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const t = w.security
  const name = alias ?? t.unnamed
  return (
    <li className="local-key">
      <Icon name="key" />
      <b className="cut">{name}</b>
      <span className="meta cut">
        {ends !== '' && <span className="mono">…{ends}</span>} {alias === null ? t.inFile : t.hashed}
      </span>
      <IconButton
        icon="x"
        small
        name={t.remove(name)}
        disabled={!live}
        onClick={() => void actions.removeLocalKey(id, t.removed(name))}
      />
    </li>
  )
}
