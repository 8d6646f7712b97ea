import { useCallback, useEffect, useState } from 'react'
import type { ConfigProblem, ConfigTextView } from '../../../shared/config/config-text.ts'
import { useApp, useEngine, useLive, useUi } from '../../app-context.ts'

/** a pause in typing, after which the engine looks at the text */
const PAUSE_MS = 250

export interface ConfigText {
  /** null: not read yet */
  text: string | null
  /** the file is there */
  exists: boolean
  dirty: boolean
  problems: readonly ConfigProblem[]
  /** the file was changed elsewhere while this one is edited: as it is now */
  theirs: ConfigTextView | null
  /** why the file can't be read */
  unread: string | null
  saving: boolean
  change(text: string): void
  save(): Promise<'saved' | 'refused' | 'changed' | 'failed'>
  /** their text takes the place of this one */
  takeTheirs(): void
  /** this one goes on, and may be saved over theirs */
  keepMine(): void
}

/** The config file under edit: its text, its problems, and whether it is still the one it began with. */
export function useConfigText(): ConfigText {
  const { actions, ui } = useApp()
  const live = useLive()
  const revision = useEngine((s) => s.status?.configRevision ?? null)
  const draft = useUi((s) => s.configDraft)
  const [base, setBase] = useState<ConfigTextView | null>(null)
  const [theirs, setTheirs] = useState<ConfigTextView | null>(null)
  const [checked, setChecked] = useState<Pick<ConfigTextView, 'problems'> | null>(null)
  const [unread, setUnread] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const text = draft?.text ?? (base ? (base.text ?? '') : null)

  const adopt = useCallback(
    (view: ConfigTextView) => {
      setBase(view)
      setTheirs(null)
      setChecked(view)
      ui.setState({ configDraft: null })
    },
    [ui],
  )
  useEffect(() => {
    if (!live) return
    let wanted = true
    void actions
      .ask((c) => c.configText.query())
      .then((outcome) => {
        if (!wanted) return
        if (!outcome.ok) return setUnread(outcome.problem.message)
        setUnread(null)
        const now = ui.getState().configDraft
        if (now === null) return adopt(outcome.value)
        setBase(outcome.value)
        setTheirs(now.base.revision === outcome.value.revision ? null : outcome.value)
      })
    return () => {
      wanted = false
    }
    // asked for again whenever the engine sees another text in the file
  }, [actions, adopt, live, revision, ui])

  useEffect(() => {
    if (draft === null || !live) return
    let wanted = true
    const timer = setTimeout(() => {
      void actions
        .ask((c) => c.checkConfigText.query(draft.text))
        .then((outcome) => {
          if (wanted && outcome.ok) setChecked({ problems: outcome.value })
        })
    }, PAUSE_MS)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [actions, draft, live])

  const change = (next: string) => {
    const from = draft?.base ?? (base && { text: base.text ?? '', revision: base.revision })
    if (from) ui.setState({ configDraft: next === from.text && !theirs ? null : { text: next, base: from } })
  }
  const save: ConfigText['save'] = async () => {
    if (text === null || base === null) return 'failed'
    setSaving(true)
    const outcome = await actions.ask((c) =>
      c.saveConfigText.mutate({ text, revision: draft?.base.revision ?? base.revision }),
    )
    setSaving(false)
    if (!outcome.ok) {
      setUnread(outcome.problem.message)
      return 'failed'
    }
    const done = outcome.value
    setUnread(null)
    if (done.kind === 'refused') setChecked(done)
    if (done.kind === 'changed') setTheirs(done)
    // what was typed while it was saved is kept
    if (done.kind === 'saved') {
      const later = ui.getState().configDraft
      if (later === null || later.text === text) adopt(done)
      else {
        setBase(done)
        ui.setState({ configDraft: { text: later.text, base: { text, revision: done.revision } } })
      }
    }
    return done.kind
  }
  return {
    text,
    exists: base?.text !== null,
    dirty: draft !== null,
    problems: (draft === null ? base : checked)?.problems ?? [],
    theirs,
    unread,
    saving,
    change,
    save,
    takeTheirs: () => theirs && adopt(theirs),
    keepMine() {
      if (theirs && draft)
        ui.setState({ configDraft: { text: draft.text, base: { text: theirs.text ?? '', revision: theirs.revision } } })
      setTheirs(null)
    },
  }
}
