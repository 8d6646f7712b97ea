import { Menu } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useApp, useEngine, useLive, useUi, useWords } from '../app-context.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { MenuEntry } from '../parts/menu-entry.tsx'
import { Offered } from '../parts/offered.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { routeCategories, type RouteCategory } from '../../shared/config/names.ts'
import type { ProviderView, RoutePool, RoutingView } from '../../shared/routing.ts'
import { DryRun } from './dry-run.tsx'
import { RouteRow } from './route-row.tsx'
import { StandInList } from './stand-in-list.tsx'
import { countOf } from './count.ts'

/**
 * Where requests go: the routes, edited in place, and a question that sends nothing. Below 1100 px it lies over the
 * providers. Each engine has its own, so where providers of many are shown `where` chooses one.
 */
export function RoutingPane({ where }: { where?: ReactNode }) {
  const { actions, ui } = useApp()
  const { w, f } = useWords()
  const t = w.providers
  const live = useLive()
  const routing = useEngine((s) => s.routing)
  const providers = useEngine((s) => s.providers)
  const problem = useEngine((s) => s.providersProblem)
  const config = useEngine((s) => s.status?.configPath ?? '')
  const [said, say] = useState('')
  const savedAt = routing?.savedAt ?? null
  const back = useFocusWhenOpened()
  const undo = async () => {
    if (await actions.undoConfig()) say(t.undone)
  }
  return (
    <aside className="pane side over" aria-label={t.routing} data-pane-stop>
      <header className="pane-head">
        <IconButton
          ref={back}
          icon="left"
          className="narrow-only"
          name={t.back}
          onClick={() => ui.setState({ routingOpen: false })}
        />
        <h1>{t.routing}</h1>
        {where}
        <span className="grow" />
        {savedAt !== null && (
          <span className="meta num" title={f.instant(savedAt)}>
            {t.saved(f.minute(savedAt))}
          </span>
        )}
        <IconButton
          does="undoConfig"
          icon="undo"
          small
          name={t.undo}
          disabled={!live || routing?.canUndo !== true}
          onClick={() => void undo()}
        />
        <Button tone="quiet" small title={config} onClick={() => void actions.copy(config, t.configCopied)}>
          {t.copyConfig}
        </Button>
      </header>
      <div className="scroll">
        {routing && providers ? (
          <>
            <StandInList />
            <Routes routing={routing} providers={providers} say={say} />
            <Offered to="routeCheck">
              <DryRun routing={routing} providers={providers} />
            </Offered>
          </>
        ) : (
          problem === null && (
            <SkeletonRows
              label={t.loading}
              rows={[
                ['24%', '60%'],
                ['30%', '52%'],
                ['22%', '66%'],
              ]}
            />
          )
        )}
      </div>
      <div className="sr" role="status">
        {said}
      </div>
    </aside>
  )
}

/** Drawn at once; the engine's answer replaces it, or its refusal takes it back. */
type Edit = { pool: RoutePool; serial: number }

function Routes({
  routing,
  providers,
  say,
}: {
  routing: RoutingView
  providers: readonly ProviderView[]
  say: (said: string) => void
}) {
  const { actions } = useApp()
  const { w, s } = useWords()
  const t = w.providers
  const live = useLive()
  const [edits, setEdits] = useState<Partial<Record<RouteCategory, Edit>>>({})
  const [wanted, setWanted] = useState<readonly RouteCategory[]>([])
  const serial = useRef(0)
  const edit = async (category: RouteCategory, pool: RoutePool, said: string) => {
    const mine = ++serial.current
    setEdits((all) => ({ ...all, [category]: { pool, serial: mine } }))
    if (await actions.saveRoute({ category, pool: [...pool] })) say(said)
    setEdits(({ [category]: newest, ...others }) =>
      newest === undefined || newest.serial === mine ? others : { ...others, [category]: newest },
    )
  }
  const poolOf = (category: RouteCategory): RoutePool => edits[category]?.pool ?? routing.routes[category] ?? []
  const shown = routeCategories.filter(
    (category) => category === 'default' || poolOf(category).length > 0 || wanted.includes(category),
  )
  const free = routeCategories.filter((category) => !shown.includes(category))
  const none = routeCategories.every((category) => poolOf(category).length === 0)
  return (
    <section className="routes" aria-label={t.routes}>
      {none && <p className="r-none meta">{s.routeReason({ code: 'no-routes' })}.</p>}
      {shown.map((category) => (
        <RouteRow
          key={category}
          category={category}
          about={
            category === 'longContext' ? t.overTokens(countOf(routing.longContextThreshold)) : s.category(category)
          }
          pool={poolOf(category)}
          providers={providers}
          fresh={wanted.includes(category)}
          onEdit={(pool, said) => void edit(category, pool, said)}
        />
      ))}
      {free.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button tone="quiet" small icon="plus" className="r-more" disabled={!live}>
              {t.addRoute}
            </Button>
          </Menu.Target>
          <Menu.Dropdown aria-label={t.addRoute}>
            {free.map((category) => (
              <MenuEntry
                key={category}
                text={`${category}, ${s.category(category)}`}
                onClick={() => setWanted((all) => [...all, category])}
              />
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </section>
  )
}

/** On a narrow window the keyboard follows the pane that slid over. */
function useFocusWhenOpened() {
  const open = useUi((s) => s.routingOpen)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (open) button.current?.focus()
  }, [open])
  return button
}
