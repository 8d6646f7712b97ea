import { useState, type FormEvent, useEffect } from 'react'
import { isLoopbackHost, type LocalKeyView, type NewLocalKey } from '../../../shared/settings.ts'
import type { EngineStatus } from '../../../shared/state.ts'
import { useApp, useLive, useWords, useEngine } from '../../app-context.ts'
import { Shape } from '../../icons/shape.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { CopyLine } from '../../parts/copy-line.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Said } from '../../parts/said.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { Problem } from '../../parts/trouble.tsx'
import { useOrder } from '../../parts/use-order.ts'
import { Setting } from '../fields/setting.tsx'
import { useLocalKeys, useSettingView } from '../fields/setting-views.tsx'
import { Icon } from '../../icons/icon.tsx'
import { isUnfinished, keysInTrouble, type SecretPlace, type SecretsView } from '../../../shared/secrets/secrets.ts'

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

/** Makes a key and shows it, this once. */
function AddKey({
  first,
  taken,
  onClose,
}: {
  /** there is none yet: with it, programs without one are refused */
  first: boolean
  taken: readonly LocalKeyView[]
  onClose: () => void
}) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [alias, setAlias] = useState('')
  const { busy, refused, refuse, give } = useOrder()
  const [made, setMade] = useState<NewLocalKey | null>(null)
  const t = w.security
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const name = alias.trim()
    if (name === '') return refuse(t.nameless)
    if (taken.some((one) => one.alias === name)) return refuse(t.taken)
    const added = await give(() => actions.addLocalKey(name))
    if (added.ok) setMade(added.value)
  }
  if (made)
    return (
      <Dialog title={t.madeTitle(made.alias)} size={560} onClose={onClose}>
        <div className="dialog-form">
          <p>{t.once}</p>
          <CopyLine text={made.key} />
          <p className="meta">{t.howSent}</p>
          <div className="dialog-foot">
            <Button tone="primary" data-autofocus onClick={onClose}>
              {t.done}
            </Button>
          </div>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t.addTitle} onClose={onClose}>
      <form className="dialog-form" noValidate onSubmit={(e) => void submit(e)}>
        {first && <p>{t.firstKey}</p>}
        <TextField
          label={t.name}
          hint={t.nameHint}
          maxLength={64}
          data-autofocus
          value={alias}
          problem={refused}
          onChange={(e) => {
            setAlias(e.currentTarget.value)
            refuse(null)
          }}
        />
        <div className="dialog-foot">
          <Button tone="quiet" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" tone="primary" busy={busy} disabled={!live}>
            {t.make}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const usual = ['127.0.0.1', '0.0.0.0', '::'] as const

/** Where Onward listens; anything but this machine is said plainly, with what has to be so then. */
function BindAddress({ running }: { running: string }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const view = useSettingView('server.host')
  const keys = useLocalKeys()
  const [problem, setProblem] = useState<string | null>(null)
  const t = w.security
  if (!view) return null
  const host = String(view.value)
  const open = !isLoopbackHost(host)
  const wordOf = (address: string) =>
    address === '127.0.0.1'
      ? t.onlyHere
      : address === '0.0.0.0'
        ? t.everywhere4
        : address === '::'
          ? t.everywhere6
          : address
  const choose = async (next: string) => {
    if (!isLoopbackHost(next) && keys.length === 0) return setProblem(t.keyFirst)
    setProblem(null)
    const outcome = await actions.setSetting(view, next, t.hostSaved(next))
    if (!outcome.ok) setProblem(outcome.problem.message)
  }
  return (
    <div className="bind">
      <SelectField label={t.bind} value={host} disabled={!live} onChange={(e) => void choose(e.currentTarget.value)}>
        {[...new Set([...usual, host])].map((address) => (
          <option key={address} value={address}>
            {wordOf(address)}
          </option>
        ))}
      </SelectField>
      <Problem text={problem} />
      <p className="tool-note">
        <Shape shape={open ? 'needs' : 'done'} />
        <span>
          <Said text={open ? t.openWarning : t.closed} />
        </span>
      </p>
      {host !== running && (
        <p className="tool-note" role="status">
          <Shape shape="held" />
          <span>{t.nextStart(running)}</span>
        </p>
      )}
    </div>
  )
}

/** Where Onward keeps the keys of providers, said plainly, and the other place one click away. */
function KeptKeys() {
  const { actions } = useApp()
  const { w, s } = useWords()
  const live = useLive()
  const revision = useEngine((e) => e.status?.configRevision ?? null)
  const [kept, setKept] = useState<SecretsView | null>(null)
  const [busy, setBusy] = useState<SecretPlace | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const t = w.security
  useEffect(() => {
    if (!live) return undefined
    let over = false
    void actions
      .ask((c) => c.secretsKept.query())
      .then((outcome) => {
        if (over) return
        if (outcome.ok) setKept(outcome.value)
        else setProblem(outcome.problem.message)
      })
    return () => {
      over = true
    }
  }, [actions, live, revision])
  const move = async (to: SecretPlace) => {
    setBusy(to)
    setProblem(null)
    const outcome = await actions.ask((c) => c.moveSecrets.mutate(to))
    const after = outcome.ok ? outcome : await actions.ask((c) => c.secretsKept.query())
    setBusy(null)
    if (after.ok) setKept(after.value)
    if (!outcome.ok) setProblem(outcome.problem.message)
  }
  if (kept === null) return <Problem text={problem} />
  const mend = s.secretsMend(kept)
  const from = { keychain: kept.count.file, file: kept.count.keychain }
  const towards = kept.moving ?? kept.keep ?? 'file'
  // A button that moves keys there does the same.
  const moveOn = isUnfinished(kept) && from[towards] === 0
  return (
    <div>
      <div className="set-row">
        <div>
          <h3>{t.kept}</h3>
          <p className="meta" role="status">
            <Said text={s.secretsKept(kept)} />
          </p>
        </div>
        {(['keychain', 'file'] as const).map(
          (to) =>
            from[to] > 0 && (
              <Button
                key={to}
                tone={to === 'file' ? 'quiet' : undefined}
                busy={busy === to}
                disabled={!live || busy !== null}
                onClick={() => void move(to)}
              >
                {t.move[to](from[to])}
              </Button>
            ),
        )}
        {moveOn && (
          <Button
            tone="quiet"
            busy={busy === towards}
            disabled={!live || busy !== null}
            onClick={() => void move(towards)}
          >
            {t.moveOn}
          </Button>
        )}
      </div>
      {mend !== null && (
        <p className="tool-note">
          <Shape shape={keysInTrouble(kept) === null ? 'held' : 'needs'} />
          <span>
            <Said text={mend} />
          </span>
        </p>
      )}
      <Problem text={problem} />
    </div>
  )
}
