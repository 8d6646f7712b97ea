import { useId, type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes } from 'react'
import { useWords } from '../app-context.ts'

interface FieldProps {
  label: string
  children: ReactNode
  htmlFor: string
  hint?: string
}
function Field({ label, hint, children, htmlFor }: FieldProps) {
  const { f } = useWords()
  return (
    <label className="field" htmlFor={htmlFor}>
      <span>{hint ? f.list([label, hint]) : label}</span>
      {children}
    </label>
  )
}

type TextProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> & {
  label: string
  hint?: string
  hideLabel?: boolean
  before?: ReactNode
  after?: ReactNode
  ref?: Ref<HTMLInputElement>
  boxClass?: string
  /** what is wrong with it, said below */ problem?: string | null
}

/** A one-line input of the control height. */
export function TextField({ label, hint, hideLabel, before, after, boxClass, problem, ...rest }: TextProps) {
  const id = useId()
  const wrong = problem ? { 'aria-invalid': true, 'aria-describedby': `${id}-problem` } : {}
  const box = (
    <span className={['input', boxClass].filter(Boolean).join(' ')} aria-disabled={rest.disabled || undefined}>
      {before}
      <input
        id={id}
        autoComplete="off"
        spellCheck={false}
        {...rest}
        {...wrong}
        {...(hideLabel ? { 'aria-label': label } : {})}
      />
      {after}
    </span>
  )
  const field = hideLabel ? (
    box
  ) : (
    <Field label={label} hint={hint} htmlFor={id}>
      {box}
    </Field>
  )
  return problem === undefined ? (
    field
  ) : (
    <div className="field-and-problem">
      {field}
      {problem && (
        <p id={`${id}-problem`} className="meta failed" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

type AreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  label: string
  hideLabel?: boolean
  ref?: Ref<HTMLTextAreaElement>
  boxClass?: string
}

/** Grows with its text up to 240 px. */
export function AreaField({ label, hideLabel, boxClass, ...rest }: AreaProps) {
  const id = useId()
  const box = (
    <span className={['input area', boxClass].filter(Boolean).join(' ')} aria-disabled={rest.disabled || undefined}>
      <textarea id={id} rows={1} {...rest} {...(hideLabel ? { 'aria-label': label } : {})} />
    </span>
  )
  return hideLabel ? (
    box
  ) : (
    <Field label={label} htmlFor={id}>
      {box}
    </Field>
  )
}
