import { Menu } from '@mantine/core'
import { useRef } from 'react'
import { useApp, useEngine, useLive, useMay, useOfAll, useWords } from '../app-context.ts'
import { MachineMark } from '../machines/machine-mark.tsx'
import { Shape } from '../icons/shape.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { MenuEntry } from '../parts/menu-entry.tsx'
import { Offered } from '../parts/offered.tsx'
import { Ticking } from '../time/ticking.tsx'
import type { ProviderView } from '../../shared/routing.ts'
import type { SessionView } from '../../shared/state.ts'
import { hostOf, keysOf, sayOf, shapeOf, ticks } from './health.ts'
import { LimitBlock, PauseOffer } from './limit-block.tsx'
import { ProviderEdit } from './edit/provider-form.tsx'
import { useOpenForm } from './edit/use-provider-form.ts'
import { StandInList } from './stand-in-list.tsx'
import { TestLine } from './test-line.tsx'
import type { Tests } from './use-tests.ts'

/** One provider: how it is, how fast it answers, what its last calls were. At a limit the row opens. */
export function ProviderRow({
  provider,
  waiting,
  tests,
}: {
  provider: ProviderView
  waiting: readonly SessionView[]
  tests: Tests
}) {
  const { clock, machine } = useApp()
  const all = useOfAll()
  const words = useWords()
  const { w, f } = words
  const t = w.providers
  const live = useLive()
  const { health } = provider
  const mayEdit = useMay('updateProvider')
  const form = useOpenForm()
  const editing = form.opened === provider.id
  const name = useRef<HTMLButtonElement>(null)
  const close = () => {
    form.close()
    name.current?.focus()
  }
  const test = tests.of(provider.id)
  // What another machine was like when it was last seen says nothing of now.
  const shape = machine !== null && !live ? 'gone' : shapeOf(provider)
  const atLimit = (health.kind === 'resting' && health.rest.why === 'limit') || waiting.length > 0
  const where =
    provider.type === 'simulator'
      ? t.simulator
      : f.list([
          t.types[provider.type],
          ...(provider.baseUrl === null ? [] : [hostOf(provider.baseUrl)]),
          ...(provider.via === undefined ? [] : [t.through(provider.via)]),
        ])
  const silence = (provider.silence ?? []).map(({ model, answers, silentMs, idleMs }) =>
    t.silence(model, f.took(silentMs), f.took(idleMs), answers),
  )
  const until = health.kind === 'resting' ? f.instant(health.rest.until) : undefined
  return (
    <li
      className={`p-row${atLimit || editing ? ' open' : ''}${editing ? ' editing' : ''}`}
      aria-label={all && machine ? f.list([provider.id, w.machines.on(machine)]) : provider.id}
    >
      <Shape shape={shape} />
      <div className="p-main">
        <div className="p-l1">
          {provider.type === 'simulator' || !mayEdit ? (
            // The simulator is built in: there is nothing to edit.
            <b className="cut">{provider.id}</b>
          ) : (
            <button
              ref={name}
              type="button"
              className="p-name cut"
              aria-expanded={editing}
              aria-label={w.providerForm.editOf(provider.id)}
              onClick={() => (editing ? close() : form.open(provider.id))}
            >
              {provider.id}
            </button>
          )}
          {all && <MachineMark machine={machine} />}
          <span className="meta cut" title={provider.baseUrl ?? undefined}>
            {where}
          </span>
        </div>
        <div
          className={`meta cut${shape === 'failed' ? ' failed' : ''}`}
          title={ticks(provider) ? undefined : sayOf(provider, words, clock.now())}
        >
          {ticks(provider) ? (
            <Ticking title={until} text={(now) => sayOf(provider, words, now)} />
          ) : (
            sayOf(provider, words, clock.now())
          )}
        </div>
      </div>
      <span className="p-num num">
        <span title={[t.firstByte, ...silence].join('\n')}>
          {provider.ttfbMs === null ? '—' : f.took(provider.ttfbMs)}
        </span>
        <span className="meta">{keysOf(provider, t)}</span>
      </span>
      <CallStrip calls={provider.calls} />
      <Button
        does="testProvider"
        small
        disabled={!live}
        busy={test?.kind === 'running'}
        aria-label={t.testOf(provider.id)}
        title={t.testHint}
        onClick={() => tests.run([provider.id])}
      >
        {t.test}
      </Button>
      {editing ? (
        <IconButton icon="down" small name={w.providerForm.close(provider.id)} aria-expanded onClick={close} />
      ) : (
        <More provider={provider} onEdit={() => form.open(provider.id)} />
      )}
      {test && (
        <div className="p-test meta" role="status">
          <TestLine test={test} />
          {test.kind === 'done' && (
            <IconButton icon="x" small name={t.closeTest(provider.id)} onClick={() => tests.close(provider.id)} />
          )}
        </div>
      )}
      {editing && <ProviderEdit key={provider.id} provider={provider} tests={tests} onClose={close} />}
      <StandInList provider={provider.id} />
      {atLimit ? <LimitBlock provider={provider} waiting={waiting} /> : <PauseOffer provider={provider} />}
    </li>
  )
}

function More({ provider, onEdit }: { provider: ProviderView; onEdit: () => void }) {
  const { actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const config = useEngine((s) => s.status?.configPath ?? '')
  const t = w.providers
  const { baseUrl } = provider
  return (
    <Menu>
      <Menu.Target>
        <IconButton icon="more" small name={t.more(provider.id)} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t.more(provider.id)}>
        {provider.type !== 'simulator' && (
          <MenuEntry does="updateProvider" icon="edit" text={w.providerForm.edit} onClick={onEdit} />
        )}
        {baseUrl !== null && (
          <MenuEntry icon="copy" text={t.copyBaseUrl} onClick={() => void actions.copy(baseUrl, w.say.copied)} />
        )}
        <MenuEntry icon="copy" text={t.copyConfig} onClick={() => void actions.copy(config, t.configCopied)} />
        {/* The simulator is built in: there is nothing to remove. */}
        {provider.type !== 'simulator' && (
          <Offered to="removeProvider">
            <Menu.Divider />
            <MenuEntry
              icon="x"
              danger
              disabled={!live}
              text={t.remove}
              onClick={() => void actions.removeProvider(provider.id, provider.routes.length)}
            />
          </Offered>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const places = 24

/** The last calls as ticks, oldest first: full = answered, taller and red = failed, low = none yet. */
export function CallStrip({ calls }: { calls: readonly boolean[] }) {
  const { w } = useWords()
  const name = w.providers.calls(calls.length, calls.filter((answered) => !answered).length)
  return (
    <span className="calls" role="img" aria-label={name} title={name}>
      {Array.from({ length: places }, (_, i) => (
        <i key={i} className={calls[i] === undefined ? 'non' : calls[i] ? undefined : 'bad'} />
      ))}
    </span>
  )
}
