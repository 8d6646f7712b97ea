import { useEffect, useRef, useState, type FormEvent } from 'react'
import { AppContext, useApp, useLive, useWords } from '../app-context.ts'
import { shellChooser } from '../control/shell.ts'
import { WhereField } from '../machines/where-field.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import type { FoundAgent } from '../../shared/setup/agent-standing.ts'
import type { ClientKind } from '../../shared/words.ts'
import { splitCommand } from '../../shared/commands/split-command.ts'
import { FolderField } from './folder-field.tsx'
import { FolderPicker } from './folder-picker.tsx'
import { homeShort } from '../parts/home-short.ts'
import { farKey, terminalKey } from '../sessions/list-items.ts'
import { RadioOption, Radios } from '../parts/radios.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Problem } from '../parts/trouble.tsx'
import { useOrder } from '../parts/use-order.ts'

/** Starts an agent found on this machine or another, or any command, in a terminal that Onward hosts there. */
export function NewTerminal({ onClose }: { onClose: () => void }) {
  const { here } = useApp()
  const [machine, setMachine] = useState<string | null>(null)
  return (
    <AppContext value={machine === null ? here : here.there(machine)}>
      <NewTerminalForm key={machine ?? ''} onClose={onClose} onMachine={setMachine} />
    </AppContext>
  )
}

function NewTerminalForm({ onClose, onMachine }: { onClose: () => void; onMachine: (machine: string | null) => void }) {
  const { actions, navigation, ui, machine } = useApp()
  const { w } = useWords()
  const live = useLive()
  const [client, setClient] = useState<ClientKind>('other')
  const [command, setCommand] = useState('')
  const [cwd, setCwd] = useState('')
  const [name, setName] = useState('')
  const { busy, refused, refuse, give } = useOrder()
  const [picking, setPicking] = useState(false)
  const agents = useAgents(setClient, refuse)

  // The dialog opens before the agents are known; the keyboard goes to the chosen one once they are, unless the person
  // is in a field by then.
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (agents && !form.current?.querySelector(':focus'))
      form.current?.querySelector<HTMLElement>('input:checked')?.focus()
  }, [agents])

  const pickButton = useRef<HTMLButtonElement>(null)
  const picked = useRef(false)
  const pick = (on: boolean) => {
    picked.current = !on
    setPicking(on)
  }
  useEffect(() => {
    if (!picking && picked.current) pickButton.current?.focus()
  }, [picking])

  const choose = async () => {
    // the system's own knows the folders of this computer
    const chooser = machine === null ? shellChooser() : null
    if (!chooser) return pick(true)
    const chosen = await chooser(cwd.trim())
    if (chosen !== null) setCwd(chosen)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const args = splitCommand(command)
    if (args === null) return refuse(w.newTerminal.badCommand)
    if (client === 'other' && args.length === 0) return refuse(w.newTerminal.noCommand)
    const outcome = await give(() =>
      actions.openTerminal({
        client,
        args,
        cols: 120,
        rows: 40,
        // An agent that ends at once with an error was not opened: the form stays, and shows its output.
        watchMs: 1_000,
        ...(cwd.trim() ? { cwd: cwd.trim() } : {}),
        ...(name.trim() ? { name: name.trim() } : {}),
      }),
    )
    if (!outcome.ok) return
    onClose()
    navigation.go({ view: 'sessions', selection: { kind: 'terminal', id: outcome.value.id } })
    ui.setState({ active: machine === null ? terminalKey(outcome.value.id) : farKey(machine, outcome.value.id) })
  }
  if (picking)
    return (
      <Dialog title={w.folder.title} onClose={() => pick(false)}>
        <FolderPicker
          start={cwd.trim()}
          onBack={() => pick(false)}
          onChoose={(path) => {
            setCwd(path)
            pick(false)
          }}
        />
      </Dialog>
    )
  return (
    <Dialog title={w.newTerminal.title} onClose={onClose}>
      <form ref={form} className="dialog-form" tabIndex={-1} data-autofocus onSubmit={(e) => void submit(e)}>
        <WhereField opens onMachine={onMachine} />
        <AgentChoice agents={agents} chosen={client} onChoose={setClient} />
        <TextField
          label={client === 'other' ? w.newTerminal.commandField : w.newTerminal.args}
          boxClass="mono"
          placeholder={client === 'other' ? w.newTerminal.commandPlaceholder : w.newTerminal.argsPlaceholder}
          value={command}
          onChange={(e) => setCommand(e.currentTarget.value)}
        />
        <FolderField pickButton={pickButton} value={cwd} onChange={setCwd} onPick={() => void choose()} />
        <TextField
          label={w.newTerminal.name}
          hint={w.newTerminal.nameHint}
          value={name}
          maxLength={200}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        <Problem text={refused} />
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

/** Looks for the agents of this machine. @returns null until they are known */
function useAgents(onFirst: (client: ClientKind) => void, onProblem: (problem: string) => void) {
  const { actions } = useApp()
  const live = useLive()
  const [agents, setAgents] = useState<readonly FoundAgent[] | null>(null)
  const known = useRef(false)
  useEffect(() => {
    if (!live) return
    let here = true
    void actions
      .ask((c) => c.agents.query())
      .then((outcome) => {
        if (!here) return
        const found = outcome.ok ? outcome.value.filter((a) => a.client !== 'other') : []
        setAgents(found)
        // After a lost connection the person's own choice stands.
        if (found[0] && !known.current) onFirst(found[0].client)
        known.current ||= outcome.ok
        if (!outcome.ok) onProblem(outcome.problem.message)
      })
    return () => {
      here = false
    }
  }, [actions, live, onFirst, onProblem])
  return agents
}

/** The agents of this machine, and any other command. */
function AgentChoice({
  agents,
  chosen,
  onChoose,
}: {
  /** null: they are looked for */
  agents: readonly FoundAgent[] | null
  chosen: ClientKind
  onChoose: (client: ClientKind) => void
}) {
  const { w } = useWords()
  return (
    <div>
      <Radios className="agents" label={w.newTerminal.agent} value={chosen} onChange={onChoose}>
        {agents === null && (
          <div className="late vstack" role="status" aria-label={w.newTerminal.looking}>
            <Skeleton width="60%" />
            <Skeleton width="50%" />
          </div>
        )}
        {agents?.map(({ client, version, path }) => (
          <RadioOption key={client} className="ag" value={client}>
            <b>{w.agents[client]}</b>
            {version && <span className="meta num">{version}</span>}
            <span className="grow" />
            <span className="meta cut">{homeShort(path)}</span>
          </RadioOption>
        ))}
        {agents && (
          <RadioOption className="ag" value="other">
            <b>{w.newTerminal.command}</b>
          </RadioOption>
        )}
      </Radios>
      {agents?.length === 0 && (
        <p className="meta" style={{ marginTop: 6 }}>
          {w.newTerminal.noneFound}
        </p>
      )}
    </div>
  )
}
