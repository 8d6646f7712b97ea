import { useState } from 'react'
import { isLoopbackHost, type LocalKeyView } from '../../../shared/settings.ts'
import type { EngineStatus } from '../../../shared/state.ts'
import { useApp, useLive, useWords } from '../../app-context.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Said } from '../../parts/said.tsx'
import { Setting } from '../fields/setting.tsx'
import { useLocalKeys } from '../fields/setting-views.tsx'
import { AddKey } from './add-key.tsx'
import { BindAddress } from './bind-address.tsx'
import { KeptKeys } from './kept-keys.tsx'
import { Icon } from '../../icons/icon.tsx'

/** The callers Onward serves, and the addresses they may come from; and where its own keys are kept. */
export function Security({ status }: { status: EngineStatus }) {
  const { w } = useWords()
  const live = useLive()
  const keys = useLocalKeys()
  const [adding, setAdding] = useState(false)
  const t = w.security
  return (
    <section aria-label={t.title}>
      <h2>{t.title}</h2>
      <BindAddress running={status.host} />
      {!isLoopbackHost(status.host) && <Setting name="server.allowedHosts" />}
      <div className="set-row">
        <div>
          <h3>{t.who}</h3>
          <p className="meta">
            <Said text={keys.length === 0 ? t.noKeys : t.keysHint} />
          </p>
        </div>
        <Button icon="plus" disabled={!live} onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      </div>
      {keys.length > 0 && (
        <ul className="local-keys" aria-label={t.who}>
          {keys.map((key) => (
            <KeyRow key={key.id} of={key} />
          ))}
        </ul>
      )}
      <KeptKeys />
      {adding && <AddKey first={keys.length === 0} taken={keys} onClose={() => setAdding(false)} />}
    </section>
  )
}

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
