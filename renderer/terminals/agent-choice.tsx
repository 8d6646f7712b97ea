import { useWords } from '../app-context.ts'
import { homeShort } from '../parts/home-short.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import type { FoundAgent } from '../../shared/control/contract.ts'
import type { ClientKind } from '../../shared/words.ts'

/** The agents of this machine, and any other command. */
export function AgentChoice({
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
            checked={chosen === agent.client}
            onChoose={() => onChoose(agent.client)}
          />
        ))}
        {agents && (
          <Choice
            name={w.newTerminal.command}
            detail={null}
            path=""
            checked={chosen === 'other'}
            onChoose={() => onChoose('other')}
          />
        )}
      </div>
      {agents?.length === 0 && (
        <p className="meta" style={{ marginTop: 6 }}>
          {w.newTerminal.noneFound}
        </p>
      )}
    </div>
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
