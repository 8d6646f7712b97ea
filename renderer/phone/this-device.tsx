import { useEffect, useState } from 'react'
import { useApp, useEngine, useLive, useWords } from '../app-context.ts'
import { Switch } from '../parts/switch.tsx'
import { WithCode } from '../parts/said.tsx'
import { isAllowed, isPushed, pushAbility, subscribe, unsubscribe, type PushAbility } from './push.ts'
import { worker } from './shell.ts'

/** What this device may do, and web push to it, which only it can switch. */
export function ThisDevice() {
  const { actions } = useApp()
  const { w, f } = useWords()
  const rights = useEngine((s) => s.rights) ?? []
  const live = useLive()
  const [can, setCan] = useState<PushAbility | null>(null)
  const [on, setOn] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const t = w.phone
  useEffect(() => {
    if (!live) return
    void (async () => {
      const registration = await worker(window)
      setCan(pushAbility(window, registration))
      if (registration === null || !isAllowed(window)) return
      const asked = await actions.ask((c) => c.ownPush.query())
      if (asked.ok) setOn(await isPushed(registration, asked.value))
    })()
  }, [actions, live])
  const change = async (next: boolean) => {
    const registration = await worker(window)
    if (!registration) return
    setBusy(true)
    setProblem(null)
    try {
      // The browser asks its person here, while the click still counts.
      if (next && (await Notification.requestPermission()) !== 'granted') return setCan('blocked')
      const asked = await actions.ask((c) => c.ownPush.query())
      if (!asked.ok) return setProblem(asked.problem.message)
      const target = next ? await subscribe(registration, asked.value.key) : null
      const set = await actions.ask((c) => c.setOwnPush.mutate(target))
      if (!set.ok || !next) await unsubscribe(registration)
      if (!set.ok) return setProblem(set.problem.message)
      setOn(next)
    } catch (error) {
      // its vendor's push service, or what the browser was built without
      setProblem(t.noPush(error instanceof Error ? error.message : String(error)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label={t.thisDevice}>
      <h2>{t.thisDevice}</h2>
      <p className="meta">{t.ownRights(f.list(rights.map((right) => t.rights[right])))}</p>
      {can === 'yes' && (
        <>
          <Switch checked={on} disabled={!live || busy} onChange={(next) => void change(next)}>
            <span>{t.push}</span>
          </Switch>
          <p className="meta">{t.pushHint}</p>
        </>
      )}
      {can !== null && can !== 'yes' && (
        <p className="meta">
          <WithCode text={t.cannotPush[can]} />
        </p>
      )}
      {problem !== null && (
        <p className="meta failed" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}
