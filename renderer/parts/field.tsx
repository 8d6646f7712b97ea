import { Textarea, TextInput } from '@mantine/core'
import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from 'react'
import { useWords } from '../app-context.ts'

/** Mantine's inputs bring labels, ids and texts for screen readers; their looks stay in controls.css. */
const wrong = 'meta failed'
const alert = { role: 'alert' } as const

type TextProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> & {
  label: string
  hint?: string
  hideLabel?: boolean
  before?: ReactNode
  after?: ReactNode
  ref?: Ref<HTMLInputElement>
  boxClass?: string
  /** what is wrong with it, said below */ problem?: string | null
  /** id of the sentence that says elsewhere what is wrong with it */ wrongIn?: string | null
}

/** A one-line input of the control height. */
export function TextField(props: TextProps) {
  const { label, hint, hideLabel, before, after, boxClass, problem, wrongIn, ...rest } = props
  const { f } = useWords()
  return (
    <TextInput
      unstyled
      classNames={{ root: rootOf(hideLabel, problem !== undefined), wrapper: boxOf('input', boxClass), error: wrong }}
      autoComplete="off"
      spellCheck={false}
      {...rest}
      {...(wrongIn ? { withAria: false, 'aria-invalid': true, 'aria-describedby': wrongIn } : {})}
      {...labelled(hint ? f.list([label, hint]) : label, hideLabel)}
      leftSection={before}
      rightSection={after}
      error={problem}
      errorProps={alert}
    />
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
  return (
    <Textarea
      unstyled
      classNames={{ root: rootOf(hideLabel, false), wrapper: boxOf('input area', boxClass) }}
      rows={1}
      {...rest}
      {...labelled(label, hideLabel)}
    />
  )
}

export const labelled = (label: string, hidden: boolean | undefined) => (hidden ? { 'aria-label': label } : { label })
const rootOf = (bare: boolean | undefined, checked: boolean) =>
  [bare ? (checked ? '' : 'bare-field') : 'field', checked && 'field-and-problem'].filter(Boolean).join(' ')
export const boxOf = (box: string, more: string | undefined) => (more ? `${box} ${more}` : box)
