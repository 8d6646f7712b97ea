import { useWords } from '../app-context.ts'
import { homeShort } from '../parts/home-short.ts'
import { RadioOption, Radios } from '../parts/radios.tsx'
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
