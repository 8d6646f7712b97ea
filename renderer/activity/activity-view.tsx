import { useState } from 'react'
import { useApp, useEngine, useUi, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { TextField } from '../parts/field.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { csvOf } from './csv.ts'
import { RecordPane } from './record-pane.tsx'
import { TurnsTable } from './turns-table.tsx'
import { matchesTurn, useTurns } from './use-turns.ts'

/** Every turn as a table, newest first, with its record beside it. */
export function ActivityView() {
  const { actions, ui } = useApp()
  const { w, s } = useWords()
  const { turns, problem, reload } = useTurns()
  const sessions = useEngine((state) => state.sessions)
  const shown = useUi((state) => state.record)
  const [filter, setFilter] = useState('')
  const names = (id: string | null) => (id === null ? null : (sessions.get(id)?.name ?? id))
  const rows = turns?.filter((turn) => matchesTurn(turn, names(turn.sessionId), s.finish(turn.finish), filter)) ?? []
  const record = turns?.find((turn) => turn.requestId === shown)
  return (
    <>
      <main className="pane under" data-pane-stop>
        <header className="pane-head wide-head"><h1>{w.views.activity}</h1>{turns && <span className="meta num">{w.activity.turns(turns.length)}</span>}<span className="grow" />
          <Button icon="download" disabled={rows.length === 0} onClick={() => download(csvOf(rows, names))}>{w.activity.export}</Button></header>
        {turns === null ? (problem === null ? <SkeletonRows label={w.activity.loading} rows={[['60%', '40%'], ['50%', '46%'], ['64%', '30%']]} /> : <div className="pad"><Trouble shape="failed" title={w.activity.failed} text={problem}><div className="hstack"><Button onClick={reload}>{w.timeline.retry}</Button></div></Trouble></div>)
          : turns.length === 0 ? <Empty icon="chart" title={w.activity.emptyTitle} text={w.activity.emptyText} /> : (
            <>
              <div className="t-filter"><TextField boxClass="filter-input" label={w.activity.filterLabel} hideLabel before={<Icon name="search" />} placeholder={w.activity.filter} value={filter} onChange={(e) => setFilter(e.currentTarget.value)} /><span className="grow" /><span className="meta">{w.activity.newest}</span></div>
              {rows.length === 0 ? <Empty title={w.activity.noMatch(filter)}><Button onClick={() => setFilter('')}>{w.list.clearFilter}</Button></Empty> : <TurnsTable turns={rows} names={names} selected={shown} onSelect={(id) => ui.setState({ record: id })} />}
            </>
          )}
      </main>
      {record && <RecordPane record={record} name={names(record.sessionId)} onCopy={() => void actions.copy(JSON.stringify(record, null, 2), w.activity.copied)} />}
    </>
  )
}

function download(csv: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'onward-turns.csv'
  link.click()
  URL.revokeObjectURL(url)
}
