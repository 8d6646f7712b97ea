import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useApp, useLive, useWords } from '../app-context.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import type { FoundAgent } from '../../shared/control/contract.ts'
import type { ClientKind } from '../../shared/words.ts'
import { homeShort } from '../parts/home-short.ts'
import { splitCommand } from '../../shared/split-command.ts'

/** Starts an agent found on this machine, or any command, in a terminal that Onward hosts. */
export function NewTerminal({ onClose }: { onClose: () => void }) {
  const { actions, navigation, ui } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [agents, setAgents] = useState<readonly FoundAgent[] | null>(null)
  const [client, setClient] = useState<ClientKind>('other')
  const [command, setCommand] = useState('')
  const [cwd, setCwd] = useState('')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (!live) return
    let here = true
    void actions
      .ask((c) => c.agents.query())
      .then((outcome) => {
        if (!here) return
        const found = outcome.ok ? outcome.value.filter((a) => a.client !== 'other') : []
        setAgents(found)
        if (found[0]) setClient(found[0].client)
        if (!outcome.ok) setProblem(outcome.problem.message)
      })
    return () => {
      here = false
    }
  }, [actions, live])

  // The dialog opens before the agents are known; the keyboard goes to the chosen one once they are.
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (agents) form.current?.querySelector<HTMLElement>('input:checked')?.focus()
  }, [agents])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const args = splitCommand(command)
    if (args === null) return setProblem(w.newTerminal.badCommand)
    if (client === 'other' && args.length === 0) return setProblem(w.newTerminal.noCommand)
    setBusy(true)
    const outcome = await actions.openTerminal({
      client,
      args,
      cols: 120,
      rows: 40,
      ...(cwd.trim() ? { cwd: cwd.trim() } : {}),
      ...(name.trim() ? { name: name.trim() } : {}),
    })
    setBusy(false)
    if (!outcome.ok) return setProblem(outcome.problem.message)
    onClose()
    navigation.go({ view: 'sessions', selection: { kind: 'terminal', id: outcome.value.id } })
    ui.setState({ active: `terminal:${outcome.value.id}` })
  }
  return (
    <Dialog title={w.newTerminal.title} onClose={onClose}>
      <form ref={form} className="dialog-form" tabIndex={-1} data-autofocus onSubmit={(e) => void submit(e)}>
        <div>
          <div className="agents" role="radiogroup" aria-label={w.newTerminal.agent}>
            {agents === null && (
              <div className="late vstack" role="status" aria-label={w.newTerminal.looking}>
                <Skeleton width="60%" />
                <Skeleton width="50%" />
              </div>
            )}
            {agents?.map((agent) => (
              <Choice
                key={agent.client}
                name={w.agents[agent.client]}
                detail={agent.version}
                path={homeShort(agent.path)}
                checked={client === agent.client}
                onChoose={() => setClient(agent.client)}
              />
            ))}
            {agents && (
              <Choice
                name={w.newTerminal.command}
                detail={null}
                path=""
                checked={client === 'other'}
                onChoose={() => setClient('other')}
              />
            )}
          </div>
          {agents?.length === 0 && (
            <p className="meta" style={{ marginTop: 6 }}>
              {w.newTerminal.noneFound}
            </p>
          )}
        </div>
        <TextField
          label={client === 'other' ? w.newTerminal.commandField : w.newTerminal.args}
          boxClass="mono"
          placeholder={client === 'other' ? w.newTerminal.commandPlaceholder : w.newTerminal.argsPlaceholder}
          value={command}
          onChange={(e) => setCommand(e.currentTarget.value)}
        />
        <TextField
          label={w.newTerminal.folder}
          boxClass="mono"
          placeholder={w.newTerminal.folderHint}
          value={cwd}
          onChange={(e) => setCwd(e.currentTarget.value)}
        />
        <TextField
          label={w.newTerminal.name}
          hint={w.newTerminal.nameHint}
          value={name}
          maxLength={200}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        {problem && (
          <p className="meta failed" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog-foot">
          <span className="meta grow">{w.newTerminal.note}</span>
          <Button tone="quiet" onClick={onClose}>
            {w.newTerminal.cancel}
          </Button>
          <Button type="submit" tone="primary" busy={busy} disabled={!live}>
            {w.newTerminal.open}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Choice({
  name,
  detail,
  path,
  checked,
  onChoose,
}: {
  name: string
  detail: string | null
  path: string
  checked: boolean
  onChoose: () => void
}) {
  return (
    <label className="ag">
      <input type="radio" name="agent" checked={checked} onChange={onChoose} />
      <span className="radio" />
      <b>{name}</b>
      {detail && <span className="meta num">{detail}</span>}
      <span className="grow" />
      <span className="meta cut">{path}</span>
    </label>
  )
}
