import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { homeShort } from '../parts/home-short.ts'
import { Switch } from '../parts/switch.tsx'
import { folderProblems } from '../../shared/setup/folders.ts'
import { folderStep, nameOf, pathIn } from './folder-steps.ts'
import { useFolder, type ShownFolder } from './use-folder.ts'

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
