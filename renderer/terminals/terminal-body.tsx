import { useStore } from 'zustand'
import { Menu } from '@mantine/core'
import { Fragment, useEffect, useRef, useState } from 'react'
import { useApp, useEngine, useLive, useMay, useUi, useWords } from '../app-context.ts'
import { Icon } from '../icons/icon.tsx'
import { shortcuts } from '../keyboard/shortcuts.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { homeShort } from '../parts/home-short.ts'
import { MenuEntry } from '../parts/menu-entry.tsx'
import { Offered } from '../parts/offered.tsx'
import { Trouble } from '../parts/trouble.tsx'
import type { TerminalView } from '../../shared/state.ts'
import { attachCommand } from './attach-command.ts'
import type { Screen, ScreenState } from './screen.ts'
import { useTerminalFocus } from './terminal-focus.ts'

/** A terminal with its bar: the screen, find, copy, and who has the keyboard. Only hosted terminals take input here. */
export function TerminalBody({ terminal }: { terminal: TerminalView }) {
  const app = useApp()
  const { w } = useWords()
  const live = useLive()
  const place = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const [screen, setScreen] = useState<Screen | null>(null)
  const [state, setState] = useState<ScreenState>({
    cols: terminal.cols,
    rows: terminal.rows,
    exit: null,
    problem: null,
  })
  const snapshots = useEngine((s) => s.snapshots)
  const mayWrite = useMay('writeTerminal')
  const takesInput = terminal.home === 'hosted' && mayWrite
  const { id } = terminal
  useEffect(() => {
    const element = host.current
    if (!element) return
    let opened: Screen | null = null
    let gone = false
    // xterm.js is a third of the page: it comes when a first terminal is looked at.
    void import('./screen.ts')
      .then(({ openScreen }) => {
        if (gone) return
        opened = openScreen({
          host: element,
          terminalId: id,
          takesInput,
          actions: app.actions,
          mac: app.mac,
          onState: setState,
        })
        setScreen(opened)
        if (element.parentElement === document.activeElement) opened.focus()
      })
      .catch((error: unknown) => setState((before) => ({ ...before, problem: String(error) })))
    return () => {
      gone = true
      setScreen(null)
      opened?.dispose()
    }
  }, [id, takesInput, app])
  // A new snapshot means a new connection: the screen is asked for again.
  useEffect(() => (live ? screen?.follow() : undefined), [screen, live, snapshots])
  const ended = !terminal.alive || state.exit !== null
  useTerminalFocus(place, takesInput && terminal.alive, terminal.sessionId)
  return (
    <>
      <Bar terminal={terminal} screen={screen} state={state} />
      {ended && (
        <div className="banner plain" role="status">
          <Icon name="term" />
          <span>{w.terminal.ended(state.exit?.exitCode ?? terminal.exitCode)}</span>
        </div>
      )}
      {state.problem !== null && !ended && (
        <div className="pad">
          <Trouble shape="failed" title={w.terminal.lost} text={state.problem} />
        </div>
      )}
      <div
        ref={place}
        className={`term${takesInput ? '' : ' watched'}`}
        role="document"
        aria-label={w.terminal.label(w.agents[terminal.client], homeShort(terminal.cwd) || null)}
        tabIndex={-1}
        data-pane-stop
        onFocus={(e) => {
          if (e.target === e.currentTarget) screen?.focus()
        }}
      >
        <div ref={host} className="term-screen" />
      </div>
    </>
  )
}

