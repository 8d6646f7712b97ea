import { useApp, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import type { AgentSetup, FileDiff } from '../../shared/setup/first-run.ts'
import type { ClientKind } from '../../shared/words.ts'
import { Problem } from '../parts/trouble.tsx'
import { useOrder } from '../parts/use-order.ts'

/** The agent's own settings, pointed at Onward: every changed line first, then one click, and one to take it back. */
export function ForGood({
  client,
  setup,
  onChanged,
}: {
  client: ClientKind
  setup: AgentSetup | null
  onChanged: () => void
}) {
  const { actions } = useApp()
  const { w, f } = useWords()
  const t = w.firstRun.agents
  const live = useLive()
  const { busy, refused, give } = useOrder()
  const name = w.agents[client]
  const act = async (what: Parameters<typeof actions.ask<void>>[0]) => {
    await give(() => actions.ask(what))
    onChanged()
  }
  const said = <Problem text={refused} />
  if (!setup) return <p className="meta">{t.notForGood(name)}</p>
  if (setup.kind === 'impossible') return <p className="meta">{t.impossible(setup.code, setup.path)}</p>
  if (setup.kind === 'set-up')
    return (
      <>
        <p className="meta" role="status">
          {setup.changed.length > 0
            ? t.changed(f.list([...setup.changed]), f.list([...setup.backups]))
            : t.done(name, f.list([...setup.files]))}
        </p>
        {said}
        {setup.changed.length === 0 && (
          <div className="hstack">
            <Button
              icon="undo"
              busy={busy}
              disabled={!live}
              onClick={() => void act((c) => c.undoAgentSetup.mutate(setup.client))}
            >
              {t.undo}
            </Button>
          </div>
        )}
      </>
    )
  return (
    <>
      <p className="meta">{t.forGoodNote(name)}</p>
      {setup.files.map((file) => (
        <Diff key={file.path} file={file} />
      ))}
      {said}
      <div className="hstack">
        <Button
          busy={busy}
          disabled={!live}
          onClick={() => void act((c) => c.setUpAgent.mutate({ client: setup.client, fingerprint: setup.fingerprint }))}
        >
          {setup.files.length > 1 ? t.applyAll : t.apply}
        </Button>
        <span className="meta">{t.keep}</span>
      </div>
    </>
  )
}

function Diff({ file }: { file: FileDiff }) {
  const { w } = useWords()
  const t = w.firstRun.agents
  const count = (kind: string) => file.lines.filter((line) => line.kind === kind).length
  const [added, removed] = [count('added'), count('removed')]
  return (
    <div>
      <div className="hstack meta diff-head">
        <code className="cut">{file.path}</code>
        {file.fresh && <span>{t.fresh}</span>}
        <span className="grow" />
        <span className="num">{removed === 0 ? t.added(added) : t.changedLines(added, removed)}</span>
      </div>
      <pre className="diff mono" tabIndex={0} aria-label={file.path}>
        {file.lines.map((line, i) => (
          <span key={i} className={line.kind}>
            {line.kind === 'gap' ? `  … ${t.gap}` : `${sign[line.kind]} ${line.text}`}
            {'\n'}
          </span>
        ))}
      </pre>
    </div>
  )
}

const sign = { same: ' ', added: '+', removed: '-' } as const
