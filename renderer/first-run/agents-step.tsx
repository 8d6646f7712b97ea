import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp, useLive, useUi, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { RadioOption, Radios } from '../parts/radios.tsx'
import { CommandLine } from '../parts/copy-line.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import type { FoundAgent } from '../../shared/setup/agent-standing.ts'
import type { AgentSetup, FileDiff } from '../../shared/setup/first-run.ts'
import { Step } from './step.tsx'
import { shellChooser } from '../control/shell.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FolderField } from '../terminals/folder-field.tsx'
import { FolderPicker } from '../terminals/folder-picker.tsx'
import { Problem } from '../parts/trouble.tsx'
import { useOrder } from '../parts/use-order.ts'
import type { ClientKind } from '../../shared/words.ts'

/** The agents of this machine, and three ways to have them kept going. */
export function AgentsStep() {
  const { ui } = useApp()
  const { w, f } = useWords()
  const t = w.firstRun.agents
  const open = useUi((s) => s.firstRun.open === 'agents')
  const { agents, setups, problem, checkAgain } = useMachine()
  const done = setups.find((setup) => setup.kind === 'set-up')
  return (
    <Step
      name="agents"
      n={2}
      title={t.name}
      hint={t.hint}
      done={done?.kind === 'set-up' ? t.done(w.agents[done.client], f.list([...done.files])) : null}
    >
      {open && agents === null && (
        <div className="late vstack" role="status" aria-label={t.looking}>
          <Skeleton width="60%" />
          <Skeleton width="50%" />
        </div>
      )}
      {agents?.length === 0 && <p className="meta">{t.none}</p>}
      {agents && agents.length > 0 && <Choices agents={agents} setups={setups} onChanged={checkAgain} />}
      <Problem text={problem} />
      <div className="step-act">
        <Button tone="quiet" onClick={() => ui.setState((s) => ({ firstRun: { ...s.firstRun, open: 'demo' } }))}>
          {t.skip}
        </Button>
      </div>
    </Step>
  )
}

function Choices({
  agents,
  setups,
  onChanged,
}: {
  agents: readonly FoundAgent[]
  setups: readonly AgentSetup[]
  onChanged: () => void
}) {
  const { actions, navigation, ui } = useApp()
  const { w } = useWords()
  const t = w.firstRun.agents
  const live = useLive()
  const [chosen, setChosen] = useState(agents[0]?.client)
  const [cwd, setCwd] = useState('')
  const [forGood, setForGood] = useState(false)
  const { busy, refused, refuse, give } = useOrder()
  const agent = agents.find(({ client }) => client === chosen) ?? agents[0]
  if (!agent) return null
  const setup = setups.find(({ client }) => client === agent.client) ?? null
  const start = async () => {
    const opened = await give(() =>
      actions.openTerminal({
        client: agent.client,
        args: [],
        cols: 120,
        rows: 40,
        watchMs: 1_000,
        ...(cwd.trim() ? { cwd: cwd.trim() } : {}),
      }),
    )
    if (!opened.ok) return
    navigation.go({ view: 'sessions', selection: { kind: 'terminal', id: opened.value.id } })
    ui.setState({ active: `terminal:${opened.value.id}` })
  }
  return (
    <div className="two">
      <Radios
        className="agents"
        label={t.found}
        value={agent.client}
        onChange={(client) => {
          setChosen(client)
          refuse(null)
        }}
      >
        {agents.map((one) => (
          <RadioOption key={one.client} className="ag" value={one.client}>
            <b>{w.agents[one.client]}</b>
            {one.version !== null && <span className="meta num">{one.version}</span>}
          </RadioOption>
        ))}
      </Radios>
      <div className="vstack ways">
        <FolderChoice value={cwd} onChange={setCwd} />
        <div className="hstack">
          <Button tone="primary" busy={busy} disabled={!live} onClick={() => void start()}>
            {t.here}
          </Button>
          <Button aria-expanded={forGood} onClick={() => setForGood((on) => !on)}>
            {t.forGood}
          </Button>
        </div>
        <p className="meta">{t.hereNote}</p>
        <Problem text={refused} />
        <p className="meta">{t.tmux}</p>
        <CommandLine text={`onward ${agent.client} --tmux`} />
        {(forGood || setup?.kind === 'set-up') && (
          <ForGood key={agent.client} client={agent.client} setup={setup} onChanged={onChanged} />
        )}
      </div>
    </div>
  )
}

function useMachine() {
  const { actions } = useApp()
  const live = useLive()
  const [agents, setAgents] = useState<readonly FoundAgent[] | null>(null)
  const [setups, setSetups] = useState<readonly AgentSetup[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [checked, setChecked] = useState(0)
  const checkAgain = useCallback(() => setChecked((n) => n + 1), [])
  const models = useUi((s) => s.firstRun.models)
  useEffect(() => {
    if (!live) return
    let here = true
    void Promise.all([
      actions.ask((c) => c.agents.query()),
      // The changes to an agent's settings depend on how models are reached.
      actions.ask((c) => c.agentSetups.query()),
    ]).then(([found, known]) => {
      if (!here) return
      setAgents(found.ok ? found.value.filter(({ client }) => client !== 'other') : [])
      if (known.ok) setSetups(known.value)
      setProblem(!found.ok ? found.problem.message : !known.ok ? known.problem.message : null)
    })
    return () => {
      here = false
    }
  }, [actions, live, checked, models])
  return { agents, setups, problem, checkAgain }
}

/** A folder outside of a dialog: the picker opens in one of its own. */
function FolderChoice({ value, onChange }: { value: string; onChange: (folder: string) => void }) {
  const { w } = useWords()
  const [picking, setPicking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const choose = async () => {
    const chooser = shellChooser()
    if (!chooser) return setPicking(true)
    const chosen = await chooser(value.trim())
    if (chosen !== null) onChange(chosen)
  }
  return (
    <>
      <FolderField pickButton={button} value={value} onChange={onChange} onPick={() => void choose()} />
      {picking && (
        <Dialog title={w.folder.title} onClose={() => setPicking(false)}>
          <FolderPicker
            start={value.trim()}
            onBack={() => setPicking(false)}
            onChoose={(path) => {
              onChange(path)
              setPicking(false)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

/** The agent's own settings, pointed at Onward: every changed line first, then one click, and one to take it back. */
function ForGood({
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
