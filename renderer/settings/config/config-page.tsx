import { useEffect, useMemo, useState } from 'react'
import { useApp, useEngine, useLive, useUi, useWords } from '../../app-context.ts'
import { canShellOpen, shellOpen } from '../../control/shell.ts'
import { Shape } from '../../icons/shape.tsx'
import { Button } from '../../parts/button.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import type { Place } from '../../state/place.ts'
import { PageHead } from '../page-head.tsx'
import { CodeField } from './code-field.tsx'
import { asSchema, type Schema } from './schema-at.ts'
import { useConfigText, type ConfigText } from './use-config-text.ts'
import type { ConfigProblem } from '../../../shared/config/config-text.ts'

/** The whole config as a text. The engine says what is wrong in it, and saves only what is right. */
export function ConfigPage() {
  const { ui, actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const path = useEngine((s) => s.status?.configPath ?? '')
  const place = useUi((s) => s.place)
  const config = useConfigText()
  const schema = useSchema()
  const [said, setSaid] = useState<string | null>(null)
  const [clicked, setClicked] = useState<{ line: number; place: Place } | null>(null)
  const { text, problems, dirty } = config
  const t = w.config
  const ready = text !== null
  // The last request counts: a click here, or the place that led here. Each is an object of its own.
  const wanted = clicked?.place === place ? clicked : place
  const goTo = useMemo(() => ('line' in wanted && wanted.line !== undefined ? { line: wanted.line } : null), [wanted])
  const show = (line: number) => setClicked({ line, place })
  const save = async () => {
    if (!live || config.saving) return
    setSaid(null)
    const done = await config.save()
    if (done === 'saved') setSaid(t.saved)
    if (done === 'refused') setSaid(t.notSaved)
  }
  const discard = () => {
    const draft = ui.getState().configDraft
    ui.setState({ configDraft: null })
    setSaid(null)
    if (draft) actions.offerUndo(t.discarded, () => ui.setState({ configDraft: draft }))
  }
  return (
    <main className="pane" data-pane-stop>
      <PageHead page="config" path={path}>
        {dirty && <span className="meta">{t.unsaved}</span>}
        {canShellOpen() && (
          <Button tone="quiet" icon="folder" onClick={() => shellOpen('config')}>
            {t.openFile}
          </Button>
        )}
        {dirty && (
          <Button tone="quiet" onClick={discard}>
            {t.discard}
          </Button>
        )}
        <Button
          tone="primary"
          busy={config.saving}
          disabled={!live || !ready || (!dirty && config.exists)}
          onClick={() => void save()}
        >
          {t.save}
        </Button>
      </PageHead>
      {config.theirs && <ChangedElsewhere config={config} />}
      {config.unread !== null && (
        <div className="pad">
          <Trouble shape="failed" title={t.unread} text={config.unread} />
        </div>
      )}
      {ready ? (
        <CodeField
          text={text}
          problems={problems}
          schema={schema}
          goTo={goTo}
          readOnly={!live}
          onChange={(next) => {
            setSaid(null)
            config.change(next)
          }}
          onSave={() => void save()}
        />
      ) : (
        config.unread === null && (
          <p className="pad late" aria-busy="true">
            {t.loading}
          </p>
        )
      )}
      {ready && <Problems problems={problems} show={show} />}
      <div className="code-foot meta" role="status">
        {ready && (
          <span className="hstack">
            <Shape shape={problems.length > 0 ? 'failed' : 'done'} />
            {problems.length > 0 ? t.wrong(problems.length) : config.exists ? t.inOrder : t.newFile}
          </span>
        )}
        {said && <span>{said}</span>}
        <span className="grow" />
        <span className="t3">{t.keys}</span>
      </div>
    </main>
  )
}

/** Large, and only of use here. */
function useSchema(): Schema | null {
  const [schema, setSchema] = useState<Schema | null>(null)
  useEffect(() => {
    let wanted = true
    void import('../../../shared/config/schema.json').then((loaded) => {
      if (wanted) setSchema(asSchema(loaded.default))
    })
    return () => {
      wanted = false
    }
  }, [])
  return schema
}

/** Another program wrote the file while it is edited here: neither text is lost silently. */
export function ChangedElsewhere({ config }: { config: ConfigText }) {
  const { actions } = useApp()
  const { w } = useWords()
  const t = w.config
  return (
    <div className="banner" role="alert">
      <Shape shape="needs" />
      <p className="grow wrap">
        <b>{t.changed}</b> <span className="t2">{t.changedText}</span>
      </p>
      <Button small icon="copy" onClick={() => void actions.copy(config.text ?? '', t.copied)}>
        {t.copyMine}
      </Button>
      <Button small onClick={config.takeTheirs}>
        {t.takeTheirs}
      </Button>
      <Button small onClick={config.keepMine}>
        {t.keepMine}
      </Button>
    </div>
  )
}

/** Each place that is wrong; a click goes there. */
function Problems({ problems, show }: { problems: readonly ConfigProblem[]; show: (line: number) => void }) {
  const { w, s } = useWords()
  const t = w.config
  return (
    <ul id="config-problems" className="code-problems" aria-label={t.problems} hidden={problems.length === 0}>
      {problems.map((problem, i) => {
        const { line, column, path } = problem
        return (
          <li key={i}>
            <button type="button" onClick={() => show(line)}>
              <Shape shape="failed" />
              <span className="num">{t.at(line, column)}</span>
              {path !== '' && <code className="mono">{path}</code>}
              <span className="failed">{s.configProblem(problem)}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
