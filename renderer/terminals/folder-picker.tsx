import { useEffect, useId, useRef, type KeyboardEvent, useCallback, useState } from 'react'
import { useWords, useApp, useLive } from '../app-context.ts'
import type { Problem } from '../control/problem.ts'
import { Icon } from '../icons/icon.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { homeShort } from '../parts/home-short.ts'
import { Switch } from '../parts/switch.tsx'
import { folderProblems, type FolderListing } from '../../shared/setup/folders.ts'
import { folderStep, nameOf, pathIn } from './folder-steps.ts'

/** Letters that follow each other so closely are the beginning of one name. */
const oneGoMs = 700

/** Chooses a folder of the engine's machine: a click or Enter goes into one, the button takes the one that is shown. */
export function FolderPicker({
  start,
  onChoose,
  onBack,
}: {
  start: string
  onChoose: (path: string) => void
  onBack: () => void
}) {
  const { w } = useWords()
  const shown = useFolder(start)
  const { listing, problem } = shown
  const known = folderProblems.find((code) => code === problem?.why.code)
  return (
    <div className="folder-picker">
      <div className="hstack">
        <IconButton icon="up" small name={w.folder.above} disabled={!listing?.parent} onClick={() => goAbove(shown)} />
        <span className="mono cut grow" title={listing?.path}>
          {homeShort(listing?.path ?? start)}
        </span>
        <Switch checked={shown.hidden} onChange={shown.setHidden}>
          {w.folder.hidden}
        </Switch>
      </div>
      <FolderList shown={shown} />
      <p className="meta" role="status">
        {listing && w.folder.count(nameOf(listing.path), listing.folders.length, listing.more)}
      </p>
      {problem && (
        <p className="meta failed" role="alert">
          {known ? w.folder.problems[known](homeShort(problem.path)) : problem.why.message}
        </p>
      )}
      <div className="dialog-foot">
        <Button tone="quiet" onClick={onBack}>
          {w.folder.back}
        </Button>
        <Button tone="primary" disabled={!listing} onClick={() => listing && onChoose(listing.path)}>
          {w.folder.choose(nameOf(listing?.path ?? ''))}
        </Button>
      </div>
    </div>
  )
}

function goAbove({ listing, go }: ShownFolder) {
  if (listing?.parent) go(listing.parent, nameOf(listing.path))
}

function FolderList({ shown }: { shown: ShownFolder }) {
  const { w } = useWords()
  const { listing, at, setAt, go } = shown
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  const typed = useRef({ letters: '', at: -Infinity })
  useEffect(() => list.current?.focus(), [])
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [listing, at])

  const folders = listing?.folders ?? []
  const enter = (index: number) => {
    const name = folders[index]
    if (listing && name !== undefined) go(pathIn(listing, name))
    list.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const now = event.timeStamp
    if (event.key.length === 1)
      typed.current = {
        letters: (now - typed.current.at < oneGoMs ? typed.current.letters : '') + event.key,
        at: now,
      }
    const step = folderStep(event.key, typed.current.letters, folders, at)
    if (step === null) return
    event.preventDefault()
    if (step.to === 'line') setAt(step.at)
    else if (step.to === 'inside') enter(step.at)
    else goAbove(shown)
  }
  return (
    <ul
      ref={list}
      className="folders"
      role="listbox"
      tabIndex={0}
      aria-label={w.folder.list}
      aria-busy={listing === null}
      aria-activedescendant={folders[at] === undefined ? undefined : `${id}-${at}`}
      onKeyDown={onKeyDown}
    >
      {folders.map((name, i) => (
        <li key={name} id={`${id}-${i}`} role="option" aria-selected={i === at} onClick={() => enter(i)}>
          <Icon name="folder" />
          <span className="cut">{name}</span>
        </li>
      ))}
      {listing && folders.length === 0 && (
        <li className="meta" role="presentation">
          {w.folder.none}
        </li>
      )}
    </ul>
  )
}

interface ShownFolder {
  /** null: none was shown yet */
  listing: FolderListing | null
  /** the line that keys act on */
  at: number
  /** why the last one that was asked for is not shown; the one before stays */
  problem: { path: string; why: Problem } | null
  hidden: boolean
  setAt(at: number): void
  setHidden(hidden: boolean): void
  /** `from`: the folder one comes from, whose line is the one to be on */
  go(path: string, from?: string): void
}

/**
 * Walks through the folders of the engine's machine. After a folder that can't be shown the listing stays as it was.
 */
function useFolder(start: string): ShownFolder {
  const { actions } = useApp()
  const live = useLive()
  const [listing, setListing] = useState<FolderListing | null>(null)
  const [at, setAt] = useState(0)
  const [problem, setProblem] = useState<ShownFolder['problem']>(null)
  const [hidden, setHidden] = useState(false)
  const asked = useRef(0)

  const ask = useCallback(
    async (path: string, withHidden: boolean, from: string | undefined): Promise<boolean> => {
      const mine = ++asked.current
      const outcome = await actions.ask((c) => c.listFolder.query({ path, hidden: withHidden }))
      // The person has gone on in the meantime and does not want this one any more.
      if (mine !== asked.current) return true
      if (!outcome.ok) {
        setProblem({ path, why: outcome.problem })
        return false
      }
      setProblem(null)
      setListing(outcome.value)
      setAt(Math.max(from === undefined ? 0 : outcome.value.folders.indexOf(from), 0))
      return true
    },
    [actions],
  )
  const begun = useRef(false)
  useEffect(() => {
    if (!live || begun.current) return
    begun.current = true
    void (async () => {
      if (await ask(start, false, undefined)) return
      // The typed text is no folder: the reason stays in sight, over one that is.
      const outcome = await actions.ask((c) => c.listFolder.query({ path: '', hidden: false }))
      if (outcome.ok) setListing((before) => before ?? outcome.value)
    })()
  }, [actions, ask, live, start])

  return {
    listing,
    at,
    problem,
    hidden,
    setAt,
    setHidden(next) {
      setHidden(next)
      if (listing) void ask(listing.path, next, listing.folders[at])
    },
    go: (path, from) => void ask(path, hidden, from),
  }
}
