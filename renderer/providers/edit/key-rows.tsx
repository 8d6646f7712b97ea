import { Menu } from '@mantine/core'
import { useLive, useWords } from '../../app-context.ts'
import { Icon } from '../../icons/icon.tsx'
import { Shape } from '../../icons/shape.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { MenuEntry } from '../../parts/menu-entry.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { Ticking } from '../../time/ticking.tsx'
import type { ProviderView, Rest } from '../../../shared/routing.ts'
import { TestLine } from '../test-line.tsx'
import type { Tests } from '../use-tests.ts'
import { keyField, newKey, type KeyDraft } from './draft.ts'
import { useProblemText } from './problem-text.ts'
import type { ProviderForm } from './use-provider-form.ts'

interface KeysProps {
  provider: ProviderView
  form: ProviderForm
  tests: Tests
}

/** The keys in the order they are tried: where each comes from and whether it works, never the key itself. */
export function Keys({ provider, form, tests }: KeysProps) {
  const { w } = useWords()
  const t = w.providerForm
  const { keys } = form.draft
  const put = (row: number, change: Partial<KeyDraft>) =>
    form.set({ keys: keys.map((key) => (key.row === row ? { ...key, ...change } : key)) })
  return (
    <section aria-label={t.keys}>
      <h2>
        {t.keys}
        <span className="meta">{t.keysHint}</span>
        <span className="grow" />
        <Button small tone="quiet" icon="plus" onClick={() => form.set({ keys: [...keys, newKey(keys)], auth: 'key' })}>
          {t.addKey}
        </Button>
      </h2>
      {keys.length === 0 && <p className="meta">{t.noKeys}</p>}
      <ul className="p-keys">
        {keys.map((key) => (
          <li key={key.row} aria-label={key.alias}>
            <KeyRow
              keyDraft={key}
              provider={provider}
              tests={tests}
              onPut={(change) => put(key.row, change)}
              onRemove={() => form.set({ keys: keys.filter(({ row }) => row !== key.row) })}
            />
            {key.open && <KeyFields keyDraft={key} form={form} onPut={(change) => put(key.row, change)} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  keyDraft: KeyDraft
  provider: ProviderView
  tests: Tests
  onPut: (change: Partial<KeyDraft>) => void
  onRemove: () => void
}

function KeyRow({ keyDraft: key, provider, tests, onPut, onRemove }: RowProps) {
  const { w } = useWords()
  const t = w.providerForm
  const live = useLive()
  const { kept } = key
  const changed = kept !== null && (key.alias !== kept.alias || key.from !== 'kept')
  const test = kept ? tests.ofKey(provider.id, kept.alias) : null
  const from = kept?.from === 'env' ? t.keyEnv(kept.env ?? '') : kept ? t.keyIn[kept.from] : t.keyNew
  return (
    <div className="key">
      <Icon name="key" />
      <b className="cut">{key.alias}</b>
      <span className="meta cut" title={from}>
        {from}
      </span>
      <span className="meta key-state" role="status">
        {changed
          ? t.keyChanged
          : kept && (test ? <TestLine test={test} /> : <State provider={provider} alias={kept.alias} />)}
      </span>
      {kept ? (
        <Button
          small
          disabled={!live || changed}
          title={changed ? t.saveFirst : w.providers.testHint}
          busy={test?.kind === 'running'}
          aria-label={t.testKey(kept.alias)}
          onClick={() => tests.runKey(provider.id, kept.alias)}
        >
          {w.providers.test}
        </Button>
      ) : (
        <span />
      )}
      <Menu>
        <Menu.Target>
          <IconButton icon="more" small name={t.moreKey(key.alias)} />
        </Menu.Target>
        <Menu.Dropdown aria-label={t.moreKey(key.alias)}>
          {kept && !key.open && (
            <MenuEntry icon="edit" text={t.changeKey} onClick={() => onPut({ open: true, from: 'secret' })} />
          )}
          {kept && key.open && (
            <MenuEntry
              icon="undo"
              text={t.leaveKey}
              onClick={() => onPut({ open: false, from: 'kept', alias: kept.alias, secret: '', env: kept.env ?? '' })}
            />
          )}
          <MenuEntry icon="x" danger text={t.removeKey} onClick={onRemove} />
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** As the engine knows it without a request. */
function State({ provider, alias }: { provider: ProviderView; alias: string }) {
  const { w } = useWords()
  const t = w.providerForm
  const key = provider.keys.find((one) => one.alias === alias)
  if (!key) return null
  const { state, limits } = key
  const limit = limits?.[0]
  switch (state.kind) {
    case 'ready':
      return limit ? <Resting rest={limit} /> : <span className="cut">{t.keyReady}</span>
    case 'missing':
      return (
        <span className="hstack failed" title={state.why}>
          <Shape shape="failed" />
          <span className="cut">{t.keyMissing(state.why)}</span>
        </span>
      )
    case 'resting':
      return <Resting rest={state.rest} />
  }
}

function Resting({ rest }: { rest: Rest }) {
  const { s } = useWords()
  return (
    <span className="hstack">
      <Shape shape={rest.why === 'refused' ? 'failed' : 'held'} />
      <Ticking className="cut" text={(now) => s.health({ kind: 'resting', rest, models: [] }, now)} />
    </span>
  )
}

function KeyFields({
  keyDraft: key,
  form,
  onPut,
}: {
  keyDraft: KeyDraft
  form: ProviderForm
  onPut: (change: Partial<KeyDraft>) => void
}) {
  const { w } = useWords()
  const t = w.providerForm
  const textOf = useProblemText(form)
  const kinds = [...(key.kept ? (['kept'] as const) : []), 'secret' as const, 'env' as const]
  return (
    <div className="key-fields">
      <TextField
        label={t.alias}
        boxClass="mono"
        maxLength={64}
        value={key.alias}
        problem={textOf(keyField(key.row, 'alias'))}
        onChange={(e) => onPut({ alias: e.currentTarget.value })}
      />
      <div className="key-from">
        <Segmented
          label={key.alias}
          value={key.from}
          options={kinds.map((value) => ({ value, text: t.keyFrom[value] }))}
          onChange={(from) => onPut({ from })}
        />
        {key.from === 'secret' && (
          <TextField
            label={w.providers.secret}
            hideLabel
            boxClass="mono"
            type="password"
            autoComplete="new-password"
            placeholder={w.providers.secret}
            value={key.secret}
            problem={textOf(keyField(key.row, 'secret'))}
            onChange={(e) => onPut({ secret: e.currentTarget.value })}
          />
        )}
        {key.from === 'env' && (
          <TextField
            label={w.providers.env}
            hideLabel
            boxClass="mono"
            placeholder="API_KEY"
            value={key.env}
            problem={textOf(keyField(key.row, 'env'))}
            onChange={(e) => onPut({ env: e.currentTarget.value })}
          />
        )}
        {key.from !== 'kept' && (
          <p className="meta">{key.from === 'secret' ? w.providers.secretHint : w.providers.envHint}</p>
        )}
      </div>
    </div>
  )
}