function Bar({ terminal, screen, state }: { terminal: TerminalView; screen: Screen | null; state: ScreenState }) {
  const { ui, actions } = useApp()
  const { w } = useWords()
  const live = useLive()
  const finding = useUi((u) => u.findInTerminal)
  const { hold, home } = terminal
  const mayWrite = useMay('writeTerminal')
  const watched = {
    pane: w.terminal.readOnlyPane,
    wrapped: w.terminal.readOnlyWrapped,
    acp: w.terminal.readOnlyAcp,
    hosted: null,
  }[home]
  const readOnly = mayWrite ? watched : w.terminal.readOnlyDevice
  const typing = hold?.code === 'typing' || hold?.code === 'draft'
  return (
    <div className="t-bar">
      <span className="hstack meta" style={{ gap: 0 }}>
        <Icon name="term" />
        <span className="cut" style={{ marginLeft: 8 }}>
          {terminal.name}
        </span>
        {terminal.pane && <span className="dot">{terminal.pane.paneId}</span>}
        <span className="dot num">{w.terminal.size(state.cols, state.rows)}</span>
        {readOnly !== null && <span className="dot cut">{readOnly}</span>}
      </span>
      <span className="grow" />
      {terminal.pane && terminal.alive && <Attach pane={terminal.pane} />}
      {typing && (
        <span className="chip is-held" title={w.terminal.youAreTypingHint}>
          <Icon name="lock" />
          {w.terminal.youAreTyping}
        </span>
      )}
      {finding && screen ? (
        <Find screen={screen} />
      ) : (
        <IconButton
          icon="search"
          small
          name={w.terminal.find}
          keys={shortcuts.findInTerminal}
          disabled={!screen}
          onClick={() => ui.setState({ findInTerminal: true })}
        />
      )}
      <IconButton
        icon="copy"
        small
        name={w.terminal.copyScreen}
        disabled={!screen}
        onClick={() => {
          if (screen) void actions.copy(screen.text(), w.terminal.copied)
        }}
      />
      <Offered to="renameTerminal">
        <Menu>
          <Menu.Target>
            <IconButton icon="more" small name={w.terminal.actions} disabled={!live} />
          </Menu.Target>
          <Menu.Dropdown aria-label={w.terminal.actions}>
            <MenuEntry
              icon="edit"
              text={w.terminal.rename}
              onClick={() => ui.setState({ dialog: { kind: 'rename-terminal', terminal: terminal.id } })}
            />
            {terminal.alive && (
              <MenuEntry
                icon="copy"
                text={w.terminal.copyReport}
                title={w.terminal.copyReportHint}
                onClick={() => void actions.copyReport(terminal.id)}
              />
            )}
            {home === 'hosted' && terminal.alive && (
              <MenuEntry
                icon="x"
                danger
                text={w.terminal.close}
                onClick={() => ui.setState({ dialog: { kind: 'close-terminal', terminal: terminal.id } })}
              />
            )}
          </Menu.Dropdown>
        </Menu>
      </Offered>
    </div>
  )
}

/** To type there a person needs a client of tmux. */
function Attach({ pane }: { pane: NonNullable<TerminalView['pane']> }) {
  const { actions, machine, here } = useApp()
  const { w } = useWords()
  const target = useStore(here.engine, (s) => s.machines.find(({ name }) => name === machine)?.target ?? null)
  const command = attachCommand(pane, target)
  return (
    <Button
      tone="quiet"
      small
      icon="copy"
      title={command}
      onClick={() => void actions.copy(command, w.terminal.attachCopied)}
    >
      {w.terminal.attach}
    </Button>
  )
}

function Find({ screen }: { screen: Screen }) {
  const { ui } = useApp()
  const { w } = useWords()
  const [text, setText] = useState('')
  const [found, setFound] = useState(true)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
  }, [])
  const close = () => {
    screen.endFind()
    ui.setState({ findInTerminal: false })
    screen.focus()
  }
  return (
    <Fragment>
      {!found && text !== '' && <span className="meta">{w.terminal.noMatch}</span>}
      <TextField
        ref={input}
        label={w.terminal.find}
        hideLabel
        placeholder={w.terminal.find}
        value={text}
        onChange={(e) => {
          setText(e.currentTarget.value)
          setFound(screen.find(e.currentTarget.value, 'next', true))
        }}
        onKeyDown={(e) => {
          if (e.key === 'Enter') setFound(screen.find(text, e.shiftKey ? 'previous' : 'next'))
          else if (e.key === 'Escape') {
            e.stopPropagation()
            close()
          } else return
          e.preventDefault()
        }}
      />
      <IconButton
        icon="up"
        small
        name={w.terminal.findPrevious}
        onClick={() => setFound(screen.find(text, 'previous'))}
      />
      <IconButton icon="down" small name={w.terminal.findNext} onClick={() => setFound(screen.find(text, 'next'))} />
      <Button tone="quiet" small onClick={close} aria-label={w.terminal.closeFind}>
        Esc
      </Button>
    </Fragment>
  )
}
