import type { ReactNode } from 'react'
import { useApp, useUi, useWords } from '../app-context.ts'
import { Shape } from '../icons/shape.tsx'
import type { StepName } from './outcome.ts'

/** One of the three: a line while it is closed, with what it came to; its head opens it again. */
export function Step({
  name,
  n,
  title,
  hint,
  done,
  beside,
  children,
}: {
  name: StepName
  n: number
  title: string
  hint: string
  /** what it came to; null: not done yet */
  done: string | null
  beside?: ReactNode
  children: ReactNode
}) {
  const { ui } = useApp()
  const { w } = useWords()
  const open = useUi((s) => s.firstRun.open === name)
  const show = () => ui.setState((s) => ({ firstRun: { ...s.firstRun, open: name } }))
  return (
    <section className={open ? 'step on' : 'step'} aria-label={w.firstRun.step(n, title)}>
      <header>
        <span className={done !== null && !open ? 'step-n did' : 'step-n'}>
          {done !== null && !open ? <Shape shape="done" name={w.firstRun.demo.done} /> : <b className="num">{n}</b>}
        </span>
        <h2>
          <button type="button" aria-expanded={open} onClick={show}>
            {title}
          </button>
        </h2>
        {!open && (
          <span className="meta cut" title={done ?? hint}>
            {done ?? hint}
          </span>
        )}
        <span className="grow" />
        {!open && beside}
        {!open && done !== null && (
          <button type="button" className="link meta" aria-label={`${w.firstRun.change}: ${title}`} onClick={show}>
            {w.firstRun.change}
          </button>
        )}
      </header>
      {open && <div className="step-body">{children}</div>}
    </section>
  )
}
