import { useState } from 'react'
import { useApp, useEngine, useLive, useWords } from '../../app-context.ts'
import { Button } from '../../parts/button.tsx'
import { inConfig, type OutsidePlace, type OutsideView } from '../../../shared/notifications.ts'
import { PlaceDialog } from './place-dialog.tsx'
import { PlaceRow, type PlaceTest } from './place-row.tsx'

const nowhere: readonly OutsideView[] = []

/** Places outside of this machine that notices are sent to. */
export function Outside() {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const places = useEngine((s) => s.status?.outside ?? nowhere)
  const [open, setOpen] = useState<{ place: OutsidePlace | null } | null>(null)
  const [tests, setTests] = useState<Readonly<Record<string, PlaceTest>>>({})
  const t = w.outside
  const test = async (name: string) => {
    setTests((all) => ({ ...all, [name]: { kind: 'running' } }))
    const outcome = await actions.testOutside(name)
    setTests((all) => ({ ...all, [name]: { kind: 'done', outcome } }))
  }
  return (
    <section aria-label={t.title}>
      <div className="set-row">
        <div>
          <h2>{t.title}</h2>
          <p className="meta">{t.hint}</p>
        </div>
        <Button icon="plus" disabled={!live} onClick={() => setOpen({ place: null })}>
          {t.add}
        </Button>
      </div>
      {places.length > 0 && (
        <ul className="outside-places" aria-label={t.title}>
          {places.map((place) => (
            <PlaceRow
              key={place.name}
              place={place}
              test={tests[place.name]}
              onTest={() => void test(place.name)}
              onEdit={inConfig(place) ? () => setOpen({ place }) : null}
            />
          ))}
        </ul>
      )}
      {open && (
        <PlaceDialog
          place={open.place}
          taken={places.map(({ name }) => name)}
          onClose={() => setOpen(null)}
          onSaved={(name) => {
            const added = open.place === null
            setOpen(null)
            if (added) void test(name)
          }}
        />
      )}
    </section>
  )
}
